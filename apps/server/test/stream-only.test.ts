import { beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, framesOf, type Json, receivedBody, useRelayHub } from './relay-hub.ts'

// A vendor that is always asked for a stream.

const hub = useRelayHub()
const bodies: Json[] = []
const message = { id: '2', role: 'assistant', type: 'answer', content_type: 'text' }
// https://docs.coze.cn/developer_guides/chat_v3
const frames = [
  ['conversation.chat.created', { id: '1', status: 'created' }],
  ['conversation.message.delta', { ...message, content: 'Wednes' }],
  ['conversation.message.delta', { ...message, content: 'day' }],
  ['conversation.message.completed', { ...message, content: 'Wednesday' }],
  [
    'conversation.chat.completed',
    { id: '1', usage: { token_count: 633, output_count: 19, input_count: 614 } },
  ],
  ['done', '[DONE]'],
]
const answerFrames = ({ response }: { response: Json }, list: typeof frames) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [event, data] of list)
    response.write(`event:${event}\ndata:${JSON.stringify(data)}\n\n`)
  response.end()
}

beforeAll(() => hub.addChannel(38, 'coze-7348,coze-7349,coze-7350'))

const play = (list: typeof frames) =>
  hub.upstream.play('', turn => {
    bodies.push(receivedBody(turn))
    answerFrames(turn, list)
  })

const ask = async (path: string, fields: object) => {
  bodies.length = 0
  const response = await hub.post(path, {
    ...{ model: 'coze-7348', messages: [{ role: 'user', content: 'Which day?' }] },
    ...fields,
  })
  return { status: response.status, text: await response.text() }
}

it('a caller of OpenAI and one of Anthropic get the whole answer, joined and charged as reported', async () => {
  play(frames)
  const chat = await ask('/v1/chat/completions', {})
  expect(JSON.parse(chat.text)).toMatchObject({
    model: 'coze-7348',
    choices: [{ message: { content: 'Wednesday' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 614, completion_tokens: 19 },
  })
  expect(await lastCharge(hub)).toMatchObject({ amount: 633, estimated: false })
  expect(bodies).toMatchObject([{ bot_id: '7348', stream: true }])
  const messages = await ask('/v1/messages', { max_tokens: 9 })
  expect(JSON.parse(messages.text)).toMatchObject({
    content: [{ type: 'text', text: 'Wednesday' }],
    usage: { input_tokens: 614, output_tokens: 19 },
  })
})

it('a caller of a stream gets its pieces', async () => {
  play(frames)
  const { text } = await ask('/v1/chat/completions', { stream: true })
  const contents = framesOf(text).map(each => each.choices[0]?.delta.content)
  expect(contents.filter(Boolean)).toEqual(['Wednes', 'day'])
  expect(await lastCharge(hub)).toMatchObject({ amount: 633, estimated: false })
})

it('a broken answer is no answer and costs nothing', async () => {
  play(frames.slice(0, 3))
  const before = await lastCharge(hub)
  const { status } = await ask('/v1/chat/completions', { model: 'coze-7350' })
  expect(status).toBe(502)
  expect(await lastCharge(hub)).toEqual(before)
})

it('a request that the vendor cannot obey is refused with what to do', async () => {
  play(frames)
  const { status, text } = await ask('/v1/chat/completions', { n: 2 })
  expect([status, bodies.length]).toEqual([400, 0])
  expect(JSON.parse(text).error.message).toContain("'n' must be 1 for this model.")
})

it.each([true, false])('an error under a good status is an error, stream %s', async stream => {
  hub.upstream.play('', turn => answerJson(turn, { code: 4100, msg: 'authentication is invalid' }))
  const { status } = await ask('/v1/chat/completions', { model: 'coze-7349', stream })
  expect(status).toBe(502)
})

it('a test of the channel reads the stream', async () => {
  play(frames)
  const { db } = hub.app.app
  const { id } = await db.selectFrom('channels').select('id').executeTakeFirstOrThrow()
  const tested = await hub.app.root.post(`/api/channel/test/${id}`)
  expect(tested.body).toMatchObject({ success: true })
})
