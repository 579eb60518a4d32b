import {
  anthropic,
  applyFieldRules,
  type Dialect,
  dialectOf,
  gemini,
  type Json,
  openaiChat,
  openaiResponses,
} from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { fieldRefusal } from '../../../test/upstream/dialects/field-limits.ts'
import type { Endpoint } from './define.ts'
import { geminiRules } from './gemini/model-rules.ts'
import { modelRulesOf } from './model-rules.ts'
import { openaiEndpointRules } from './openai/model-rules.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const chat = (fields: object) => ({ model: 'gpt-4o', messages, ...fields })
const claude = (fields: object) => ({ model: 'claude-opus-5', max_tokens: 9, messages, ...fields })
const responses = (fields: object) => ({ model: 'gpt-5.5', input: 'Hi', ...fields })
const contents = (fields: object) => ({
  model: 'gemini-3-pro',
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  ...fields,
})

/** Claude Code 2.1 sends this as `metadata.user_id`. */
const claudeCodeUser = JSON.stringify({
  device_id: 'd'.repeat(64),
  account_uuid: '',
  session_id: '6f9a3c1e-0000-4000-8000-000000000001',
})
const long = (length: number): string => 'user@example.com/'.repeat(20).slice(0, length)
const pairs = (count: number, value = 'v'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, value]))
const stops = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `END${index}`)
const file = { file_data: 'data:application/pdf;base64,JVBERi0=' }
const document = (filename: string) => [
  { role: 'user', content: [{ type: 'file', file: { ...file, filename } }] },
]

/** A field of the caller's that a vendor of another dialect limits. */
const cases: readonly [string, Dialect, object][] = [
  ['metadata.user_id of Claude Code', anthropic, claude({ metadata: { user_id: claudeCodeUser } })],
  ['metadata.user_id of 256 letters', anthropic, claude({ metadata: { user_id: long(256) } })],
  ['user of chat', openaiChat, chat({ user: long(300) })],
  ['safety_identifier of chat', openaiChat, chat({ safety_identifier: long(300) })],
  ['prompt_cache_key of chat', openaiChat, chat({ prompt_cache_key: long(300) })],
  ['user of Responses', openaiResponses, responses({ user: long(300) })],
  ['safety_identifier of Responses', openaiResponses, responses({ safety_identifier: long(300) })],
  ['prompt_cache_key of Responses', openaiResponses, responses({ prompt_cache_key: long(300) })],
  ['many pairs of metadata', openaiChat, chat({ metadata: pairs(20) })],
  ['long values of metadata', openaiChat, chat({ metadata: pairs(2, long(600).padEnd(600, 'x')) })],
  ['long keys of metadata', openaiResponses, responses({ metadata: { ['k'.repeat(65)]: 'v' } })],
  ['stop sequences of Messages', anthropic, claude({ stop_sequences: stops(8) })],
  ['stop sequences of chat', openaiChat, chat({ stop: stops(8) })],
  ['stop sequences of Gemini', gemini, contents({ generationConfig: { stopSequences: stops(5) } })],
  ['a long name of a file', openaiChat, chat({ messages: document(`${'n'.repeat(600)}.pdf`) })],
  ['an empty name of a file', openaiChat, chat({ messages: document('') })],
]

type Rules = Pick<Endpoint, 'modelRules'>

/** The address of each encoder's requests, and the tables of the vendor's own endpoints. */
const vendors = {
  'openai-chat': ['/v1/chat/completions', { modelRules: openaiEndpointRules }, 'gpt-4o'],
  'openai-responses': ['/v1/responses', { modelRules: openaiEndpointRules }, 'gpt-5.5'],
  anthropic: ['/v1/messages', {}, 'claude-opus-5'],
  gemini: [
    '/v1beta/models/gemini-3-pro:generateContent',
    { modelRules: geminiRules },
    'gemini-3-pro',
  ],
  converse: ['/model/us.amazon.nova-pro-v1%3A0/converse', {}, 'us.amazon.nova-pro-v1:0'],
} as const satisfies Record<string, readonly [string, Rules, string]>
type Vendor = keyof typeof vendors

const encode = (from: Dialect, to: Vendor, body: object, table?: Rules, name?: string) => {
  const decoded = from.decodeRequest(body, { model: 'gemini-3-pro', stream: false })
  if (!decoded.ok) throw new Error(decoded.hint)
  const [, own, known] = vendors[to]
  const model = name ?? known
  const rules = modelRulesOf({ ...(table ?? own), dialect: to }, model)
  const { request, notes } = applyFieldRules({ ...decoded.request, model }, rules)
  const { body: encoded, warnings } = dialectOf(to).encodeRequest(request)
  return { encoded: encoded as Json, dropped: [...notes, ...warnings.map(each => each.dropped)] }
}

describe.each(Object.keys(vendors) as Vendor[])('the encoder of %s', to => {
  it.each(cases)('keeps %s within the limits of its vendor', (_name, from, body) => {
    const { encoded } = encode(from, to, body)
    const refusal = fieldRefusal(vendors[to][0], Buffer.from(JSON.stringify(encoded)))
    expect(refusal?.body).toBeUndefined()
  })
})

it('both dialects of OpenAI send the same short id for the same long one', () => {
  const body = claude({ metadata: { user_id: claudeCodeUser } })
  const user = encode(anthropic, 'openai-responses', body).encoded.user
  expect(user).toMatch(/^[\w-]{1,64}$/)
  expect(encode(anthropic, 'openai-chat', body).encoded.user).toBe(user)
  expect(encode(anthropic, 'openai-chat', body, {}).encoded.user).toBe(user)
  const other = claude({ metadata: { user_id: claudeCodeUser.replace('0001', '0002') } })
  expect(encode(anthropic, 'openai-responses', other).encoded.user).not.toBe(user)
})

it('an id within the limit stays as it is', () => {
  const user = long(64)
  const body = claude({ metadata: { user_id: user } })
  expect(encode(anthropic, 'openai-responses', body).encoded.user).toBe(user)
  expect(encode(anthropic, 'openai-chat', body).encoded.user).toBe(user)
  expect(encode(openaiChat, 'anthropic', chat({ user: long(256) })).encoded.metadata.user_id).toBe(
    long(256),
  )
})

it('a warning names the stop sequences and metadata that a vendor does not take', () => {
  expect(encode(anthropic, 'openai-chat', claude({ stop_sequences: stops(8) }))).toMatchObject({
    encoded: { stop: stops(4) },
    dropped: ['stop beyond 4'],
  })
  const many = encode(openaiChat, 'openai-responses', chat({ metadata: pairs(20) }))
  expect(Object.keys(many.encoded.metadata)).toHaveLength(16)
  expect(many.dropped).toEqual(['metadata'])
  // Other vendors of chat take more stop sequences than OpenAI.
  const other = encode(anthropic, 'openai-chat', claude({ stop_sequences: stops(8) }), {}, 'm')
  expect(other).toMatchObject({ encoded: { stop: stops(8) }, dropped: [] })
})
