/**
 * The price formula, written from the contract alone: fractions of bigints, one rounding up, at least 1 point when the
 * price is not zero; tool calls of a free price are charged. It shares nothing with billing/, so that it cannot share its mistakes.
 */
type Fraction = { over: bigint; under: bigint }

type Version = {
  type: string
  input: string
  output: string
  group_ratio: string
  ratios: Record<string, string>
  tools: Record<string, string>
  tiers?: { above: number; input: string; output: string }[]
  modes?: Record<string, string>
}

const outputClasses = ['output', 'reasoning', 'audioOutput', 'imageOutput']
const classes = [
  ...['input', 'cacheRead', 'cacheReadAudio', 'cacheReadImage', 'cacheWrite5m', 'cacheWrite1h'],
  ...['audioInput', 'imageInput'],
  ...outputClasses,
]
const largest = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the cost of a usage by the body of a price version, or a sentence that says why it has none. */
export const recompute = (body: string, usage: unknown): bigint | string => {
  const version = parse(body) as Version | undefined
  if (!version) return 'the price version cannot be read'
  if (typeof usage !== 'object' || usage === null) return 'the receipt has no usage'
  try {
    return charge(version, usage as Record<string, unknown>)
  } catch (error) {
    return error instanceof RangeError ? error.message : 'the price version is incomplete'
  }
}

const charge = (version: Version, usage: Record<string, unknown>): bigint => {
  const group = fraction(version.group_ratio)
  const { tools = {}, modes = [], ...counts } = usage as Named
  const served = servedIn(version, modes)
  const price = priceAt(version, counts)
  const input = times(times(fraction(price.input), group), served.factor)
  const output = times(times(fraction(price.output), group), served.factor)
  const isTimes = version.type === 'times'
  const isFree = input.over === 0n && (isTimes || output.over === 0n)

  let sum: Fraction = isTimes ? times(input, { over: 1000n, under: 1n }) : { over: 0n, under: 1n }
  for (const [name, value] of Object.entries(counts)) {
    if (!classes.includes(name)) throw new RangeError(`the receipt has an unknown class ${name}`)
    const n = count(name, value)
    if (isTimes) continue
    const price = outputClasses.includes(name) ? output : input
    const ratio = (name === 'cacheWrite5m' && served.write) || version.ratios[name]
    sum = plus(sum, times(times(price, fraction(ratio)), { over: n, under: 1n }))
  }
  for (const [kind, calls] of Object.entries(tools)) {
    const price = times(
      fraction(version.tools[kind] ?? version.tools[kind.replace(/:.*/, '')] ?? '0'),
      group,
    )
    sum = plus(sum, times(price, { over: count(kind, calls), under: 1n }))
  }
  const rounded = (sum.over + sum.under - 1n) / sum.under
  if (rounded < 1n) return isFree ? 0n : 1n
  return rounded > largest ? largest : rounded
}

type Named = { tools?: Record<string, unknown>; modes?: unknown[]; [name: string]: unknown }

/** Each mode with a ratio multiplies the price; that of the long cache is the ratio of cache writes. */
const servedIn = (version: Version, modes: unknown[]) => {
  let factor: Fraction = { over: 1n, under: 1n }
  let write: string | undefined
  for (const name of modes) {
    const ratio = version.modes?.[String(name)]
    if (ratio === undefined) continue
    if (name === 'cached_write_12h_tokens') write = ratio
    else factor = times(factor, fraction(ratio))
  }
  return { factor, write }
}

/** Selects the tier with the largest bound below the prompt size. All input tokens count as prompt. */
const priceAt = (version: Version, usage: Record<string, unknown>) => {
  let prompt = 0n
  for (const name of classes)
    if (!outputClasses.includes(name)) prompt += count(name, usage[name] ?? 0)
  let found: { above: number; input: string; output: string } | undefined
  for (const tier of version.tiers ?? [])
    if (prompt > BigInt(tier.above) && (!found || tier.above > found.above)) found = tier
  return found ?? version
}

const count = (name: string, value: unknown): bigint => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`the receipt counts ${String(value)} of ${name}`)
  return BigInt(value)
}

const fraction = (text: string | undefined): Fraction => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text ?? '')
  if (!match) throw new RangeError(`the price version says ${String(text)} where a decimal must be`)
  const [, head = '', tail = ''] = match
  return { over: BigInt(head + tail), under: 10n ** BigInt(tail.length) }
}

const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
})

const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
})

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
