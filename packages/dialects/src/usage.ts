/**
 * Tokens that a call used, as disjoint classes: no token is in two of them, none is negative. The functions below name
 * every class one by one, because a stream asks at every chunk and a loop over names costs far more.
 */
export type Usage = {
  /** Fresh input: read by the model, from no cache. */
  input: number
  cacheRead: number
  cacheReadAudio: number
  cacheReadImage: number
  cacheWrite5m: number
  cacheWrite1h: number
  /** Visible output. */
  output: number
  reasoning: number
  audioInput: number
  audioOutput: number
  imageInput: number
  imageOutput: number
  /** Units that a provider sells by the piece, by kind: calls of tools, seconds of video, hours of storage. */
  tools: Record<string, number>
  /** Models besides the answering one whose tokens are among these counts; absent for none. */
  otherModels?: readonly string[]
  /** Cached tokens that the answer reports beyond its whole prompt. They are in no class; absent for none. */
  cachedAbovePrompt?: number
  /** The answer says that nothing was read from a cache that the vendor fills by itself; absent where it says nothing. */
  uncached?: true
  /** How the answer says that it was served; absent where it says nothing. */
  served?: Served
  /** Modes with a ratio of their own that the call is charged in, as keys of `extra_ratios`; absent for none. */
  modes?: readonly string[]
  /** The vendor's charge in USD, as the answer tells it; absent where it tells none. */
  cost?: number
}

/** Calls of tools by kind. */
export type ToolCounts = Usage['tools']

/** The vendor's words for the tier, speed, region and latency that served an answer. */
export type Served = {
  tier?: string
  speed?: string
  region?: string
  latency?: string
}

/** The contract describes each class in `usageClasses`: side, default ratio, keys. */
export type TokenClass = Exclude<
  keyof Usage,
  'tools' | 'otherModels' | 'cachedAbovePrompt' | 'uncached' | 'served' | 'modes' | 'cost'
>

export const noUsage = (): Usage => ({
  input: 0,
  cacheRead: 0,
  cacheReadAudio: 0,
  cacheReadImage: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  imageInput: 0,
  imageOutput: 0,
  tools: {},
})

/** The sum of two usages, without tools. */
export const addUsage = (one: Usage, other: Usage): Usage => ({
  ...noUsage(),
  input: one.input + other.input,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheReadAudio: one.cacheReadAudio + other.cacheReadAudio,
  cacheReadImage: one.cacheReadImage + other.cacheReadImage,
  cacheWrite5m: one.cacheWrite5m + other.cacheWrite5m,
  cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
  output: one.output + other.output,
  reasoning: one.reasoning + other.reasoning,
  audioInput: one.audioInput + other.audioInput,
  audioOutput: one.audioOutput + other.audioOutput,
  imageInput: one.imageInput + other.imageInput,
  imageOutput: one.imageOutput + other.imageOutput,
})

/** Input that was read from a cache, of all modalities. */
export const cachedTokens = (usage: Usage): number =>
  usage.cacheRead + usage.cacheReadAudio + usage.cacheReadImage

/** The input column of a log row. */
export const inputTokens = (usage: Usage): number =>
  usage.input +
  cachedTokens(usage) +
  usage.cacheWrite5m +
  usage.cacheWrite1h +
  usage.audioInput +
  usage.imageInput

/** The output column of a log row. */
export const outputTokens = (usage: Usage): number =>
  usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput

/** No answer has more tokens of one class. A larger number is a mistake or an attack. */
const tokenCountMax = 1_000_000_000

export const isTokenCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= tokenCountMax

/** True if every class and every tool has a valid count. */
export const hasValidCounts = (usage: Usage): boolean => {
  for (const kind in usage.tools) if (!isTokenCount(usage.tools[kind])) return false
  return (
    isTokenCount(usage.input) &&
    isTokenCount(usage.cacheRead) &&
    isTokenCount(usage.cacheReadAudio) &&
    isTokenCount(usage.cacheReadImage) &&
    isTokenCount(usage.cacheWrite5m) &&
    isTokenCount(usage.cacheWrite1h) &&
    isTokenCount(usage.audioInput) &&
    isTokenCount(usage.imageInput) &&
    isTokenCount(usage.output) &&
    isTokenCount(usage.reasoning) &&
    isTokenCount(usage.audioOutput) &&
    isTokenCount(usage.imageOutput)
  )
}

/** The sum of count times weight over all classes, in floats. Tools are left out. */
export const weightedTokens = (
  usage: Usage,
  weights: Readonly<Record<TokenClass, number>>,
): number =>
  usage.input * weights.input +
  usage.cacheRead * weights.cacheRead +
  usage.cacheReadAudio * weights.cacheReadAudio +
  usage.cacheReadImage * weights.cacheReadImage +
  usage.cacheWrite5m * weights.cacheWrite5m +
  usage.cacheWrite1h * weights.cacheWrite1h +
  usage.audioInput * weights.audioInput +
  usage.imageInput * weights.imageInput +
  usage.output * weights.output +
  usage.reasoning * weights.reasoning +
  usage.audioOutput * weights.audioOutput +
  usage.imageOutput * weights.imageOutput

/**
 * Says that a vendor counted 0 tokens out of its cache. One that also counts what was written to the cache, as Anthropic
 * does, was asked for no cache then.
 */
export const uncachedOf = (
  reads: readonly unknown[],
  writes: readonly unknown[] = [],
): Pick<Usage, 'uncached'> =>
  reads.includes(0) && reads.every(isNothing) && writes.every(isAbsent) ? uncached : cachedOrUnsaid

const isAbsent = (value: unknown): boolean => value === undefined || value === null
const isNothing = (value: unknown): boolean => value === 0 || isAbsent(value)
const uncached = { uncached: true } as const
const cachedOrUnsaid = {}

/** The usage for a receipt. `JSON.stringify` omits what is `undefined`, so a receipt names only what was used. */
export const withoutZeros = (usage: Usage) => ({
  input: unlessZero(usage.input),
  cacheRead: unlessZero(usage.cacheRead),
  cacheReadAudio: unlessZero(usage.cacheReadAudio),
  cacheReadImage: unlessZero(usage.cacheReadImage),
  cacheWrite5m: unlessZero(usage.cacheWrite5m),
  cacheWrite1h: unlessZero(usage.cacheWrite1h),
  audioInput: unlessZero(usage.audioInput),
  imageInput: unlessZero(usage.imageInput),
  output: unlessZero(usage.output),
  reasoning: unlessZero(usage.reasoning),
  audioOutput: unlessZero(usage.audioOutput),
  imageOutput: unlessZero(usage.imageOutput),
  tools: hasTools(usage) ? usage.tools : undefined,
  modes: usage.modes?.length ? usage.modes : undefined,
})

/** The words that are texts, cut to what a receipt may show; undefined for none. */
export const servedOf = (words: { [name in keyof Served]: unknown }): Served | undefined => {
  let served: Served | undefined
  for (const name in words) {
    const word = words[name as keyof Served]
    if (typeof word !== 'string' || word === '') continue
    served ??= {}
    served[name as keyof Served] = word.slice(0, 40)
  }
  return served
}

const unlessZero = (count: number): number | undefined => (count === 0 ? undefined : count)

export const hasTools = ({ tools }: Usage): boolean => {
  for (const _ in tools) return true
  return false
}

/**
 * Says what an answer says that it costs. OpenRouter does, in credits of one US dollar. With a key of the vendor's it counts
 * its fee alone, and the vendor's charge beside it: https://openrouter.ai/docs/use-cases/usage-accounting
 */
export const costOfUsage = (value: { [name: string]: unknown }): Pick<Usage, 'cost'> => {
  const { cost, is_byok, cost_details } = value
  if (typeof cost !== 'number') return none
  const details = is_byok === true && typeof cost_details === 'object' ? cost_details : undefined
  const own = (details as { upstream_inference_cost?: unknown } | null | undefined)
    ?.upstream_inference_cost
  return { cost: typeof own === 'number' ? cost + own : cost }
}

const none = {}
