import { beforeAll, expect, it } from 'vitest'
import type { Play } from '../../../../../test/upstream/start.ts'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

const blocksIn = (message: Json, type: string): Json[] =>
  Array.isArray(message?.content) ? message.content.filter((each: Json) => each.type === type) : []

/**
 * "`tool_use` ids were found without `tool_result` blocks immediately after" and "unexpected `tool_use_id` found in
 * `tool_result` blocks": https://github.com/anthropics/claude-code/issues/8612 and 18947
 */
const anthropic: Play = turn => {
  const { messages } = receivedBody(turn)
  const isWrong = messages.some((message: Json, at: number) => {
    const called = blocksIn(message, 'tool_use').map(each => each.id)
    const answered = blocksIn(messages[at + 1], 'tool_result').map(each => each.tool_use_id)
    return called.join() !== answered.join() || (at === 0 && blocksIn(message, 'tool_result')[0])
  })
  const error = { type: 'invalid_request_error', message: 'unexpected `tool_use_id`' }
  if (isWrong) return answerJson(turn, { type: 'error', error }, 400)
  answerJson(turn, {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: 'Done.' }],
    usage: { input_tokens: 5, output_tokens: 2 },
  })
}

beforeAll(async () => {
  await hub.addChannel(14, 'claude-paired')
  hub.upstream.play('claude-paired', anthropic)
})

const model = 'claude-paired'
const user = (content: string) => ({ role: 'user', content })
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
}
const chat = (...messages: object[]) => ['/v1/chat/completions', { model, messages }] as const
const responses = (...input: object[]) => ['/v1/responses', { model, store: false, input }] as const

it.each([
  [
    'a call without a result, of a chat caller',
    chat(user('Hi'), chatCall, user('Go on')),
    'anthropic: tool call without a result',
  ],
  [
    'a result without its call, of a chat caller',
    chat(user('Hi'), { role: 'tool', tool_call_id: 'call_9', content: 'Seen.' }, user('Go on')),
    'anthropic: tool result without a call',
  ],
  [
    'a call without a result, of a Responses caller',
    responses(
      user('Hi'),
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      user('Go on'),
    ),
    'anthropic: tool call without a result',
  ],
  [
    'a result without its call, of a Responses caller',
    responses({ type: 'function_call_output', call_id: 'call_9', output: 'Seen.' }, user('Go on')),
    'anthropic: tool result without a call',
  ],
] as const)(
  '%s is repaired for the vendor, and noted in the log',
  async (_name, [path, body], note) => {
    hub.upstream.forget()
    const response = await hub.post(path, body)
    expect(response.status, await response.text()).toBe(200)
    const sent = String(hub.upstream.served[0]!.body)
    expect(sent).toContain('Go on')
    if (note.includes('result without')) expect(sent).toContain('Seen.')
    const id = response.headers.get('x-request-id')
    await expect
      .poll(async () => {
        const { body } = await hub.app.root.get('/api/log/?log_type=2')
        return body.data.data.find((each: Json) => String(each.id) === id)?.metadata.notes
      })
      .toEqual([note])
  },
)
