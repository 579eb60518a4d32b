import { beforeAll, describe, expect, it } from 'vitest'
import { answerJson, answerStream, framesOf, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
const head = { id: 'chatcmpl-1', model: 'm' }
const whole = {
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ],
  usage,
}
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
})

beforeAll(async () => {
  await hub.addChannel(8, 'whole,streaming,broken,refusing')
  hub.upstream.play('whole', turn => answerJson(turn, whole))
  hub.upstream.play('streaming', turn =>
    answerStream(turn, [
      chunk({ role: 'assistant', content: 'Hello ' }),
      chunk({ content: 'there' }),
      chunk({}, 'stop'),
      { ...head, object: 'chat.completion.chunk', choices: [], usage },
    ]),
  )
  hub.upstream.play('broken', turn => answerStream(turn, [chunk({ content: 'Hello ' })]))
  hub.upstream.play('refusing', turn =>
    answerStream(turn, [{ error: { message: 'Too much', code: 'rate_limit_exceeded' } }]),
  )
})

const balance = async () =>
  (await hub.app.app.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()).balance

const ask = async (path: string, body: object) => {
  const before = await balance()
  const response = await hub.post(path, body)
  const text = await response.text()
  const type = response.headers.get('content-type')
  return { status: response.status, type, text, charged: before - (await balance()) }
}

const chat = (model: string, stream: boolean) => ({
  model,
  stream,
  stream_options: { include_usage: true },
  messages: [{ role: 'user', content: 'Hi' }],
})
const messages = (model: string, stream: boolean) => ({
  ...{ model, stream, max_tokens: 50 },
  messages: [{ role: 'user', content: 'Hi' }],
})

describe('one JSON object in answer to a call for a stream', () => {
  it('becomes a stream, and is charged as reported', async () => {
    const { type, text, charged } = await ask('/v1/chat/completions', chat('whole', true))
    expect(type).toMatch(/^text\/event-stream/)
    const frames = framesOf(text)
    expect(frames.map(each => each.choices[0]?.delta.content ?? '').join('')).toBe('Hello there')
    expect(frames.at(-1).usage).toMatchObject(usage)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(charged).toBe(7)
  })

  it('becomes one in another dialect', async () => {
    const { text, charged } = await ask('/v1/messages', messages('whole', true))
    const frames = framesOf(text)
    expect(frames.flatMap(each => each.delta?.text ?? []).join('')).toBe('Hello there')
    expect(frames.at(-1).type).toBe('message_stop')
    expect(charged).toBe(7)
  })
})

describe('a stream in answer to a call for one JSON object', () => {
  it('becomes one, and is charged as reported', async () => {
    const { type, text, charged } = await ask('/v1/chat/completions', chat('streaming', false))
    expect(type).toMatch(/^application\/json/)
    expect(JSON.parse(text)).toMatchObject(whole)
    expect(charged).toBe(7)
  })

  it('becomes one in another dialect', async () => {
    const { text, charged } = await ask('/v1/messages', messages('streaming', false))
    expect(JSON.parse(text).content).toEqual([{ type: 'text', text: 'Hello there' }])
    expect(charged).toBe(7)
  })

  it('is no answer where it breaks off, and costs nothing', async () => {
    const { status, charged } = await ask('/v1/chat/completions', chat('broken', false))
    expect([status, charged]).toEqual([502, 0])
  })

  it('is the error that it contains', async () => {
    const { status, text } = await ask('/v1/chat/completions', chat('refusing', false))
    expect([status, JSON.parse(text).error.code]).toEqual([429, 'rate_limit_exceeded'])
  })
})
