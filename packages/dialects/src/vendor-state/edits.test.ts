import { describe, expect, it } from 'vitest'
import { readFieldRanges } from '../json/field-ranges.ts'
import { stateEdits } from './edits.ts'
import type { StateFilter } from './filter.ts'

const mark = 'Mark1234'
const isOurs = (text: string) => text.includes(mark)
const ours: StateFilter = {
  isForeign: isOurs,
  restore: text => text.replace(mark, ''),
  keepsTexts: false,
  model: 'm',
}
const all: StateFilter = { isForeign: () => true, keepsTexts: true, model: 'm' }

const filtered = (dialect: string, body: object, filter = ours) => {
  const bytes = Buffer.from(JSON.stringify(body))
  const ranges = readFieldRanges(bytes, 0, bytes.length, [])
  if (!ranges.ok) throw new TypeError('not readable')
  const { edits, dropped } = stateEdits(
    dialect,
    { body: bytes, fieldRanges: ranges.fieldRanges },
    {},
    filter,
  )
  return { edits, dropped: [...dropped] }
}

const blocks = (...content: object[]) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
  ],
})
const text = { type: 'text', text: 'Yes.' }
const items = (...input: object[]) => ({ input: [{ role: 'user', content: 'Hi' }, ...input] })
const parts = (...model: object[]) => ({
  contents: [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: model },
  ],
})
const message = (fields: object) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes.', ...fields },
  ],
})
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const google = (thought_signature: string) => ({ extra_content: { google: { thought_signature } } })
const placeholder = 'skip_thought_signature_validator'
const functionCall = { name: 'look', args: {} }

/** Dialect, thing, what a caller sends back, and what its vendor gets. */
const table: [string, string, object, object][] = [
  [
    'anthropic',
    'a thought',
    blocks({ type: 'thinking', thinking: 'T', signature: `gemini:${mark}ab` }, text),
    blocks(text),
  ],
  [
    'anthropic',
    'a thought of no vendor',
    blocks({ type: 'thinking', thinking: 'T', signature: `openai-chat:${mark}` }, text),
    blocks(text),
  ],
  [
    'anthropic',
    'a hidden thought',
    blocks({ type: 'redacted_thinking', data: `gemini::${mark}ab` }, text),
    blocks(text),
  ],
  [
    'anthropic',
    'a source',
    blocks({ ...text, citations: [{ url: 'https://a.example', encrypted_index: mark }] }),
    blocks(text),
  ],
  [
    'anthropic',
    'a turn of thoughts only',
    blocks({ type: 'thinking', thinking: 'T', signature: mark }),
    { messages: [{ role: 'user', content: 'Hi' }] },
  ],
  [
    'openai-responses',
    'reasoning without proof',
    items({ type: 'reasoning', id: `rs_resp_${mark}1_0`, summary: [] }, { role: 'user' }),
    items({ role: 'user' }),
  ],
  [
    'openai-responses',
    'reasoning with a proof',
    items({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: `anthropic:${mark}a` }),
    items(),
  ],
  [
    'openai-responses',
    'a message',
    items({ type: 'message', id: `msg_resp_${mark}1_0`, role: 'assistant', content: [] }),
    items({ type: 'message', role: 'assistant', content: [] }),
  ],
  [
    'openai-responses',
    'a call',
    items({ type: 'function_call', id: `fc_resp_${mark}1_1`, call_id: 'c', name: 'n' }),
    items({ type: 'function_call', call_id: 'c', name: 'n' }),
  ],
  [
    'openai-responses',
    'a call of a custom tool',
    items({ type: 'custom_tool_call', id: `ctc_resp_${mark}1_1`, call_id: 'c', name: 'n' }),
    items({ type: 'custom_tool_call', call_id: 'c', name: 'n' }),
  ],
  [
    'openai-responses',
    'an image',
    items({ type: 'image_generation_call', id: `ig_resp_${mark}1_1`, result: 'aa' }),
    items(),
  ],
  [
    'gemini',
    'a call',
    parts({ functionCall, thoughtSignature: `${mark}` }),
    parts({ functionCall, thoughtSignature: placeholder }),
  ],
  [
    'gemini',
    'a thought',
    parts({ text: 'T', thought: true, thoughtSignature: mark }, { text: 'Yes.' }),
    parts({ text: 'Yes.' }),
  ],
  ['gemini', 'a text', parts({ text: 'Yes.', thoughtSignature: mark }), parts({ text: 'Yes.' })],
  [
    'openai-chat',
    'a proof of a thought',
    message({ reasoning_content: 'T', reasoning_details: [{ signature: `${mark}ab` }] }),
    message({ reasoning_content: 'T' }),
  ],
  [
    'openai-chat',
    'a hidden thought',
    message({ reasoning_details: [{ data: `${mark}ab` }, { data: 'own' }] }),
    message({ reasoning_details: [{ data: 'own' }] }),
  ],
  [
    'openai-chat',
    'a signature of Gemini on a call',
    message({ tool_calls: [{ ...call, ...google(`${mark}ab`) }] }),
    message({ tool_calls: [call] }),
  ],
  ['openai-chat', 'a signature of Gemini on a text', message(google(`${mark}ab`)), message({})],
  [
    'converse',
    'a thought',
    blocks({ reasoningContent: { reasoningText: { text: 'T', signature: mark } } }, { text: 'Y' }),
    blocks({ text: 'Y' }),
  ],
]

describe('what the gateway invented is left out for a vendor of the dialect', () => {
  it.each(table)('%s: %s', (dialect, _, body, expected) => {
    expect(filtered(dialect, body).edits).toEqual(expected)
  })
})

describe('what has no mark is the vendor’s own, and passes', () => {
  it.each(table)('%s: %s', (dialect, _, body) => {
    const own = JSON.parse(JSON.stringify(body).replaceAll(mark, 'Other567'))
    expect(filtered(dialect, own)).toEqual({ edits: {}, dropped: [] })
  })
})

const summaryOf = (installation: string) => ({
  ...{ type: 'compaction', id: `cmp_resp_${installation}1_0` },
  encrypted_content: `summary.${installation}.${Buffer.from('The word is slate.').toString('base64url')}`,
})

describe('a compaction', () => {
  const foreign = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABpM0Yj' }
  const words = 'Summary of the conversation until now, which it replaces:\n\nThe word is slate.'
  const content = [{ type: 'input_text', text: words }]
  const asMessage = items({ type: 'message', role: 'user', content })

  it.each([mark, 'Other567'])(
    'is a message where a gateway with the mark %s made it',
    installation => {
      expect(filtered('openai-responses', items(summaryOf(installation)))).toEqual({
        edits: asMessage,
        dropped: ['compaction'],
      })
    },
  )

  it('stays where a vendor made it, unless its account refused it', () => {
    expect(filtered('openai-responses', items(foreign)).edits).toEqual({})
    const refused = items(foreign, summaryOf(mark))
    expect(filtered('openai-responses', refused, all).edits).toEqual(asMessage)
  })
})

it('a model of Gemini behind the dialect of chat gets its own signature back', () => {
  const body = message({ tool_calls: [{ ...call, ...google(`${mark}ab`) }] })
  expect(filtered('openai-chat', body, { ...ours, model: 'gemini-3-pro' }).edits).toEqual(
    message({ tool_calls: [{ ...call, ...google('ab') }] }),
  )
})

describe('all state is left out for an account that refused some of it, and texts stay', () => {
  const thought = { type: 'thinking', thinking: 'T', signature: 'x' }
  const output = { type: 'output_text', text: 'T\n\nU' }
  it.each([
    ['anthropic', blocks(thought, text), blocks({ type: 'text', text: 'T' }, text)],
    [
      'openai-responses',
      items({
        ...{ type: 'reasoning', id: 'rs_1', encrypted_content: 'x' },
        summary: [{ text: 'T' }, { text: 'U' }],
      }),
      items({ type: 'message', role: 'assistant', content: [output] }),
    ],
    [
      'openai-responses',
      items({ type: 'item_reference', id: 'msg_1' }, { type: 'function_call', id: 'fc_1' }),
      items({ type: 'item_reference', id: 'msg_1' }, { type: 'function_call' }),
    ],
    ['gemini', parts({ functionCall }), parts({ functionCall, thoughtSignature: placeholder })],
    [
      'converse',
      blocks({ reasoningContent: { reasoningText: { text: 'T', signature: 'x' } } }),
      blocks({ text: 'T' }),
    ],
  ])('%s: %j', (dialect, body, expected) => {
    expect(filtered(dialect, body, all).edits).toEqual(expected)
  })
})

// "When `thinking` is enabled, a final `assistant` message must start with a thinking block"
it('Anthropic’s thinking is off while a turn goes on whose thought is not its own', () => {
  const thought = { type: 'thinking', thinking: 'T', signature: mark }
  const use = { type: 'tool_use', id: 't', name: 'n', input: {} }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] }
  const body = (type: string) => {
    const { messages } = blocks(thought, use)
    return { messages: [...messages, result], thinking: { type, budget_tokens: 1_024 } }
  }
  const messages = [...blocks(use).messages, result]
  expect(filtered('anthropic', body('enabled')).edits).toEqual({ messages, thinking: undefined })
  expect(filtered('anthropic', body('adaptive')).edits).toEqual({ messages })
})
