import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()
const bodies: Json[] = []

beforeAll(async () => {
  await hub.addChannel(14, 'claude-cached', { plugin: { caching: { automatic: true } } })
  await hub.addChannel(14, 'claude-plain')
  await hub.addChannel(62, 'bedrock-cached', {
    ...{ key: 'us-east-1|key', plugin: { caching: { automatic: true } } },
    model_mapping: JSON.stringify({ 'bedrock-cached': '+claude-sonnet-4-5' }),
  })
  for (const model of ['claude-cached', 'claude-plain', 'anthropic.claude-sonnet-4-5'])
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

const mark = { type: 'ephemeral' }
const marksIn = (body: Json): number => JSON.stringify(body).split('"cache_control"').length - 1

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
const session = (model: string, asks: readonly string[]) => ({
  model,
  tools,
  messages: [
    { role: 'system', content: 'Be brief.' },
    ...asks.flatMap((content, at) => [
      ...(at > 0 ? [{ role: 'assistant', content: 'Yes.' }] : []),
      { role: 'user', content },
    ]),
  ],
})

// https://platform.claude.com/docs/en/build-with-claude/prompt-caching
it('marks the prompt from the second call of a session on, only where the option is on', async () => {
  const path = '/v1/chat/completions'
  expect(marksIn(await sentFor(path, session('claude-cached', ['One'])))).toBe(0)
  const second = await sentFor(path, session('claude-cached', ['One', 'Two', 'Three']))
  expect(marksIn(second)).toBe(4)
  expect(second.tools.at(-1).cache_control).toEqual(mark)
  expect(second.system.at(-1).cache_control).toEqual(mark)
  const asks = second.messages.filter((each: Json) => each.role === 'user')
  expect(asks.map((each: Json) => each.content.at?.(-1).cache_control)).toEqual([
    undefined,
    mark,
    mark,
  ])
  expect(marksIn(await sentFor(path, session('claude-cached', ['Another'])))).toBe(0)
  for (const asks of [['One'], ['One', 'Two']])
    expect(marksIn(await sentFor(path, session('claude-plain', asks)))).toBe(0)
})

it('a session of Responses or Gemini callers is marked too', async () => {
  const responses = { model: 'claude-cached', store: false, input: 'Hello' }
  expect(marksIn(await sentFor('/v1/responses', responses))).toBe(0)
  expect(marksIn(await sentFor('/v1/responses', responses))).toBe(1)
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
  const path = '/v1beta/models/claude-cached:generateContent'
  expect(marksIn(await sentFor(path, gemini))).toBe(0)
  expect(marksIn(await sentFor(path, gemini))).toBe(1)
})

it('Claude at Bedrock is marked too', async () => {
  const responses = { model: 'bedrock-cached', store: false, input: 'Hello' }
  expect(marksIn(await sentFor('/v1/responses', responses))).toBe(0)
  expect(marksIn(await sentFor('/v1/responses', responses))).toBe(1)
})

it('the marks of a caller stay as they are', async () => {
  const marked = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]
  for (const _ of [1, 2]) {
    const sent = await sentFor('/v1/chat/completions', chat('claude-cached', marked))
    expect(marksIn(sent)).toBe(1)
  }
  const own = { ...chat('claude-cached'), max_tokens: 9 }
  expect(await sentFor('/v1/messages', own)).toEqual(own)
})
