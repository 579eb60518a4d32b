import { Fault } from '@hub/contract'
import { dialectOf, soldItemTypes } from '@hub/dialects'
import { inputTokens, type Usage } from '@hub/dialects/usage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recompute } from '../auditor/charge.ts'
import { readTerms } from './calls/read-receipt.ts'
import { prepareCost } from './price.ts'
import { type Terms, termsAt, termsOf, toolPriceOf } from './prices/terms.ts'
import { toolPrices } from './prices/tool-prices.ts'
import { tokenClasses, usageOf } from './usage.ts'

const price = (more: Partial<Parameters<typeof termsOf>[0]> = {}) => ({
  model: 'm',
  type: 'tokens' as const,
  channel_type: 0,
  input: '1',
  output: '1',
  extra_ratios: null,
  ...more,
})
const cost = (terms: Terms, usage: Partial<Usage>) => prepareCost(terms).cost(usageOf(usage))

/** The specification as one fraction over one large denominator, rounded up once. */
const specifiedCost = (terms: Terms, usage: Usage): bigint => {
  const scale = 40n
  const fixed = (text: string) => {
    const [whole = '0', part = ''] = text.split('.')
    return BigInt(whole + part.padEnd(Number(scale), '0'))
  }
  const one = 10n ** scale
  const group = fixed(terms.group_ratio)
  const isFree =
    group === 0n ||
    (fixed(terms.input) === 0n && (terms.type === 'times' || fixed(terms.output) === 0n))
  let sum = 0n
  if (isFree) sum = 0n
  else if (terms.type === 'times') sum += 1000n * fixed(terms.input) * group * one
  else
    for (const each of tokenClasses) {
      const side = /^(output|reasoning)|Output$/.test(each) ? terms.output : terms.input
      sum += BigInt(usage[each]) * fixed(side) * fixed(terms.ratios[each]) * group
    }
  for (const [kind, calls] of Object.entries(usage.tools) as [string, number][])
    sum += BigInt(calls) * fixed(terms.tools[kind] ?? '0') * group * one
  const unit = one ** 3n
  const points = (sum + unit - 1n) / unit
  if (points < 1n) return isFree ? 0n : 1n
  return points > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : points
}

const decimal = fc.oneof(
  fc.constantFrom('0', '1', '0.075', '1.25', '2.5', '7.5', '0.0000001', '1000000000'),
  fc
    .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 999_999_999_999 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(12, '0')}`),
)
const count = fc.oneof(
  fc.integer({ min: 0, max: 200_000 }),
  fc.integer({ min: 0, max: 1_000_000_000 }),
)
/** Typical prices, so that the fast path is taken as often as the exact path. */
const typicalDecimal = fc.integer({ min: 0, max: 9999 }).map(n => `${n / 100}`)
const termsFrom = (each: fc.Arbitrary<string>) =>
  fc.record({
    type: fc.constantFrom('tokens' as const, 'tokens' as const, 'times' as const),
    input: each,
    output: each,
    group_ratio: each,
    ratios: fc.record(Object.fromEntries(tokenClasses.map(name => [name, each]))),
    tools: fc.record({ web_search: each }),
  }) as unknown as fc.Arbitrary<Terms>
const terms = fc.oneof(termsFrom(typicalDecimal), termsFrom(decimal))
const usage = fc.record({
  ...Object.fromEntries(tokenClasses.map(each => [each, count])),
  tools: fc.oneof(fc.constant({}), fc.record({ web_search: count, unknown: count })),
}) as unknown as fc.Arbitrary<Usage>

describe('a charge', () => {
  it('equals the specified fraction for every price, ratio and usage, on the fast and on the exact path', () => {
    fc.assert(
      fc.property(terms, usage, (by, used) => {
        const charged = prepareCost(by).cost(used)
        expect(Number.isSafeInteger(charged)).toBe(true)
        expect(BigInt(charged)).toBe(specifiedCost(by, used))
      }),
      { numRuns: 5000 },
    )
  })

  it('stays exact where floats do not', () => {
    const large = fc.integer({ min: 1_000_000, max: 1_000_000_000 })
    fc.assert(
      fc.property(large, large, large, (tenths, input, output) => {
        const text = `${tenths / 10}`
        const by = termsOf(price({ input: text, output: text }), '1', {})
        const used = usageOf({ input, output })
        expect(BigInt(prepareCost(by).cost(used))).toBe(specifiedCost(by, used))
      }),
      { numRuns: 1000 },
    )
  })

  it('never decreases with more usage', () => {
    fc.assert(
      fc.property(terms, usage, fc.constantFrom(...tokenClasses), (by, used, more) => {
        fc.pre(used[more] < 1_000_000_000)
        const { cost } = prepareCost(by)
        expect(cost({ ...used, [more]: used[more] + 1 })).toBeGreaterThanOrEqual(cost(used))
      }),
    )
  })

  it('is rounded up once, not per class', () => {
    const by = termsOf(price({ input: '0.1', output: '0.1' }), '1', {})
    expect(cost(by, { input: 4, cacheRead: 3, output: 3 })).toBe(1)
    expect(cost(by, { input: 5, cacheRead: 3, output: 3 })).toBe(2)
  })

  it('is at least one point unless the price is free', () => {
    expect(cost(termsOf(price({ input: '0.000001' }), '1', {}), { input: 1 })).toBe(1)
    expect(cost(termsOf(price(), '1', {}), {})).toBe(1)
    expect(cost(termsOf(price({ input: '0', output: '0' }), '1', {}), { input: 1e6 })).toBe(0)
    expect(cost(termsOf(price(), '0', {}), { input: 1e6 })).toBe(0)
  })

  it('of a free price is that of its tool calls alone', () => {
    const tools = { web_search: '5000' }
    const free = termsOf(price({ input: '0', output: '0' }), '0.5', tools)
    expect(cost(free, { input: 1e6, tools: { web_search: 3 } })).toBe(7_500)
    expect(cost(free, { input: 1e6, tools: { unknown: 3 } })).toBe(0)
    const byCall = termsOf(price({ type: 'times', input: '0' }), '1', tools)
    expect(cost(byCall, { tools: { web_search: 1 } })).toBe(5_000)
    expect(cost(termsOf(price(), '0', tools), { tools: { web_search: 1 } })).toBe(0)
  })

  it('of a times price is input × 1,000 points × group ratio for any usage', () => {
    const by = termsOf(price({ type: 'times', input: '0.0021', output: '9' }), '1.5', {})
    expect(cost(by, { input: 1e6, output: 1e6 })).toBe(4)
    expect(cost(termsOf(price({ type: 'times', input: '50' }), '1', {}), {})).toBe(50_000)
  })

  it('of a long prompt uses its tier for the whole call, and cached tokens count as prompt', () => {
    const tiers = JSON.stringify([
      { above: 100, input: '2', output: '4' },
      { above: 200, input: '3', output: '0' },
    ])
    const by = termsOf(price({ tiers }), '1', {})
    const charge = (input: number, cacheRead = 0) => cost(by, { input, cacheRead, output: 10 })
    expect([charge(100), charge(101), charge(100, 1)]).toEqual([110, 242, 242])
    expect([charge(200), charge(201), charge(1, 200)]).toEqual([440, 603, 603])
  })

  it('with tiers equals the charge by the terms of the tier', () => {
    const bounds = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(
        terms,
        bounds,
        fc.array(typicalDecimal, { minLength: 8, maxLength: 8 }),
        usage,
        (by, above, prices, used) => {
          const tiers = above
            .sort((a, b) => a - b)
            .map((bound, at) => ({ above: bound, input: prices[at]!, output: prices[at + 4]! }))
          const tiered = { ...by, type: 'tokens' as const, tiers }
          const { tiers: _, ...plain } = termsAt(tiered, used)
          const prompt = inputTokens(used)
          const at = above.filter(bound => prompt > bound).length
          expect(plain.input).toBe(at === 0 ? by.input : prices[at - 1])
          expect(BigInt(prepareCost(tiered).cost(used))).toBe(specifiedCost(plain, used))
          // The auditor computes the charge without code of billing.
          expect(recompute(JSON.stringify(tiered), used)).toBe(specifiedCost(plain, used))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('is free only if every tier is free', () => {
    const tiers = '[{"above":10,"input":"1","output":"0"}]'
    const by = prepareCost(termsOf(price({ input: '0', output: '0', tiers }), '1', {}))
    expect([by.isFree, by.cost(usageOf({ input: 10 })), by.cost(usageOf({ input: 11 }))]).toEqual([
      false,
      0,
      11,
    ])
  })

  it('equals the charge that the auditor recomputes', () => {
    fc.assert(
      fc.property(terms, usage, (by, used) => {
        expect(recompute(JSON.stringify(by), used)).toBe(BigInt(prepareCost(by).cost(used)))
      }),
      { numRuns: 1000 },
    )
  })

  it('distinguishes values that floats cannot', () => {
    // In floats 3,000,000 tokens at 0.1 are 300000.00000000006, which rounds up to one point more.
    const tenth = termsOf(price({ input: '0.1', output: '0.2' }), '1', {})
    expect(cost(tenth, { input: 3_000_000 })).toBe(300_000)
    expect(cost(tenth, { input: 1, output: 1, cacheRead: 7 })).toBe(1)
    // One part in 10^20 above a whole point adds a point, below it does not.
    const over = termsOf(price({ input: '1.00000000000000000001' }), '1', {})
    const under = termsOf(price({ input: '0.99999999999999999999' }), '1', {})
    expect([cost(over, { input: 1000 }), cost(under, { input: 1000 })]).toEqual([1001, 1000])
  })

  it('equals the example of One Hub', () => {
    const extra_ratios = '{"cached_tokens":0.5}'
    const by = termsOf(price({ input: '2.5', output: '7.5', extra_ratios }), '1.2', {})
    expect(cost(by, { input: 2000, cacheRead: 8000, output: 500 })).toBe(22_500)
  })

  it('refuses invalid counts', () => {
    const by = termsOf(price({ input: '2.5' }), '1', {})
    const attacks = [2 ** 63, -(2 ** 63), Number.NaN, -1, 1e308, Infinity, 1.5, 2 ** 53, 1e9 + 1]
    for (const n of [...attacks, '5', null, undefined, 5n] as number[]) {
      for (const each of tokenClasses) expect(() => cost(by, { [each]: n })).toThrow(Fault)
      expect(() => cost(by, { tools: { web_search: n } })).toThrow(Fault)
    }
  })

  it('above the safe integers is the largest safe integer', () => {
    const by = termsOf(price({ input: '1000000000' }), '1000000000', {})
    expect(cost(by, { input: 1e9 })).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('the ratios of a price', () => {
  it('have the defaults of One Hub', () => {
    const { ratios } = termsOf(price(), '1', {})
    expect(ratios).toMatchObject({ cacheRead: '1', cacheWrite5m: '1.25', cacheWrite1h: '2' })
    expect(ratios).toMatchObject({ reasoning: '1', audioInput: '1', imageOutput: '1' })
    expect(termsOf(price({ channel_type: 14 }), '1', {}).ratios.cacheRead).toBe('0.1')
  })

  it('prefer the cache key of a Claude-like list to that of an OpenAI-like list', () => {
    const ratiosWith = (extra: object) =>
      termsOf(price({ extra_ratios: JSON.stringify(extra) }), '1', {}).ratios
    expect(ratiosWith({ cached_tokens: 0.5 }).cacheRead).toBe('0.5')
    expect(ratiosWith({ cached_tokens: 0.5, cached_read_tokens: 0 }).cacheRead).toBe('0')
    expect(ratiosWith({ cached_write_tokens: '1' })).toMatchObject({
      cacheWrite5m: '1',
      cacheWrite1h: '1.6',
    })
    expect(ratiosWith({ reasoning_tokens: 5.833, input_text_tokens: 1e-7 })).toMatchObject({
      reasoning: '5.833',
      input: '0.0000001',
    })
  })
})

describe('cached audio and images', () => {
  it('cost as much as cached text, unless the price has ratios of their own', () => {
    const ratiosWith = (extra: object) =>
      termsOf(price({ extra_ratios: JSON.stringify(extra) }), '1', {}).ratios
    expect(ratiosWith({ cached_tokens: 0.5 })).toMatchObject({
      ...{ cacheRead: '0.5', cacheReadAudio: '0.5', cacheReadImage: '0.5' },
    })
    expect(ratiosWith({ cached_tokens: 0.5, cached_read_audio_tokens: 2 })).toMatchObject({
      ...{ cacheRead: '0.5', cacheReadAudio: '2', cacheReadImage: '0.5' },
    })
  })

  it('cost as much as cached text by a price version from before they were told apart', () => {
    const { cacheReadAudio, cacheReadImage, ...ratios } = termsOf(
      price({ extra_ratios: JSON.stringify({ cached_tokens: 0.5 }) }),
      '1',
      {},
    ).ratios
    const stored = JSON.stringify({ ...termsOf(price(), '1', {}), ratios })
    const { cost } = readTerms(stored)
    expect(cost(usageOf({ cacheReadAudio: 100_000 }))).toBe(cost(usageOf({ cacheRead: 100_000 })))
  })
})

describe('the price of a tool', () => {
  const points = (kind: string, of: Parameters<typeof toolPrices>[1]) =>
    toolPrices(500_000, of)[kind]

  it('is that of the vendor of the model', () => {
    expect(points('web_search', { model: 'gemini-2.5-flash' })).toBe('17500')
    expect(points('web_search', { model: 'gemini-3.1-pro-preview' })).toBe('7000')
    expect(points('web_search', { model: 'grok-4.5' })).toBe('2500')
    expect(points('code_interpreter', { model: 'grok-4.5' })).toBe('2500')
    expect(points('web_search', { model: 'claude-opus-5' })).toBe('5000')
    const tool_prices = '{"web_search":"0.02"}'
    expect(points('web_search', { model: 'grok-4.5', tool_prices })).toBe('10000')
  })

  it('is the default, except for web search of models without reasoning', () => {
    expect(points('web_search', { model: 'gpt-4o' })).toBe('5000')
    expect(points('web_search_preview', { model: 'gpt-4o-mini' })).toBe('12500')
    expect(points('web_search_preview', { model: 'gpt-4.1' })).toBe('12500')
    expect(points('web_search_preview', { model: 'gpt-5' })).toBe('5000')
    expect(points('file_search', { model: 'gpt-5' })).toBe('1250')
    expect(points('code_interpreter', { model: 'gpt-5' })).toBe('15000')
  })

  it('depends for an image on quality and size, and any other image has the dearest', () => {
    expect(points('image_generation:low-1024x1024', { model: 'm' })).toBe('5500')
    expect(points('image_generation:medium-1536x1024', { model: 'm' })).toBe('31500')
    expect(points('image_generation:high-1024x1536', { model: 'm' })).toBe('125000')
    expect(points('image_generation', { model: 'm' })).toBe('125000')
    const by = termsOf(price(), '1.5', toolPrices(500_000, { model: 'm' }))
    const costOf = (kind: string) => cost(by, { tools: { [kind]: 2 } })
    expect(costOf('image_generation:low-1024x1024')).toBe(16_500)
    for (const kind of ['', ':high-512x512', ':auto-3840x2160', ':high-1024x1536'])
      expect(costOf(`image_generation${kind}`)).toBe(375_000)
    expect(costOf('unheard_of:high-512x512')).toBe(1)
  })

  it('is for an image that of the whole tool, or the dearest of its kinds, where a model has its own', () => {
    const pointsOf = (own: object, kind: string) => {
      const tools = toolPrices(500_000, { model: 'm', tool_prices: JSON.stringify(own) })
      return toolPriceOf(tools, kind)
    }
    const low = 'image_generation:low-1024x1024'
    expect(pointsOf({ image_generation: '0.02' }, low)).toBe('10000')
    expect(pointsOf({ image_generation: '0' }, 'image_generation:high-1x1')).toBe('0')
    expect(pointsOf({ image_generation: '0.02', [low]: '0.01' }, low)).toBe('5000')
    expect(pointsOf({ 'image_generation:high-9x9': '0.4' }, 'image_generation')).toBe('200000')
    expect(pointsOf({ 'image_generation:high-9x9': '0.4' }, low)).toBe('5500')
  })

  it.each(
    ['gpt-4.1', 'gemini-2.5-flash', 'grok-4', 'claude-opus-5', 'another'].flatMap(model =>
      soldItemTypes.map(type => [type, model] as const),
    ),
  )('stands in the shipped list for %s of %s', (type, model) => {
    const items = [{ type }, { type, quality: 'high', size: '1024x1024' }]
    for (const item of items) {
      const answer = { object: 'response', usage: { input_tokens: 1 }, output: [item] }
      const read = dialectOf('openai-responses').readAnswer(Buffer.from(JSON.stringify(answer)))
      const kinds = read.ok && typeof read.usage === 'object' ? Object.keys(read.usage.tools) : []
      expect(kinds).toHaveLength(1)
      const points = toolPriceOf(toolPrices(500_000, { model }), kinds[0]!)
      expect(Number(points)).toBeGreaterThan(0)
    }
  })

  it('is overridden by the price of the model', () => {
    const tool_prices = '{"web_search":"0","image_generation:high-512x512":"0.1"}'
    expect(points('web_search', { model: 'gpt-4o', tool_prices })).toBe('0')
    expect(points('image_generation:high-512x512', { model: 'm', tool_prices })).toBe('50000')
    const by = termsOf(price(), '1.5', toolPrices(500_000, { model: 'm', tool_prices }))
    expect(cost(by, { input: 1, tools: { 'image_generation:high-512x512': 2 } })).toBe(150_002)
  })
})

describe('a price with ratios of tiers, speeds and regions', () => {
  const extra_ratios = JSON.stringify({
    ...{ tier_flex: '0.5', speed_fast: 6, region_us: '1.1', cached_write_12h_tokens: '3' },
    cached_write_tokens: '1.25',
  })
  const used = { input: 100, cacheWrite5m: 40, output: 10 }

  it.each([
    [undefined, 160],
    [[], 160],
    [['tier_flex'], 80],
    [['speed_fast', 'region_us'], 1056],
    [['tier_priority'], 160],
    [['tier_hyper', 'tier_flex'], 80],
    [['cached_write_12h_tokens'], 230],
    [['cached_write_12h_tokens', 'tier_flex'], 115],
  ])('charges the modes %j with %i points', (modes, points) => {
    const terms = termsOf(price({ extra_ratios }), '1', {})
    expect(cost(terms, { ...used, ...(modes && { modes }) })).toBe(points)
  })

  it('multiplies a price per call and each tier, but no tools', () => {
    const times = termsOf(price({ extra_ratios, type: 'times' }), '1', { web_search: '5000' })
    expect(cost(times, { modes: ['tier_flex'], tools: { web_search: 1 } })).toBe(5500)
    const tiers = '[{"above":50,"input":"2","output":"2"}]'
    const tiered = termsOf(price({ extra_ratios, tiers }), '1', {})
    expect(cost(tiered, { ...used, modes: ['tier_flex'] })).toBe(160)
  })

  it('has the ratios that the vendor documents, unless it names its own', () => {
    const gpt = price({ model: 'gpt-5.5', channel_type: 1 })
    expect(termsOf(gpt, '1', {}).modes).toEqual({ tier_flex: '0.5', tier_priority: '2.5' })
    const own = { ...gpt, extra_ratios: '{"tier_priority":3}' }
    expect(termsOf(own, '1', {}).modes).toEqual({ tier_flex: '0.5', tier_priority: '3' })
    for (const other of [
      { ...gpt, channel_type: 0 },
      { ...gpt, model: 'gpt-5*' },
      { ...gpt, type: 'times' as const },
    ])
      expect(termsOf(other, '1', {})).not.toHaveProperty('modes')
  })
})
