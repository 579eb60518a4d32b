import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  type Event,
  isEnd,
  openSocket,
  refusedUpgrade,
  type SocketClient,
} from '../../../test/harness/sockets/client.ts'
import {
  certificate,
  startTlsProxy,
  type TlsProxy,
} from '../../../test/harness/sockets/tls-proxy.ts'
import { type Turn, write } from '../../../test/upstream/turn.ts'
import { drainCalls } from '../src/close-app.ts'
import { beginStream, frame } from './relay-calls.ts'
import { answerJson, answerStream, receivedBody, useRelayHub } from './relay-hub.ts'

// The vendor's rules: https://developers.openai.com/api/docs/guides/websocket-mode

const hub = useRelayHub()
let proxy: TlsProxy
let client: SocketClient

const model = 'kept:in=7;out=3'
/** 7 and 3 tokens at one point each. */
const price = 10

beforeAll(async () => {
  proxy = await startTlsProxy(hub.url)
  await hub.addChannel(1, `${model},played,slow,flood`)
  await hub.addChannel(14, 'claude')
})
afterAll(async () => {
  client?.socket.terminate()
  await proxy?.close()
})
beforeEach(() => hub.upstream.forget())

const authorization = () => ({ authorization: `Bearer ${hub.key}` })
const open = async (headers: Record<string, string> = authorization()) => {
  client?.socket.terminate()
  client = await openSocket(`${hub.url}/v1/responses`, headers)
  return client
}
const create = (fields: object) => client.send({ type: 'response.create', store: false, ...fields })
const end = (): Promise<Event> => client.next(isEnd)
const answer = (fields: object): Promise<Event> => {
  create(fields)
  return end()
}
const textOf = (event: Event): string => event.response.output[0].content[0].text

const charges = async (): Promise<number[]> => {
  const { db } = hub.app.app
  const openHolds = () => db.selectFrom('holds').select('id').execute()
  await expect.poll(openHolds, { interval: 5 }).toEqual([])
  const rows = await db
    .selectFrom('transfers')
    .select('amount')
    .where('kind', '=', 'request')
    .orderBy('id')
    .execute()
  return rows.map(each => each.amount)
}
const charged = async (work: () => Promise<unknown>): Promise<number[]> => {
  const before = await charges()
  await work()
  return (await charges()).slice(before.length)
}

it('the official client continues ten responses that nobody stores, and each is charged once', async () => {
  const openai = new OpenAI({ apiKey: hub.key, baseURL: `https://localhost:${proxy.port}/v1` })
  const socket = new ResponsesWS(openai, { ca: certificate })
  const events = socket.stream()
  const amounts = await charged(async () => {
    let previous: string | undefined
    for (let turn = 0; turn < 10; turn++) {
      const input = [{ role: 'user' as const, content: `Question ${turn}.` }]
      const more = previous === undefined ? {} : { previous_response_id: previous }
      socket.send({ type: 'response.create', model, store: false, input, ...more })
      previous = await completed(events)
    }
  })
  socket.close()
  expect(amounts).toEqual(Array.from({ length: 10 }, () => price))
  expect(hub.upstream.served).toHaveLength(10)
  const { input, previous_response_id, stream, type } = JSON.parse(
    String(hub.upstream.served.at(-1)?.body),
  )
  expect([previous_response_id, stream, type]).toEqual([undefined, true, undefined])
  const roles = input.map((each: Event) => each.role)
  expect(roles).toEqual([...Array.from({ length: 9 }, () => ['user', 'assistant']).flat(), 'user'])
})

/** The id of the response that the official client reports as completed. */
const completed = async (events: ReturnType<ResponsesWS['stream']>): Promise<string> => {
  for (;;) {
    const { value, done } = await events.next()
    if (done || value.type === 'error' || value.type === 'close') throw value?.error ?? value
    if (value.type === 'message' && value.message.type === 'response.completed')
      return value.message.response.id
  }
}

it('the channel is asked like by a posted request', async () => {
  const beta = { 'openai-beta': 'responses_websockets=2026-02-06', 'user-agent': 'codex' }
  await open({ ...authorization(), ...beta })
  await answer({ model, input: 'Hi' })
  const [served] = hub.upstream.served
  expect(served?.headers['user-agent']).toBe('codex')
  const forwarded = Object.keys(served?.headers ?? {})
  expect(forwarded.filter(each => /^(openai-beta|upgrade|sec-)/.test(each))).toEqual([])
})

it('the events, the log row and the charge are those of a posted stream', async () => {
  const posted = await hub.post('/v1/responses', { model, input: 'Hi', stream: true })
  const types = [...(await posted.text()).matchAll(/^event: (.*)$/gm)].map(each => each[1])
  await open()
  await answer({ model, input: 'Hi' })
  expect(client.events.map(each => each.type)).toEqual(types)
  await charges()
  const rows = await hub.app.app.db
    .selectFrom('logs')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  const [overSocket, overHttp] = rows.map(({ id, created_at, request_time, ...row }: Event) => row)
  expect(overSocket).toMatchObject({ quota: overHttp.quota, is_stream: overHttp.is_stream })
})

it('a channel of another dialect serves a continued response', async () => {
  hub.upstream.play('claude', turn => {
    beginStream(turn)
    const message = { id: 'm', type: 'message', role: 'assistant', content: [], model: 'claude' }
    const usage = { input_tokens: 4, output_tokens: 1 }
    turn.response.end(
      [
        { type: 'message_start', message: { ...message, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ]
        .map(frame)
        .join(''),
    )
  })
  await open()
  const amounts = await charged(async () => {
    const first = await answer({ model: 'claude', input: 'One' })
    expect(textOf(first)).toBe('Hello')
    const more = { model: 'claude', input: 'Two', previous_response_id: first.response.id }
    expect((await answer(more)).type).toBe('response.completed')
  })
  expect(amounts).toEqual([6, 6])
  const { messages } = JSON.parse(String(hub.upstream.served.at(-1)?.body))
  expect(messages.map((each: Event) => each.role)).toEqual(['user', 'assistant', 'user'])
})

it('a response that the vendor stores is continued at the vendor', async () => {
  await open()
  const first = await answer({ model, input: 'One', store: true })
  const second = await answer({ model, input: 'Two', previous_response_id: first.response.id })
  expect(textOf(second)).toContain(`after ${first.response.id.slice(-6)}`)
})

it('generate: false is answered by the gateway, free of charge, and can be continued', async () => {
  await open()
  const amounts = await charged(async () => {
    const empty = await answer({ model, input: [{ role: 'user', content: 'A' }], generate: false })
    expect(empty.response).toMatchObject({ status: 'completed', output: [], model })
    expect(hub.upstream.served).toEqual([])
    const more = [{ role: 'user', content: 'B' }]
    await answer({ model, input: more, previous_response_id: empty.response.id })
  })
  expect(amounts).toEqual([price])
  const { input } = JSON.parse(String(hub.upstream.served[0]?.body))
  expect(input.map((each: Event) => each.content)).toEqual(['A', 'B'])
})

it('streams of one connection run at once, each in order, and name themselves', async () => {
  const turns: Turn[] = []
  hub.upstream.play('slow', turn => {
    turns.push(turn)
  })
  const finish = (turn: Turn | undefined, id: string) =>
    answerStream(turn!, [
      { type: 'response.created', response: { id, object: 'response', output: [] } },
      { type: 'response.completed', response: { id, object: 'response', output: [], usage } },
    ])
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  await open()
  for (const [stream_id, input] of [
    ['a', '1'],
    ['a', '2'],
    ['b', '3'],
    [undefined, '4'],
  ])
    create({ model: 'slow', input, stream_id })
  await expect.poll(() => turns.length, { interval: 5 }).toBe(3)
  const inputs = () => turns.map(each => receivedBody(each).input)
  expect(inputs().toSorted()).toEqual(['1', '3', '4'])
  for (const each of [...turns]) finish(each, `resp_${receivedBody(each).input}`)
  await expect.poll(() => turns.length, { interval: 5 }).toBe(4)
  expect(inputs().at(-1)).toBe('2')
  finish(turns[3], 'resp_2')
  const last = await client.next(each => each.response?.id === 'resp_2' && isEnd(each))
  expect(last.stream_id).toBe('a')
  const streamOf = (id: string) => client.events.find(each => each.response?.id === id).stream_id
  expect(['resp_1', 'resp_3', 'resp_4'].map(streamOf)).toEqual(['a', 'b', undefined])
})

it.each([
  ['no JSON', 'x', 400, 'request_unreadable'],
  ['an unknown event', { type: 'session.update' }, 400, 'request_invalid'],
  ['background', { background: true, model, input: '' }, 400, 'request_invalid'],
  ['stream: false', { stream: false, model, input: '' }, 400, 'request_invalid'],
  ['an unknown model', { model: 'unknown', input: '' }, 404, 'model_not_found'],
  ['a bad stream id', { stream_id: '', model, input: '' }, 400, 'invalid_stream_id'],
  [
    'an unknown response',
    { previous_response_id: 'resp_x', model, input: '' },
    400,
    'previous_response_not_found',
  ],
])(
  '%s is refused with an error event, and the connection stays',
  async (_name, event, status, code) => {
    await open()
    if (typeof event === 'string') client.socket.send(event)
    else create(event)
    expect(await end()).toMatchObject({ type: 'error', status, error: { code } })
    expect((await answer({ model, input: 'Hi' })).type).toBe('response.completed')
  },
)

it('binary messages, steering and too many streams are refused; reports of use are ignored', async () => {
  await open()
  client.socket.send(Buffer.from('x'), { binary: true })
  expect((await end()).error.code).toBe('request_invalid')
  client.send({ type: 'response.steer', previous_response_id: 'resp_1', input: 'Stop' })
  const refused = await client.next(each => each.type === 'response.steer.failed')
  expect(refused.steer).toEqual({ previous_response_id: 'resp_1', input: 'Stop' })
  client.send({ type: 'response.processed', response_id: 'resp_1' })
  for (let n = 0; n < 33; n++) create({ model: 'unknown', input: '', stream_id: `s${n}` })
  const limit = await client.next(each => each.error?.code === 'websocket_stream_limit_reached')
  expect(limit.stream_id).toBe('s32')
})

it('a refusal of the vendor is an error event, and a broken stream a failed response', async () => {
  await open()
  hub.upstream.play('played', turn => answerJson(turn, { error: { message: 'Bad tool' } }, 400))
  expect(await answer({ model: 'played', input: '' })).toMatchObject({ type: 'error', status: 400 })
  hub.upstream.play('played', turn =>
    answerStream(turn, [
      { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
      { type: 'response.output_text.delta', delta: 'Hello', item_id: 'm', output_index: 0 },
    ]),
  )
  const failed = await answer({ model: 'played', input: '' })
  expect(failed.type).toBe('response.failed')
  expect(client.events.filter(isEnd)).toHaveLength(2)
})

it('a request that the vendor refuses by an error event alone ends with a failed response', async () => {
  await open()
  const error = { code: 'invalid_prompt', message: 'Flagged.' }
  hub.upstream.play('played', turn =>
    answerStream(turn, [
      { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
      { type: 'error', error },
    ]),
  )
  const failed = await answer({ model: 'played', input: '' })
  expect(failed).toMatchObject({ type: 'response.failed', response: { id: 'resp_1', error } })
  expect(client.events.filter(isEnd)).toHaveLength(1)
})

it('a balance for three responses serves three', async () => {
  const { root } = hub.app
  await root.post('/api/prices/single', { model: 'fixed', type: 'times', input: 1, output: 1 })
  const channel = { type: 1, name: 'fixed', models: 'fixed', key: 'vendor-key', group: 'default' }
  await root.post('/api/channel/', { ...channel, base_url: `${hub.upstream.url}/a` })
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  hub.upstream.play('fixed', turn =>
    answerStream(turn, [
      { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
      { type: 'response.completed', response: { id: 'resp_1', object: 'response', usage } },
    ]),
  )
  const person = await hub.app.person(1, { quota: 3_000 })
  const { key } = (await person.post('/api/token/', { name: 't', unlimited_quota: true })).body.data
  await open({ authorization: `Bearer ${key}` })
  const types: string[] = []
  const amounts = await charged(async () => {
    for (let n = 0; n < 4; n++) types.push((await answer({ model: 'fixed', input: '' })).type)
  })
  expect(amounts).toEqual([1_000, 1_000, 1_000])
  expect(types).toEqual([...Array.from({ length: 3 }, () => 'response.completed'), 'error'])
  expect(client.events.at(-1)).toMatchObject({ status: 429, error: { code: 'insufficient_quota' } })
})

it('an upgrade is refused over HTTP, in the format of the dialect', async () => {
  const url = `${hub.url}/v1/responses`
  const refused = async (headers: Record<string, string>) => {
    const { status, body } = await refusedUpgrade(url, headers)
    return [status, JSON.parse(body).error.code]
  }
  expect(await refused({})).toEqual([401, 'invalid_api_key'])
  expect(await refused({ authorization: `Bearer ${hub.key}#x` })).toEqual([400, 'request_invalid'])
  const again = { ...authorization(), 'idempotency-key': 'x' }
  expect(await refused(again)).toEqual([400, 'request_invalid'])
  await hub.app.root.put('/api/option/', { key: 'SocketsPerTokenMax', value: '1' })
  // The connection of the test before frees its place when the server sees its end.
  const opened = () =>
    open().then(
      () => true,
      () => false,
    )
  await expect.poll(opened, { interval: 5 }).toBe(true)
  expect(await refused(authorization())).toEqual([429, 'rate_limit_exceeded'])
  client.socket.close()
  await client.closed
  await expect.poll(opened, { interval: 5 }).toBe(true)
  await hub.app.root.put('/api/option/', { key: 'SocketsPerTokenMax', value: '64' })
})

it.each(['a deleted token', 'a banned user'])('%s loses its connection', async what => {
  const person = await hub.app.person(1, { quota: 100_000 })
  const { id, key } = (await person.post('/api/token/', { name: 't' })).body.data
  await open({ authorization: `Bearer ${key}` })
  const done =
    what === 'a deleted token'
      ? await person.delete(`/api/token/${id}`)
      : await hub.app.root.post('/api/user/manage', {
          username: person.username,
          action: 'disable',
        })
  expect(done.status).toBe(200)
  expect((await client.closed).code).toBe(1008)
  expect(client.events.at(-1)).toMatchObject({ type: 'error', status: 401 })
})

it('a caller who reads nothing pauses the vendor', async () => {
  const chunk = 'x'.repeat(1024 * 1024)
  let written = 0
  let turn: Turn | undefined
  hub.upstream.play('flood', async each => {
    turn = each
    beginStream(each)
    const id = 'resp_flood'
    await write(each, frame({ type: 'response.created', response: { id, object: 'response' } }))
    for (; written < 200; written++) {
      const event = { type: 'response.output_text.delta', delta: chunk, item_id: 'm' }
      if (!(await write(each, frame(event)))) return
    }
  })
  await open()
  create({ model: 'flood', input: '' })
  await client.next(each => each.type === 'response.created')
  client.socket.pause()
  let same = 0
  let before = -1
  // The vendor has stopped once it made no progress for many polls.
  const isPaused = () => {
    same = written === before && turn?.response.writableNeedDrain ? same + 1 : 0
    before = written
    return same > 100
  }
  await expect.poll(isPaused, { interval: 5 }).toBe(true)
  expect(written).toBeLessThan(64)
  client.socket.terminate()
  await charges()
})

it('a server that stops ends idle connections, and others after their response', async () => {
  const turns: Turn[] = []
  hub.upstream.play('slow', turn => {
    turns.push(turn)
  })
  const idle = await openSocket(`${hub.url}/v1/responses`, authorization())
  await open()
  create({ model: 'slow', input: '1' })
  await expect.poll(() => turns.length, { interval: 5 }).toBe(1)
  const { app } = hub.app
  const drained = drainCalls(app, app.monotonic() + 20_000)
  expect((await idle.closed).code).toBe(1001)
  expect(idle.events.at(-1)).toMatchObject({ type: 'error', status: 503 })
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  answerStream(turns[0]!, [
    { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
    { type: 'response.completed', response: { id: 'resp_1', object: 'response', usage } },
  ])
  expect((await client.closed).code).toBe(1001)
  expect(client.events.map(each => each.type)).toEqual([
    'response.created',
    'response.completed',
    'error',
  ])
  await drained
})

it('a message that asks for a tier is refused without its ratio, and charged at it otherwise', async () => {
  await open()
  let points: number[] = []
  const refused = await (async () => {
    let event: Event | undefined
    points = await charged(async () => {
      event = await answer({ model: 'played', input: 'hi', service_tier: 'priority' })
    })
    return event!
  })()
  expect([refused.error.code, points]).toEqual(['request_price_field', []])
  const extra_ratios = { tier_priority: 2 }
  const priced = { model, type: 'tokens', input: 1, output: 1, extra_ratios }
  await hub.app.root.put(`/api/prices/single/${model}`, priced)
  points = await charged(() => answer({ model, input: 'hi', service_tier: 'priority' }))
  expect(points).toEqual([2 * price])
})
