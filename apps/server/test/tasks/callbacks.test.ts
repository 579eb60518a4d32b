import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import { sendCallbacks } from '../../src/tasks/callbacks/send.ts'
import { pollTasks } from '../../src/tasks/polling/poll.ts'
import { sealCallback } from '../../src/tasks/submit/callback-address.ts'
import { onBothEngines } from '../harness.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { startKlingVendor } from './kling-vendor.ts'
import { startMidjourneyProxy, succeed } from './midjourney-proxy.ts'
import { startSunoVendor } from './suno-vendor.ts'

type Call = { path: string; headers: IncomingHttpHeaders; body: string }

/** A caller's server. Answers with `status`, and redirects to `location`. */
const startReceiver = async () => {
  const receiver = { calls: [] as Call[], status: 200, location: '', url: '', close: () => {} }
  const server = createServer(keepAlive, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = request
    receiver.calls.push({ path, headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(receiver.status, receiver.location ? { location: receiver.location } : {})
    response.end()
  })
  server.listen(0)
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  receiver.close = () => void server.close()
  return receiver
}

const receiver = await startReceiver()
const kling = await startKlingVendor()
const suno = await startSunoVendor()
const proxy = await startMidjourneyProxy()
const ports = [receiver, kling, suno, proxy].map(({ url }) => new URL(url).port).join()
afterAll(async () => {
  receiver.close()
  for (const each of [kling, suno, proxy]) await each.close()
})

const hour = 3_600

/** A public interface: how a task is submitted, and how its vendor ends it. */
const interfaces = [
  {
    ...{ name: 'a video', path: '/v1/videos', field: 'callback_url' },
    body: { model: 'kling-v1', prompt: 'A dog' },
    finish: () => Object.assign(last(kling.tasks), { status: 'succeed' }),
    sent: () => last(kling.tasks).body,
    shown: (id: string) => ({
      ...{ object: 'event', type: 'video.completed', data: { id, status: 'completed' } },
    }),
  },
  {
    ...{ name: 'a video of Kling', path: '/kling/v1/videos/text2video', field: 'callback_url' },
    body: { model_name: 'kling-v1', prompt: 'A dog' },
    finish: () => Object.assign(last(kling.tasks), { status: 'succeed' }),
    sent: () => last(kling.tasks).body,
    shown: (id: string) => ({ task_id: id, task_status: 'succeed' }),
  },
  {
    ...{ name: 'a song', path: '/suno/submit/music', field: 'notify_hook' },
    body: { prompt: 'A song about rain' },
    finish: () => Object.assign(last(suno.tasks), { status: 'SUCCESS' }),
    sent: () => last(suno.tasks).body,
    shown: (id: string) => ({ task_id: id, status: 'SUCCESS' }),
  },
  {
    ...{ name: 'an image', path: '/mj/submit/imagine', field: 'notifyHook' },
    body: { prompt: 'Cat' },
    finish: () => succeed(proxy, last(proxy.tasks)),
    sent: () => last(proxy.tasks).body,
    shown: (id: string) => ({ id, status: 'SUCCESS' }),
  },
]
const last = <T>(tasks: ReadonlyMap<string, T>): T => [...tasks.values()].at(-1)!
const idIn = (answer: Json): string =>
  answer.data?.task_id ?? answer.data ?? answer.result ?? answer.id

type Opener = NonNullable<Parameters<typeof useRelayHub>[1]>

const useCallbacks = (open: Opener) => {
  const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: ports }, open)
  beforeAll(async () => {
    await hub.addChannel(53, 'kling-v1', { base_url: kling.url, key: kling.key })
    await hub.addChannel(41, 'chirp-v3-0', { base_url: suno.url, key: suno.key })
    await hub.addChannel(34, 'mj_imagine', { base_url: proxy.url, key: proxy.secret })
    for (const model of ['kling-v1', 'chirp-v3-0', 'mj_imagine']) {
      const price = { model, type: 'times', input: 1, output: 1, locked: true }
      expect((await hub.app.root.put(`/api/prices/single/${model}`, price)).status).toBe(200)
    }
  })
  beforeEach(() => {
    Object.assign(receiver, { calls: [], status: 200, location: '' })
    kling.now = () => hub.app.clock.now
  })

  const submit = async (
    { path, body, field }: (typeof interfaces)[number],
    url = `${receiver.url}/hook`,
  ): Promise<string> => {
    const made = await hub.post(path, { ...body, [field]: url })
    expect(made.status).toBe(200)
    return idIn(await made.json())
  }
  const poll = async () => {
    const { db } = hub.app.app
    await db.updateTable('tasks').set({ run_at: 0 }).where('run_at', 'is not', null).execute()
    await pollTasks(hub.app.app)
  }
  const send = () => sendCallbacks(hub.app.app)
  const secret = async () => (await hub.app.root.get('/api/task/callback-secret')).body.data
  const shown = async (query: string): Promise<Json[]> =>
    (await hub.app.root.get(`/api/task/?${query}`)).body.data.data
  /** Verifies as a receiver does. The clock of a test stands still, as does that of the library. */
  const verify = ({ body, headers }: Call, key: string): Json =>
    new Webhook(key).verify(body, headers as Record<string, string>)
  const rowOf = (publicId: string) =>
    hub.app.app.db
      .selectFrom('tasks')
      .selectAll()
      .where('public_id', '=', publicId)
      .executeTakeFirst()
  return { hub, submit, poll, send, secret, shown, verify, rowOf }
}

type Tools = ReturnType<typeof useCallbacks>

const deliveryTests = ({ hub, submit, poll, send, secret, shown, verify }: Tools) => {
  it.each(interfaces)('the end of $name is called back once, and verifies', async each => {
    hub.app.clock.now = Date.now()
    const id = await submit(each)
    expect(JSON.stringify(each.sent())).not.toContain(receiver.url)
    await poll()
    await send()
    expect([receiver.calls, (await shown(`task_id=${id}`))[0]!.callback]).toEqual([[], 'waiting'])
    each.finish()
    await poll()
    await Promise.all([send(), send()])
    await send()
    expect(receiver.calls).toHaveLength(1)
    const [call] = receiver.calls
    const key = await secret()
    expect(verify(call!, key)).toMatchObject(each.shown(id))
    expect([call!.path, call!.headers['webhook-id']]).toEqual(['/hook', `${id}-completed`])
    expect((await shown(`task_id=${id}`))[0]!.callback).toBe('delivered')
    expect(call!.body).not.toContain(new URL(kling.url).host)
    const changed = { ...call!, body: call!.body.replace(id, `${id}0`) }
    expect(() => verify(changed, key)).toThrow()
  })

  it('S4 is signed with the secret of its user, which can be replaced', async () => {
    hub.app.clock.now = Date.now()
    const before = await secret()
    const other = await hub.app.person(1)
    expect((await other.get('/api/task/callback-secret')).body.data).not.toBe(before)
    const renewed = (await hub.app.root.post('/api/task/callback-secret')).body.data
    expect(renewed).toMatch(/^whsec_.{44}$/)
    expect([before, await secret()]).toEqual([expect.not.stringContaining(renewed), renewed])
    const [video] = interfaces
    await submit(video!)
    video!.finish()
    await poll()
    await send()
    expect(() => verify(receiver.calls[0]!, before)).toThrow()
    expect(verify(receiver.calls[0]!, renewed)).toMatchObject({ object: 'event' })
  })
}

const endTests = ({ hub, submit, poll, send, shown, rowOf }: Tools) => {
  it('is tried eight times with growing delay, and listed then', async () => {
    const [video] = interfaces
    const id = await submit(video!)
    video!.finish()
    await poll()
    // A redirect could lead anywhere, so it is a failure.
    Object.assign(receiver, { status: 302, location: `${receiver.url}/elsewhere` })
    const waits: number[] = []
    for (let tries = 1; tries < 8; tries += 1) {
      await send()
      expect(receiver.calls).toHaveLength(tries)
      const { callback_run_at } = (await rowOf(id))!
      waits.push(callback_run_at! - Math.floor(hub.app.clock.now / 1_000))
      hub.app.clock.now = callback_run_at! * 1_000
    }
    expect(waits).toEqual([5, 60, 300, hour / 2, 2 * hour, 5 * hour, 10 * hour])
    await send()
    hub.app.clock.now += 48 * hour * 1_000
    await send()
    expect(receiver.calls.map(({ path }) => path)).toEqual(Array(8).fill('/hook'))
    const ids = new Set(receiver.calls.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
    expect(await shown('callback=given_up')).toMatchObject([
      { task_id: id, callback: 'given_up', callback_failure: 'status 302', status: 'SUCCESS' },
    ])
  })

  it('tells a late result after the end at the deadline, each once', async () => {
    const [video] = interfaces
    const id = await submit(video!)
    hub.app.clock.now += 2 * hour * 1_000
    await poll()
    await send()
    video!.finish()
    await poll()
    await send()
    await send()
    expect(receiver.calls.map(({ headers }) => headers['webhook-id'])).toEqual([
      ...[`${id}-expired`, `${id}-completed`],
    ])
    expect(receiver.calls.map(({ body }) => JSON.parse(body).type)).toEqual([
      ...['video.failed', 'video.completed'],
    ])
  })
}

const refusalTests = ({ hub, submit, poll, send, rowOf }: Tools) => {
  it('S4 an address that has become private is not called, and the row says so', async () => {
    const [video] = interfaces
    const id = await submit(video!)
    const { id: taskId } = (await rowOf(id))!
    // The receiver listens there too, but only 127.0.0.0/8 is allowed, as if its name led elsewhere now.
    const url = receiver.url.replace('127.0.0.1', '[::1]')
    const callback_sealed = sealCallback(hub.app.app, taskId, { url, origin: hub.url })
    const { db } = hub.app.app
    await db.updateTable('tasks').set({ callback_sealed }).where('id', '=', taskId).execute()
    video!.finish()
    await poll()
    await send()
    const { callback_state, callback_failure } = (await rowOf(id))!
    expect([callback_state, callback_failure, receiver.calls]).toEqual(['waiting', 'address', []])
    await db.updateTable('tasks').set({ callback_run_at: null }).where('id', '=', taskId).execute()
  })

  it('S4 an address that is not public is refused by its field, and nothing is held', async () => {
    const addresses = ['http://10.0.0.1/', 'ftp://127.0.0.1/', 'http://127.0.0.1:1/', 'x', 7]
    for (const { path, body, field } of interfaces)
      for (const address of addresses) {
        const refused = await hub.post(path, { ...body, [field]: address })
        expect([refused.status, await refused.text()]).toEqual([
          ...[400, expect.stringContaining(`'${field}'`)],
        ])
      }
    const inMetadata = { ...interfaces[0]!.body, metadata: { callback_url: 'http://10.0.0.1/' } }
    expect((await hub.post('/v1/videos', inMetadata)).status).toBe(400)
    expect(await hub.app.app.db.selectFrom('holds').select('id').execute()).toEqual([])
  })

  it('a task that its vendor refused is not called back, and a field of metadata is obeyed', async () => {
    const [video] = interfaces
    kling.override = () => ({ status: 400, json: { code: 1201, message: 'no' } })
    const address = `${receiver.url}/hook`
    const refused = await hub.post('/v1/videos', { ...video!.body, callback_url: address })
    expect(refused.status).toBe(400)
    kling.override = undefined
    await send()
    expect(receiver.calls).toEqual([])
    const metadata = { callback_url: address }
    expect((await hub.post('/v1/videos', { ...video!.body, metadata })).status).toBe(200)
    video!.finish()
    await poll()
    await send()
    expect(receiver.calls).toHaveLength(1)
  })
}

onBothEngines('callbacks', open => {
  const tools = useCallbacks(open)
  deliveryTests(tools)
  endTests(tools)
  refusalTests(tools)
})
