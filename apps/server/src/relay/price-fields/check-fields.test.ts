import { Fault } from '@hub/contract'
import { type Edits, openaiChat } from '@hub/dialects'
import { type PriceField, providerOf, providers } from '@hub/providers'
import { describe, expect, it } from 'vitest'
import type { Terms } from '../../billing/prices/terms.ts'
import { checkPriceFields, type LeavingRequest, type PricedChannel } from './check-fields.ts'

const callable = providers.filter(({ type }) => providerOf(type))
const unpriced = ['other-tier', 'Turbo']
const model = 'claude-sonnet-4-5'

/** Every field of every provider with each of its values, those without a mode, and one that nobody knows. */
const cases = callable.flatMap(provider =>
  provider.priceFields.fields.flatMap(field =>
    [...field.defaults, ...Object.keys(field.modes), ...valuesOf(field)].map(value => ({
      ...{ id: provider.id, provider, field, name: field.name, value },
      isDefault: field.defaults.includes(value),
      mode: Object.hasOwn(field.modes, value) ? field.modes[value] : undefined,
    })),
  ),
)

function valuesOf({ dimension, elements }: PriceField): string[] {
  if (dimension === 'routing') return ['fallback']
  return elements ? ['context-1m-2025-08-07'] : unpriced
}

type Policy = 'refuse' | 'allow' | 'remove'

const channelOf = (type: number, unpriced: Policy): PricedChannel => ({
  provider: providerOf(type)!,
  baseUrl: '',
  options: { price_fields: { unpriced } },
})

const requestWith = ({ name, in: place, elements }: PriceField, value: string): LeavingRequest => {
  const [top, member] = name.split('.') as [string, string | undefined]
  const sent = elements ? [value] : value
  const fields = place === 'body' ? { [top]: member ? { [member]: sent, kept: 1 } : sent } : {}
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields })))
  if (!read.ok) throw new Error(read.hint)
  const headers = place === 'header' ? ['accept', '*/*', name, value] : ['accept', '*/*']
  return { parsed: read.parsed, edits: {}, headers }
}

const termsWith = (field: PriceField, mode: string | undefined): Terms =>
  ({
    ...(mode && { modes: { [mode]: '2' } }),
    ...(field.dimension === 'context' && { tiers: [] }),
  }) as unknown as Terms

const judge = (
  { provider, field, value }: Pick<(typeof cases)[number], 'provider' | 'field' | 'value'>,
  policy: Policy,
  terms: Terms,
) => {
  const request = requestWith(field, value)
  const call = { channel: channelOf(provider.type, policy), model, termsOf: () => terms }
  return { modes: checkPriceFields(call, request), request }
}

const noPrice = {} as Terms

describe('fields that change the price of a vendor', () => {
  it('cover every kind at some provider', () => {
    const kinds = new Set(cases.map(({ field }) => field.dimension))
    expect([...kinds].sort()).toEqual(
      ['cache', 'context', 'latency', 'region', 'routing', 'speed', 'tier'].sort(),
    )
    expect(cases.length).toBeGreaterThan(300)
  })

  it.each(cases.filter(each => each.isDefault))('$id: $name $value passes at any price', each => {
    for (const policy of ['refuse', 'allow', 'remove'] as const) {
      const { modes, request } = judge(each, policy, noPrice)
      expect([modes, request.edits]).toEqual([{}, {}])
    }
  })

  it.each(cases.filter(each => !each.isDefault && each.mode))(
    '$id: $name $value passes as $mode where the price has its ratio',
    each => {
      for (const policy of ['refuse', 'allow', 'remove'] as const) {
        const { modes, request } = judge(each, policy, termsWith(each.field, each.mode))
        expect(modes).toEqual({ [each.field.dimension]: each.mode })
        expect(request.edits).toEqual({})
      }
    },
  )

  it.each(cases.filter(each => !each.isDefault))(
    '$id: $name $value is refused, allowed or removed where the price has no ratio',
    each => {
      expect(() => judge(each, 'refuse', noPrice)).toThrow(Fault)
      const allowed = judge(each, 'allow', noPrice)
      expect(allowed.modes).toEqual(each.mode ? { [each.field.dimension]: each.mode } : {})
      expect(allowed.request).toEqual(requestWith(each.field, each.value))
      const { modes, request } = judge(each, 'remove', noPrice)
      expect(modes).toEqual({})
      expect(request.headers).toEqual(['accept', '*/*'])
      expect(request.edits).toEqual(removalOf(each.field))
    },
  )
})

const removalOf = ({ name, in: place, elements }: PriceField): Edits => {
  if (place === 'header') return {}
  const [top, member] = name.split('.') as [string, string | undefined]
  if (elements) return { [top]: [] }
  return { [top]: member ? { kept: 1 } : undefined }
}

const judgeBody = (type: number, fields: object, more: Partial<LeavingRequest> = {}) => {
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields })))
  if (!read.ok) throw new Error(read.hint)
  const request = { parsed: read.parsed, edits: {}, headers: [], ...more }
  const call = { channel: channelOf(type, 'refuse'), model, termsOf: () => undefined }
  return checkPriceFields(call, request)
}

const openai = 1
const bedrock = 32
const openrouter = 20

describe('the request that leaves', () => {
  it.each([
    { Service_Tier: 'priority' },
    { service_tier: 'PRIORITY' },
    { service_tier: ' priority ' },
    { service_tier: ['priority'] },
    { service_tier: { type: 'priority' } },
    { prompt_cache_options: { TTL: '12h' } },
  ])('%j is refused however it is written', fields => {
    expect(() => judgeBody(openai, fields)).toThrow(Fault)
  })

  it('is judged by the fields that a channel adds', () => {
    expect(() => judgeBody(openai, {}, { edits: { service_tier: 'flex' } })).toThrow(Fault)
  })

  it('is not judged by a field that the channel replaces or removes', () => {
    const fields = { service_tier: 'priority' }
    expect(judgeBody(openai, fields, { edits: { service_tier: undefined } })).toEqual({})
    expect(judgeBody(openai, fields, { edits: { service_tier: 'default' } })).toEqual({})
  })

  it('may have the routing of the channel, but not that of the caller', () => {
    const provider = { order: ['x'] }
    expect(judgeBody(openrouter, {}, { edits: { provider } })).toEqual({})
    expect(() => judgeBody(openrouter, { provider })).toThrow(Fault)
    expect(judgeBody(openrouter, { models: [], plugins: [], route: null })).toEqual({})
  })

  it('goes to another address than the vendor’s with the fields of all vendors judged', () => {
    const read = openaiChat.read(Buffer.from('{"model":"m","messages":[],"models":["a"]}'))
    if (!read.ok) throw new Error(read.hint)
    const request = { parsed: read.parsed, edits: {}, headers: [] }
    const call = { model, termsOf: () => undefined }
    const own = channelOf(openai, 'refuse')
    expect(checkPriceFields({ ...call, channel: own }, request)).toEqual({})
    const channel = { ...own, baseUrl: 'https://relay.example' }
    expect(() => checkPriceFields({ ...call, channel }, request)).toThrow(Fault)
  })

  it.each([
    [{ serviceTier: { type: 'default' } }, undefined],
    [{ serviceTier: { type: 'flex' } }, 'serviceTier.type'],
    [{ serviceTier: 'flex' }, 'serviceTier'],
  ])(
    'goes to a private address of Bedrock with %j judged by what the name means there',
    (fields, refused) => {
      const bytes = Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields }))
      const read = openaiChat.read(bytes)
      if (!read.ok) throw new Error(read.hint)
      const channel = { ...channelOf(bedrock, 'refuse'), baseUrl: 'https://vpce.example' }
      const request = { parsed: read.parsed, edits: {}, headers: [] }
      const check = () => checkPriceFields({ model, termsOf: () => undefined, channel }, request)
      if (refused) expect(check).toThrow(`'${refused}' is 'flex'`)
      else expect(check()).toEqual({})
    },
  )

  it('names the field and the value that it is refused for', () => {
    expect(() => judgeBody(openai, { service_tier: 'ultrafast' })).toThrow(
      "'service_tier' is 'ultrafast', which has no price for this model.",
    )
  })

  it('may have the speed of a voice, which is a number', () => {
    expect(judgeBody(3, { speed: 1.5 })).toEqual({})
  })
})
