import { openaiChat } from '@hub/dialects'
import { providerOf } from '@hub/providers'
import { expect, it } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import { makeCandidates } from '../routing/pick.ts'
import { bothModes, reservedModes } from './reserved-modes.ts'

const channel = (more: object = {}): Channel =>
  ({ id: 1, provider: providerOf(1), options: {}, requestHeaders: {}, weight: 1, ...more }) as never
const plain = makeCandidates([channel()])

const modesOf = (fields: object, headers = {}, candidates = plain) => {
  const read = openaiChat.read(Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields })))
  if (!read.ok) throw new Error(read.hint)
  return reservedModes(read.parsed, headers, candidates)
}

it.each([
  [{}, {}],
  [{ service_tier: 'auto' }, { modes: undefined, cacheWrite: undefined }],
  [{ service_tier: 'priority' }, { modes: ['tier_priority'], cacheWrite: undefined }],
  [{ Service_Tier: 'FAST' }, { modes: ['tier_priority'], cacheWrite: undefined }],
  [{ serviceTier: 'SERVICE_TIER_FLEX' }, { modes: ['tier_flex'], cacheWrite: undefined }],
  [
    { speed: 'fast', inference_geo: 'us' },
    { modes: ['speed_fast', 'region_us'], cacheWrite: undefined },
  ],
  [{ performanceConfig: { latency: 'optimized' } }, { modes: ['latency_optimized'] }],
  [
    { prompt_cache_options: { ttl: '12h' } },
    { modes: ['cached_write_12h_tokens'], cacheWrite: '5m' },
  ],
  [{ prompt_cache_retention: '12h' }, { modes: ['cached_write_12h_tokens'], cacheWrite: '5m' }],
  [{ metadata: { cache_control: { type: 'ephemeral' } } }, { cacheWrite: '5m' }],
  [{ metadata: { cache_control: { type: 'ephemeral', ttl: '1h' } } }, { cacheWrite: '1h' }],
])('a request with %j reserves %j', (fields, expected) => {
  expect(modesOf(fields)).toEqual(expected)
})

const escapes = (text: string): string =>
  [...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

it.each([
  ['an escape in its key', '"cache\\u005fcontrol":{"type":"ephemeral","ttl":"1h"}', '1h'],
  ['an escape in its duration', '"cache_control":{"type":"ephemeral","ttl":"1\\u0068"}', '1h'],
  ['a duration of escapes only', `"cache_control":{"ttl":"${escapes('1h')}"}`, '1h'],
  ['a key of escapes only', `"${escapes('cache_control')}":{"type":"ephemeral"}`, '5m'],
  ["an escape in OpenAI's key", '"prompt_cache_breakpoin\\u0074":{}', '5m'],
  ["OpenAI's key of escapes only", `"${escapes('prompt_cache_breakpoint')}":{}`, '5m'],
  ['its key in a text', '"text":{"cache":"cache\\u005fcontrol"}', undefined],
  ['a similar key with an escape', '"cache\\u005fcontrols":{}', undefined],
])('reserves the cache of a mark that has %s', (_, mark, expected) => {
  const read = openaiChat.read(Buffer.from(`{"model":"m","messages":[],"metadata":{${mark}}}`))
  if (!read.ok) throw new Error(read.hint)
  expect(reservedModes(read.parsed, {}, plain).cacheWrite).toBe(expected)
})

it('reserves the modes of headers, of the caller and of the channels', () => {
  const header = { 'x-vertex-ai-llm-shared-request-type': 'priority' }
  expect(modesOf({}, header).modes).toEqual(['tier_priority'])
  const channels = [
    channel({ customParameter: { per_model: true, m: { service_tier: 'ultrafast' } } }),
    channel({ id: 2, requestHeaders: { 'X-Amzn-Bedrock-Service-Tier': 'priority' } }),
  ]
  expect(modesOf({}, {}, makeCandidates(channels)).modes).toEqual([
    'tier_ultrafast',
    'tier_priority',
  ])
})

it('reserves the modes that rules of a channel may write, inner fields and defaults included', () => {
  const channels = [
    channel({ parameterRules: [{ when: [{ model: 'x' }], set: { service_tier: 'priority' } }] }),
    channel({ id: 2, parameterRules: [{ default: { 'performanceConfig.latency': 'optimized' } }] }),
    channel({ id: 3, parameterRules: [{ set: { 'prompt_cache_options.ttl': '12h' } }] }),
    channel({ id: 4, parameterRules: [{ delete: ['service_tier'] }] }),
  ]
  const { modes, cacheWrite } = modesOf({}, {}, makeCandidates(channels))
  expect(modes).toEqual(['tier_priority', 'latency_optimized', 'cached_write_12h_tokens'])
  expect(cacheWrite).toBe('5m')
})

it('reserves cache writes where a channel marks translated prompts', () => {
  const claude = channel({ provider: providerOf(14), options: { caching: { automatic: true } } })
  expect(modesOf({}, {}, makeCandidates([claude])).cacheWrite).toBe('5m')
})

it('covers both of two reservations', () => {
  const one = { modes: ['tier_flex'], cacheWrite: '5m' } as const
  const other = { modes: ['tier_priority'], cacheWrite: '1h' } as const
  expect(bothModes(one, other)).toEqual({
    modes: ['tier_flex', 'tier_priority'],
    cacheWrite: '1h',
  })
  expect(bothModes({}, {})).toEqual({})
  expect(bothModes({}, one)).toEqual({ modes: ['tier_flex'], cacheWrite: '5m' })
})
