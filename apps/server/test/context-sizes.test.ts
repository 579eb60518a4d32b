import { beforeAll, expect, it } from 'vitest'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

beforeAll(async () => {
  const add = (name: string, models: string, fields: object) =>
    hub.addChannel(1, models, { name, base_url: `${hub.upstream.url}/${name}`, ...fields })
  await add('small', 'sized', { priority: 9, context_sizes: '{"sized":"1000"}' })
  await add('large', 'sized', { context_sizes: '{"s*":"9000"}' })
  // Without sizes of their own: the documents of the vendor count.
  await add('old', 'known', { priority: 9, model_mapping: '{"known":"+gpt-4"}' })
  await add('new', 'known', { model_mapping: '{"known":"+gpt-6.2-sol"}' })
  await add('lone', 'lone', { model_mapping: '{"lone":"+gpt-4"}' })
  await add('told', 'told', {
    priority: 9,
    ...{ model_mapping: '{"told":"+gpt-4"}', context_sizes: '{"told":"90000"}' },
  })
  await add('tight', 'tight', { context_sizes: '{"*":"1000"}' })
})

/** A request whose text is about three times as many bytes as the tokens. */
const textOf = (tokens: number) => 'x'.repeat(tokens * 3)
const chat = (model: string, tokens: number) =>
  hub.post('/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: textOf(tokens) }],
  })

const askedFor = async (model: string, tokens: number) => {
  hub.upstream.forget()
  const response = await chat(model, tokens)
  await response.arrayBuffer()
  return { status: response.status, channels: hub.upstream.served.map(each => each.channel) }
}

const routeOf = async (model: string): Promise<Json> => {
  await errorLog(hub.app.app).flush()
  const rows = await hub.app.root.get(`/api/log/?model_name=${model}&order=-id&size=1`)
  return (await hub.app.root.get(`/api/log/${rows.body.data.data[0].id}/route`)).body.data
}

it('a prompt that is longer than the context of a channel goes to another, and the route says why', async () => {
  expect(await askedFor('sized', 500)).toEqual({ status: 200, channels: ['small'] })
  expect(await askedFor('sized', 5_000)).toEqual({ status: 200, channels: ['large'] })
  const route = await routeOf('sized')
  expect(route.passed_over).toMatchObject([{ channel: 'small', reason: 'context_too_small' }])
})

it('a prompt of twice the documented context goes to another channel, if there is one', async () => {
  expect(await askedFor('known', 16_000)).toEqual({ status: 200, channels: ['old'] })
  expect(await askedFor('known', 17_000)).toEqual({ status: 200, channels: ['new'] })
  const route = await routeOf('known')
  expect(route.passed_over).toMatchObject([{ channel: 'old', reason: 'context_too_small' }])
  // The channel may serve another model under that name, so that the documents never refuse a call.
  expect(await askedFor('lone', 90_000)).toEqual({ status: 200, channels: ['lone'] })
  expect(await askedFor('told', 80_000)).toEqual({ status: 200, channels: ['told'] })
})

it('the estimate is cautious, so that a channel which it exceeds a little is asked where no other is left', async () => {
  expect(await askedFor('tight', 1_500)).toEqual({ status: 200, channels: ['tight'] })
  expect(await askedFor('tight', 2_500)).toEqual({ status: 400, channels: [] })
})

it('a prompt that is too long for every channel gets the error of its dialect, and reaches no vendor', async () => {
  hub.upstream.forget()
  const input = textOf(90_000)
  const openai = await chat('sized', 90_000)
  expect(openai.status).toBe(400)
  expect(await openai.json()).toMatchObject({
    error: {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: expect.stringMatching(/prompt is too long.*at most 9000/s),
    },
  })
  const responses = await hub.post('/v1/responses', { model: 'sized', input })
  expect(await responses.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
  const messages = [{ role: 'user', content: input }]
  const claude = await hub.post('/v1/messages', { model: 'sized', max_tokens: 9, messages })
  expect(claude.status).toBe(400)
  expect(await claude.json()).toMatchObject({
    type: 'error',
    // Claude Code looks for these words, and compacts the conversation.
    error: { type: 'invalid_request_error', message: expect.stringMatching(/prompt is too long/i) },
  })
  const contents = [{ role: 'user', parts: [{ text: input }] }]
  const gemini = await hub.post('/v1beta/models/sized:generateContent', { contents })
  expect(gemini.status).toBe(400)
  expect(await gemini.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
  expect(hub.upstream.served).toEqual([])
  const route = await routeOf('sized')
  expect(route).toMatchObject({ served: null, stop: 'no_candidate', attempts: [] })
  expect(route.passed_over.map((each: Json) => each.reason)).toEqual([
    'context_too_small',
    'context_too_small',
  ])
})

it.each(['{"m":128000}', '{"m":"many"}', '{"m":"0"}', '[]', 'x'])(
  'context sizes that are no map of models to tokens are refused: %s',
  async context_sizes => {
    const response = await hub.app.root.post('/api/channel/', {
      ...{ type: 1, name: 'wrong', models: 'm', key: 'k', context_sizes },
    })
    expect([response.status, response.body.code]).toEqual([400, 'request.invalid'])
  },
)
