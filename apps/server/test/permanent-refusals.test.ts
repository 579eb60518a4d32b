import { beforeAll, beforeEach, expect, it } from 'vitest'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { lastCharge } from './relay-calls.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

// Requests that no channel of the model can serve, whenever they are repeated.

const hub = useRelayHub()

beforeAll(async () => {
  await hub.addChannel(67, 'talk', { only_chat: true })
  await hub.addChannel(67, 'whole', { disabled_stream: ['whole'] })
  await hub.addChannel(67, 'mixed', { only_chat: true, name: 'mixed-1' })
  await hub.addChannel(67, 'mixed', { disabled_stream: ['mixed'], name: 'mixed-2' })
})
beforeEach(() => hub.upstream.forget())

const message = { role: 'user', content: 'Hi.' }
const schema = { type: 'object', properties: {} }
const tool = { type: 'function', function: { name: 'f', parameters: schema } }
const contents = [{ role: 'user', parts: [{ text: 'Hi.' }] }]
const functionDeclarations = [{ name: 'f', parameters: schema }]

/** A request in each dialect, with tools or as a stream. */
const requests = {
  chat: (model: string, more: 'tools' | 'stream') => [
    '/v1/chat/completions',
    { model, messages: [message], ...(more === 'tools' ? { tools: [tool] } : { stream: true }) },
  ],
  responses: (model: string, more: 'tools' | 'stream') => [
    '/v1/responses',
    {
      ...{ model, input: 'Hi.', store: false },
      ...(more === 'tools'
        ? { tools: [{ type: 'function', name: 'f', parameters: schema }] }
        : { stream: true }),
    },
  ],
  messages: (model: string, more: 'tools' | 'stream') => [
    '/v1/messages',
    {
      ...{ model, max_tokens: 9, messages: [message] },
      ...(more === 'tools' ? { tools: [{ name: 'f', input_schema: schema }] } : { stream: true }),
    },
  ],
  gemini: (model: string, more: 'tools' | 'stream') =>
    more === 'tools'
      ? [`/v1beta/models/${model}:generateContent`, { contents, tools: [{ functionDeclarations }] }]
      : [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, { contents }],
} as const

const ask = async (name: keyof typeof requests, model: string, more: 'tools' | 'stream') => {
  const [path, body] = requests[name](model, more)
  const response = await hub.post(String(path), body)
  return { status: response.status, text: await response.text() }
}

it.each(Object.keys(requests) as (keyof typeof requests)[])(
  'tools without a channel that takes them, and streams without one that streams, are 400 in %s',
  async name => {
    const tools = await ask(name, 'talk', 'tools')
    expect([tools.status, tools.text]).toEqual([400, expect.stringContaining('no tools')])
    const stream = await ask(name, 'whole', 'stream')
    expect([stream.status, stream.text]).toEqual([400, expect.stringContaining('do not stream')])
    expect(hub.upstream.served).toEqual([])
  },
)

it('the official client of OpenAI is told which field is refused', async () => {
  const tools = JSON.parse((await ask('chat', 'talk', 'tools')).text)
  expect(tools.error).toMatchObject({
    ...{ type: 'invalid_request_error', code: 'unsupported_value', param: 'tools' },
  })
  const stream = JSON.parse((await ask('chat', 'whole', 'stream')).text)
  expect(stream.error).toMatchObject({ code: 'unsupported_value', param: 'stream' })
})

it('a request that any channel of the model can serve is served', async () => {
  for (const more of ['tools', 'stream'] as const)
    expect((await ask('chat', 'mixed', more)).status).toBe(200)
})

it('a channel that failed before is told as a failure, since a repetition may succeed', async () => {
  await hub.addChannel(67, 'broken', { only_chat: true, name: 'broken-1' })
  await hub.addChannel(67, 'broken', { name: 'broken-2' })
  hub.upstream.play('broken', turn => answerJson(turn, { error: { message: 'down' } }, 500))
  expect((await ask('chat', 'broken', 'tools')).status).toBe(502)
})

it('cached tokens above the prompt are noted with the call and counted by an alarm', async () => {
  await hub.addChannel(67, 'overcached')
  const choices = [
    { index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' },
  ]
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
  hub.upstream.play('overcached', turn =>
    answerJson(turn, {
      ...{ id: 'c', object: 'chat.completion', choices },
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 25 } },
    }),
  )
  const response = await hub.post('/v1/chat/completions', {
    model: 'overcached',
    messages: [message],
  })
  expect(response.status).toBe(200)
  expect(await lastCharge(hub)).toMatchObject({ usage: { cacheRead: 10, output: 2 } })
  await errorLog(hub.app.app).flush()
  const { body } = await hub.app.root.get('/api/log/?model_name=overcached&size=1')
  const notes = JSON.stringify((body.data.data[0] as Json).metadata)
  expect(notes).toContain('15 cached tokens above the whole prompt')
  expect(await hub.app.app.metrics.alarms.get()).toMatchObject({
    values: expect.arrayContaining([{ labels: { kind: 'usage_cached' }, value: 1 }]),
  })
})
