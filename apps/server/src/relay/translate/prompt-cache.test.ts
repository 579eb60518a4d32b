import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()
const bodies: Json[] = []

beforeAll(async () => {
  await hub.addChannel(14, 'claude-cached', { plugin: { caching: { automatic: true } } })
  await hub.addChannel(14, 'claude-plain')
  for (const model of ['claude-cached', 'claude-plain'])
    hub.upstream.play(model, turn => {
      bodies.push(receivedBody(turn))
      answerJson(turn, {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
        content: [{ type: 'text', text: 'Done.' }],
        usage: { input_tokens: 5, output_tokens: 2 },
      })
    })
})

const sentFor = async (path: string, body: object): Promise<Json> => {
  bodies.length = 0
  const response = await hub.post(path, body)
  expect(response.status, await response.text()).toBe(200)
  return bodies[0]
}
const chat = (model: string, content: unknown = 'Hi') => ({
  model,
  messages: [{ role: 'user', content }],
})

// https://platform.claude.com/docs/en/build-with-claude/prompt-caching
it('a channel caches the prompts of callers who cannot mark them, only if its option is on', async () => {
  const mark = { type: 'ephemeral' }
  const chatPath = '/v1/chat/completions'
  expect((await sentFor(chatPath, chat('claude-cached'))).cache_control).toEqual(mark)
  const responses = { model: 'claude-cached', store: false, input: 'Hi' }
  expect((await sentFor('/v1/responses', responses)).cache_control).toEqual(mark)
  expect((await sentFor(chatPath, chat('claude-plain'))).cache_control).toBeUndefined()
})

it('the marks of a caller stay as they are', async () => {
  const marked = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]
  const sent = await sentFor('/v1/chat/completions', chat('claude-cached', marked))
  expect(sent.cache_control).toBeUndefined()
  const own = { ...chat('claude-cached'), max_tokens: 9 }
  expect(await sentFor('/v1/messages', own)).toEqual(own)
})
