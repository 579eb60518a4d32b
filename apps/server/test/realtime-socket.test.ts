import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  isEnd,
  openSocket,
  refusedUpgrade,
  type SocketClient,
} from '../../../test/harness/sockets/client.ts'
import {
  answer,
  type RealtimeVendor,
  startRealtimeVendor,
  usage,
} from '../../../test/harness/sockets/realtime-vendor.ts'
import {
  certificate,
  startTlsProxy,
  type TlsProxy,
} from '../../../test/harness/sockets/tls-proxy.ts'
import { drainCalls } from '../src/close-app.ts'
import { socketSessions } from '../src/sockets/sessions.ts'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
let vendor: RealtimeVendor
let proxy: TlsProxy
let client: SocketClient

beforeAll(async () => {
  vendor = await startRealtimeVendor()
  proxy = await startTlsProxy(hub.url)
  await hub.addChannel(1, 'gpt-realtime,gpt-4o-transcribe,other', { base_url: vendor.url })
  await hub.addChannel(55, 'gpt-realtime-azure', { base_url: vendor.url })
  await hub.addChannel(8, 'gpt-realtime-custom', { base_url: `${vendor.url}/v1` })
  await hub.addChannel(67, 'gpt-realtime-gateway', { base_url: `${vendor.url}/v1` })
  await hub.addChannel(14, 'claude', { base_url: vendor.url })
})
afterAll(async () => {
  client?.socket.terminate()
  await proxy?.close()
  await vendor?.close()
})
beforeEach(() => {
  vendor.onCreate = answer
  vendor.sessions.length = 0
})

const address = (model = 'gpt-realtime') => `${hub.url}/v1/realtime?model=${model}`
const authorization = () => ({ authorization: `Bearer ${hub.key}` })
const open = async (headers: Record<string, string> = authorization(), model?: string) => {
  client?.socket.terminate()
  client = await openSocket(address(model), headers)
  return client
}
const respond = () => {
  client.send({ type: 'response.create' })
  return client.next(each => each.type === 'response.done' || isEnd(each))
}

type Charge = { amount: number; usage: Record<string, unknown>; estimated: boolean }
/** The charges that were made while `work` ran, once no hold is open. */
const charged = async (work: () => Promise<unknown>): Promise<Charge[]> => {
  const { db } = hub.app.app
  const rows = () =>
    db.selectFrom('transfers').selectAll().where('kind', '=', 'request').orderBy('id').execute()
  const before = await rows()
  await work()
  client?.socket.close()
  const openHolds = () => db.selectFrom('holds').select('id').execute()
  await expect.poll(openHolds, { interval: 5 }).toEqual([])
  return (await rows()).slice(before.length).map(({ amount, usage }) => ({
    amount,
    ...JSON.parse(usage),
  }))
}

/** The charges of a session that asks for a response and leaves at its first event of this type. */
const chargedUntil = (type: string): Promise<Charge[]> =>
  charged(async () => {
    await open()
    client.send({
      type: 'conversation.item.create',
      item: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'x'.repeat(30) }],
      },
    })
    client.send({ type: 'response.create' })
    await client.next(each => each.type === type)
  })

it('the official client has a session, and each response is charged by its disjoint tokens', async () => {
  const openai = new OpenAI({ apiKey: hub.key, baseURL: `https://localhost:${proxy.port}/v1` })
  const options = { ca: certificate }
  const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options }, openai)
  const seen: string[] = []
  const rows = await charged(async () => {
    const done = new Promise<void>((resolve, reject) => {
      realtime.on('event', event => seen.push(event.type))
      realtime.on('session.created', () => realtime.send({ type: 'response.create' }))
      realtime.on('error', reject)
      let responses = 0
      realtime.on('response.done', () => {
        responses++
        if (responses === 3) resolve()
        else realtime.send({ type: 'response.create' })
      })
    })
    await done
    realtime.close()
  })
  const response = ['response.created', 'response.output_audio.delta', 'response.done']
  expect(seen).toEqual(['session.created', ...response, ...response, ...response])
  expect(rows).toHaveLength(3)
  const classes = { input: 55, cacheRead: 64, audioInput: 13, output: 30, audioOutput: 91 }
  for (const row of rows) expect(row.usage).toEqual(classes)
  expect(Object.values(classes).reduce((a, b) => a + b)).toBe(usage.total_tokens)
  const [{ request }] = vendor.sessions as [RealtimeVendor['sessions'][0]]
  expect([request.url, request.headers.authorization]).toEqual([
    '/v1/realtime?model=gpt-realtime',
    'Bearer vendor-key',
  ])
})

it('messages are relayed as they are, and a mapped Azure channel has its own address and key', async () => {
  await open(authorization(), 'gpt-realtime-azure')
  const message = { type: 'conversation.item.create', item: { text: 'Grüße' } }
  client.send(message)
  await respond()
  const [session] = vendor.sessions
  expect(session?.received[0]).toEqual(message)
  expect(session?.request.url).toBe('/openai/v1/realtime?model=gpt-realtime-azure')
  expect(session?.request.headers['api-key']).toBe('vendor-key')
})

it.each(['gpt-realtime-custom', 'gpt-realtime-gateway'])(
  'the channel of %s has sessions below its own address',
  async model => {
    await open(authorization(), model)
    await respond()
    expect(vendor.sessions[0]?.request.url).toBe(`/v1/realtime?model=${model}`)
  },
)

it('a browser sends its key as a sub-protocol, which is neither echoed nor forwarded', async () => {
  client?.socket.terminate()
  client = await openSocket(address(), {}, ['realtime', `openai-insecure-api-key.${hub.key}`])
  expect(client.socket.protocol).toBe('realtime')
  expect(JSON.stringify(vendor.sessions[0]?.request.rawHeaders)).not.toContain(hub.key)
})

it('a transcription is charged at the price of its model, tokens as well as seconds', async () => {
  const rows = await charged(async () => {
    await open()
    const [session] = vendor.sessions
    const transcription = { model: 'gpt-4o-transcribe' }
    session?.send({ type: 'session.updated', session: { audio: { input: { transcription } } } })
    const completed = { type: 'conversation.item.input_audio_transcription.completed' }
    const input_token_details = { text_tokens: 0, audio_tokens: 17 }
    const tokens = { type: 'tokens', input_tokens: 17, output_tokens: 9, input_token_details }
    session?.send({ ...completed, usage: tokens })
    session?.send({ ...completed, usage: { type: 'duration', seconds: 6 } })
    for (let n = 0; n < 2; n++) await client.next(each => each.type === completed.type)
  })
  expect(rows.map(each => each.usage)).toEqual([{ audioInput: 17, output: 9 }, { audioInput: 20 }])
  expect(rows[0]).toMatchObject({ model: 'gpt-4o-transcribe' })
  expect(rows[1]).toMatchObject({ estimated: true })
})

it('a session is cut with an error event where the balance does not cover the next response', async () => {
  const { root } = hub.app
  const fixed = { model: 'gpt-realtime-fixed', type: 'times', input: 1, output: 1 }
  await root.post('/api/prices/single', fixed)
  const channel = {
    type: 1,
    name: 'fixed',
    models: fixed.model,
    key: 'vendor-key',
    group: 'default',
  }
  await root.post('/api/channel/', { ...channel, base_url: vendor.url })
  const person = await hub.app.person(1, { quota: 3_000 })
  const { key } = (await person.post('/api/token/', { name: 't', unlimited_quota: true })).body.data
  const rows = await charged(async () => {
    await open({ authorization: `Bearer ${key}` }, fixed.model)
    for (let n = 0; n < 3; n++) await respond()
    expect((await client.closed).code).toBe(1008)
  })
  expect(rows.map(each => each.amount)).toEqual([1_000, 1_000, 1_000])
  expect(client.events.at(-1)).toMatchObject({
    type: 'error',
    error: { code: 'insufficient_quota' },
  })
})

it('a response without its end is charged by an estimate, and one that was charged is not charged again', async () => {
  vendor.onCreate = (session, n) => {
    if (n === 1) {
      answer(session, 1)
      return session.send({ type: 'response.done', response: { id: 'resp_1', usage } })
    }
    session.send({ type: 'response.created', response: { id: 'resp_2' } })
    session.send({ type: 'response.output_audio.delta', delta: 'A'.repeat(64_000) })
    session.socket.close()
  }
  const rows = await charged(async () => {
    await open()
    await respond()
    await client.next(each => each.type === 'response.done')
    client.send({ type: 'response.create' })
    expect((await client.closed).code).toBe(1011)
  })
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({ estimated: true, usage: { audioOutput: 20 } })
  expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream_broken' } })
})

it.each([
  ['reports its usage', true, { audioOutput: 46, output: 30, input: 55 }, false],
  ['reports nothing', false, { audioOutput: 20, input: expect.any(Number) }, true],
])(
  'of a response that its caller left, whose vendor then %s, what was forwarded is charged',
  async (_, reports, expected, estimated) => {
    vendor.onCreate = session => {
      session.send({ type: 'response.created', response: { id: 'resp_1' } })
      session.send({ type: 'response.output_audio.delta', delta: 'A'.repeat(64_000) })
      session.socket.on('message', data => {
        if (!String(data).includes('response.cancel') || !reports) return
        session.send({ type: 'response.output_audio.delta', delta: 'A'.repeat(64_000) })
        session.send({
          type: 'response.done',
          response: { id: 'resp_1', status: 'cancelled', usage },
        })
      })
    }
    const rows = await chargedUntil('response.output_audio.delta')
    expect(rows).toMatchObject([{ finish: 'caller-left', usage: expected, estimated }])
  },
)

it('the prompt of a response is charged although its caller left before the first word', async () => {
  vendor.onCreate = session =>
    session.send({ type: 'response.created', response: { id: 'resp_1' } })
  const rows = await chargedUntil('response.created')
  expect(rows).toMatchObject([
    { finish: 'caller-left', usage: { input: expect.any(Number) }, estimated: true },
  ])
})

it('an upgrade is refused over HTTP, and holds nothing', async () => {
  const refused = async (path: string) => {
    const { status, body } = await refusedUpgrade(`${hub.url}${path}`, authorization())
    return [status, JSON.parse(body).error.code]
  }
  const rows = await charged(async () => {
    expect(await refused('/v1/realtime')).toEqual([400, 'request_invalid'])
    expect(await refused('/v1/realtime?model=unknown')).toEqual([404, 'model_not_found'])
    expect((await refused('/v1/realtime?model=other'))[0]).toBe(400)
    expect((await refused('/v1/realtime?model=claude'))[0]).toBe(501)
  })
  expect(rows).toEqual([])
})

it('a server that stops ends an idle session at once, and another after its response', async () => {
  await open()
  const busy = client
  const { app } = hub.app
  vendor.onCreate = session =>
    session.send({ type: 'response.created', response: { id: 'resp_1' } })
  busy.send({ type: 'response.create' })
  await busy.next(each => each.type === 'response.created')
  const idle = await openSocket(address(), authorization())
  const drained = drainCalls(app, app.monotonic() + 20_000)
  expect((await idle.closed).code).toBe(1001)
  vendor.sessions[0]?.send({ type: 'response.done', response: { id: 'resp_1', usage } })
  expect((await busy.closed).code).toBe(1001)
  expect(busy.events.slice(-2).map(each => each.type)).toEqual(['response.done', 'error'])
  await drained
})

/** Resolves once the value has not changed for a while, and is not zero. */
const settled = async (value: () => number): Promise<number> => {
  let last = 0
  let unchanged = 0
  const check = () => {
    const now = value()
    unchanged = now === last && now > 0 ? unchanged + 1 : 0
    last = now
    return unchanged
  }
  await expect.poll(check, { interval: 20 }).toBeGreaterThan(20)
  return last
}

it('a caller who does not read pauses the vendor, and gets every message later', async () => {
  const { app } = hub.app
  await open()
  const [session] = vendor.sessions
  await client.next(each => each.type === 'session.created')
  client.socket.pause()
  const count = 300
  const delta = 'A'.repeat(256 * 1024)
  for (let n = 0; n < count; n++) session?.send({ type: 'conversation.other', n, delta })
  const unsent = await settled(() => session?.socket.bufferedAmount ?? 0)
  const [waiting] = socketSessions(app)
    .toArray()
    .map(each => each.bufferedAmount())
  // The kernel's buffers of two connections hold the rest.
  expect(unsent).toBeGreaterThan((count * delta.length) / 2)
  expect(waiting).toBeLessThan(2 * 1024 * 1024)
  client.socket.resume()
  await client.next(each => each.n === count - 1)
  expect(client.events.slice(1).map(each => each.n)).toEqual(
    Array.from({ length: count }, (_, n) => n),
  )
})

it.each([
  ['disabled', (id: number) => hub.app.root.put('/api/channel/', { id, status: 2 })],
  ['deleted', (id: number) => hub.app.root.delete(`/api/channel/${id}`)],
])(
  'a session ends with an error when its channel is %s, and no other does',
  async (_name, change) => {
    const { root, app } = hub.app
    const model = 'gpt-realtime-gone'
    await root.post('/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
    const fields = { type: 1, name: 'gone', models: model, key: 'vendor-key', group: 'default' }
    const channel = { ...fields, base_url: vendor.url }
    const [{ id }] = (await root.post('/api/channel/', channel)).body.data
    const other = await openSocket(address(), authorization())
    await open(authorization(), model)
    await change(id)
    expect((await client.closed).code).toBe(1011)
    expect(client.events.at(-1)).toMatchObject({ type: 'error' })
    expect(other.socket.readyState).toBe(other.socket.OPEN)
    await expect.poll(() => socketSessions(app).size(), { interval: 5 }).toBe(1)
    other.socket.close()
    await other.closed
  },
)

it.each([
  ['a prompt template', { prompt: { id: 'pmpt_other' } }],
  ['a voice', { audio: { output: { voice: { id: 'voice_other' } } } }],
  ['a file', { tools: [{ type: 'file_search', vector_store_ids: ['vs_other'] }] }],
])('S26 a session never names %s of somebody else', async (_name, session) => {
  await open()
  client.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Hi' } })
  await expect.poll(() => vendor.sessions[0]?.received.length).toBe(1)
  client.send({ type: 'session.update', session: { type: 'realtime', ...session } })
  const isSent = expect
    .poll(() => vendor.sessions[0]?.received.length)
    .toBe(2)
    .then(() => 'sent')
  expect(await Promise.race([client.closed, isSent.catch(() => client.closed)])).toMatchObject({
    code: 1008,
  })
  expect(vendor.sessions[0]?.received).toHaveLength(1)
})

it('a session is never sent a link to what is not the caller’s', async () => {
  const item = (image_url: string) => ({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] },
  })
  await open()
  client.send(item('https://files.example/cat.png'))
  await expect.poll(() => vendor.sessions[0]?.received.length).toBe(1)
  client.send(item('https://api.openai.com/v1/files/file-abc/content'))
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(vendor.sessions[0]?.received).toHaveLength(1)
})
