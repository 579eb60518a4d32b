import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareCost } from '../billing/price.ts'
import { termsOf } from '../billing/prices/terms.ts'
import { tokenClasses, usageOf } from '../billing/usage.ts'
import { recompute } from './charge.ts'

const decimal = fc.oneof(
  fc.constantFrom('0', '1', '0.075', '1.25', '0.0000001'),
  fc.tuple(fc.nat(900), fc.nat(999_999_999)).map(([whole, part]) => {
    const digits = String(part).padStart(9, '0')
    return `${whole}.${digits}`
  }),
)
const keys = ['cached_read_tokens', 'cached_write_tokens', 'reasoning_tokens', 'input_audio_tokens']
const media = ['output_audio_tokens', 'input_image_tokens', 'output_image_tokens']
const modes = ['tier_flex', 'tier_priority', 'region_us', 'cached_write_12h_tokens']
const text = ['input_text_tokens', 'output_text_tokens']
const tools = {
  web_search: '5000',
  image_generation: '125000',
  'image_generation:high-1024x1024': '83500',
}

const terms = fc
  .record({
    type: fc.constantFrom('tokens' as const, 'times' as const),
    input: decimal,
    output: decimal,
    group: decimal,
    channel_type: fc.constantFrom(0, 14),
    extra: fc.option(
      fc.dictionary(fc.constantFrom(...keys, ...media, ...text, ...modes), decimal, {
        maxKeys: 12,
      }),
    ),
    // The contract takes no two tiers with one bound.
    tiers: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 400_000 }), decimal, decimal), {
      maxLength: 3,
      selector: ([above]) => above,
    }),
  })
  .map(({ group, extra, tiers, ...price }) => {
    const rising = tiers
      .map(([above, input, output]) => ({ above, input, output }))
      .sort((a, b) => a.above - b.above)
    const row = { model: 'm', ...price, extra_ratios: extra && JSON.stringify(extra) }
    return termsOf({ ...row, tiers: rising.length ? JSON.stringify(rising) : null }, group, tools)
  })

const usage = fc
  .tuple(
    fc.array(fc.nat(200_000), { minLength: tokenClasses.length, maxLength: tokenClasses.length }),
    fc.dictionary(fc.constantFrom(...Object.keys(tools), 'unknown'), fc.nat(9), { maxKeys: 3 }),
    fc.option(fc.uniqueArray(fc.constantFrom(...modes, 'tier_unknown'), { maxLength: 3 })),
  )
  .map(([counts, calls, served]) => {
    const used = Object.fromEntries(tokenClasses.map((each, at) => [each, counts[at] ?? 0]))
    return usageOf({ ...used, tools: calls, ...(served && { modes: served }) })
  })

it('comes to the same point as billing, for every class, ratio, tier, mode and tool', () => {
  fc.assert(
    fc.property(terms, usage, (terms, usage) => {
      const charged = prepareCost(terms).cost(usage)
      expect(recompute(JSON.stringify(terms), usage)).toBe(BigInt(charged))
    }),
    { numRuns: 5000 },
  )
})
