import { expect, it } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import type { ChatRequest, Part } from '../canon.ts'
import { emptyAnswer } from '../collect.ts'
import { openaiChat } from '../openai-chat/index.ts'
import { openaiResponses } from './index.ts'

const { decodeAnswer, encodeResponse, decodeRequest, encodeRequest } = openaiResponses

const response = {
  ...{ id: 'resp_1', object: 'response', created_at: 1_756_315_696, model: 'gpt-5.4-pro' },
  ...{ status: 'completed', completed_at: 1_756_315_699, error: null },
  billing: { payer: 'developer' },
  output: [
    {
      ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
      content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
    },
  ],
  ...{ temperature: 1, top_p: 0.98, top_logprobs: 0, truncation: 'auto', store: true },
  ...{ tools: [{ type: 'function', name: 'now', parameters: {}, strict: true }] },
  ...{ text: { format: { type: 'text' }, verbosity: 'medium' }, tool_choice: 'required' },
}

it.each([
  ['openai-chat', openaiChat],
  ['anthropic', anthropic],
])(
  'what an answer repeats of its request is no loss in %s, a field of its own is',
  (id, dialect) => {
    expect(dialect.encodeResponse(decodeAnswer(response)).warnings).toEqual([])
    const { warnings } = dialect.encodeResponse(
      decodeAnswer({ ...response, moderation: { flagged: true } }),
    )
    expect(warnings).toEqual([{ dropped: 'moderation', dialect: id }])
  },
)

it('in its own dialect an answer repeats its request as it did', () => {
  expect(encodeResponse(decodeAnswer(response)).body).toMatchObject(response)
})

it('an answer that ended as a refusal was filtered, and nothing of that is lost', () => {
  const parts: Part[] = [{ type: 'text', text: 'I cannot help with that.' }]
  const answer = { ...emptyAnswer(), choices: [{ parts, finish: { reason: 'refusal' as const } }] }
  const { body, warnings } = encodeResponse(answer)
  expect(body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  })
  expect(warnings).toEqual([])
})

const fileAt = (file_url: string): unknown => {
  const read = decodeRequest({
    model: 'm',
    input: [{ role: 'user', content: [{ type: 'input_file', file_url }] }],
  })
  return read.ok ? read.request.messages[0]?.parts[0] : read
}

it('the address of a file says what it is, where it ends so', () => {
  for (const url of ['https://files.example/a.pdf', 'https://files.example/A.PDF?page=1#x'])
    expect(fileAt(url)).toMatchObject({ mime: 'application/pdf', url })
  for (const url of ['https://files.example/pdf', 'https://files.example/a.doc?of=b.pdf'])
    expect(fileAt(url)).toMatchObject({ mime: 'application/octet-stream', url })
})

const droppedOf = (request: Partial<ChatRequest>) =>
  encodeRequest({ model: 'm', messages: [], ...request }).warnings.map(({ dropped }) => dropped)

it('what cannot be said is called by its own name', () => {
  const value = { type: 'input_audio', input_audio: { data: '', format: 'wav' } }
  const sound: Part = { type: 'opaque', dialect: 'anthropic', value }
  expect(droppedOf({ messages: [{ role: 'user', parts: [sound] }] })).toEqual(['input_audio'])
})

it('a budget that became a word is noted, and words that others spell in their own way are not', () => {
  const spelled = (dialect: 'anthropic' | 'openai-chat', fields: Record<string, unknown>) => ({
    unknownFields: { dialect, fields },
  })
  const thinking = { type: 'enabled', budget_tokens: 2_048 }
  expect(
    droppedOf({ reasoning: { budget: 2_048, ...spelled('anthropic', { thinking }) } }),
  ).toEqual(['reasoning.budget'])
  expect(
    droppedOf({ reasoning: { effort: 'high', ...spelled('anthropic', { effort: 'high' }) } }),
  ).toEqual([])
})
