import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import forgetChannelChanges from '../src/jobs/forget-channel-changes.ts'
import { onBothEngines, type TestApp } from './harness.ts'
import { noticesOf, subscribe } from './notices.ts'
import { answerJson, type Json } from './relay-hub.ts'

const token = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)
const environment = {
  MASTER_KEY: randomBytes(32).toString('base64'),
  INITIAL_ROOT_TOKEN: token,
}
const completion = {
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1 },
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let hub: TestApp
let upstream: Upstream
let isRefusing = false

const keyOf = ({ served }: Turn) => served.credential.replace('Bearer ', '')
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const changesOf = async (id: number) =>
  (await hub.root.get(`/api/channel/${id}/changes`)).body.data as Json[]
const statusOf = async (id: number) => (await hub.root.get(`/api/channel/${id}`)).body.data.status
const put = (id: number, change: object) => hub.root.put('/api/channel/', { id, ...change })

const add = async (model: string, more: object = {}): Promise<number> => {
  upstream.play(model, turn =>
    isRefusing
      ? answerJson(turn, { error: { message: `No access for ${keyOf(turn)}.\0` } }, 401)
      : answerJson(turn, completion, 200),
  )
  await hub.root.post('/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
  const channel = { type: 1, name: model, models: model, test_model: model, key: 'sk-canary-1' }
  const added = await hub.root.post('/api/channel/', {
    ...{ ...channel, base_url: `${upstream.url}/a`, ...more },
  })
  expect(added.status, added.text).toBe(200)
  return added.body.data[0].id
}

const call = (model: string) =>
  hub
    .guest({ headers: { authorization: `Bearer ${token}` } })
    .post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] })

/** Tests all channels and waits for the end. */
const testAll = async () => {
  await hub.app.state.forget('channel-round:test')
  await hub.root.post('/api/channel/test')
  const isOver = async () =>
    (await hub.root.get('/api/channel/rounds')).body.data.some(
      (each: Json) => each.kind === 'test' && each.ended_at > 0,
    )
  await expect.poll(isOver).toBe(true)
}

const evidenceTests = () => {
  it('a channel that a refused call disables has the evidence, and a passed test enables it again', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    await set('AutomaticEnableChannelEnabled', 'true')
    await subscribe(hub.root, 'site', ['channel.status'])
    const id = await add('evidence-1')
    isRefusing = true
    const refused = await call('evidence-1')
    await expect.poll(() => statusOf(id)).toBe(3)
    const [change, ...more] = await changesOf(id)
    expect(more).toEqual([])
    expect(change).toEqual({
      ...{ id: change?.id, at: Math.floor(hub.app.now() / 1_000), fingerprint: '', status: 3 },
      ...{ cause: 'automatic', actor: '', code: 'upstream.credential', http_status: 401 },
      ...{ model: 'evidence-1', reason: 'No access for ***.' },
      request_id: refused.headers['x-oneapi-request-id'],
    })
    const notices = () => noticesOf(hub.root, 'site', 'channel.status')
    expect(await notices()).toEqual([[1, `Channel evidence-1 (#${id}) was disabled`]])
    const { facts } = await hub.app.db
      .selectFrom('notifications')
      .select('facts')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(facts)).toMatchObject({ reason: 'failure: No access for ***.' })
    await testAll()
    expect(await statusOf(id)).toBe(3)
    isRefusing = false
    await testAll()
    expect(await statusOf(id)).toBe(1)
    expect((await changesOf(id))[0]).toMatchObject({
      ...{ status: 1, cause: 'test', actor: '', model: 'evidence-1' },
      reason: expect.stringMatching(/^\d+\.\d s$/),
    })
    expect(await notices()).toEqual([[2, `Channel evidence-1 (#${id}) was enabled`]])
  })

  it('a channel that a person disabled is enabled by no test, and the person is named', async () => {
    await set('AutomaticEnableChannelEnabled', 'true')
    const id = await add('evidence-2', { tag: 'evidence' })
    await put(id, { status: 2, weight: 2 })
    await put(id, { status: 2, weight: 3 })
    await testAll()
    expect((await hub.root.post(`/api/channel/test/${id}`)).status).toBe(200)
    expect(await statusOf(id)).toBe(2)
    await hub.root.put('/api/channel_tag/evidence/status/enable')
    const manual = { cause: 'manual', actor: 'root', reason: '', http_status: null, code: '' }
    expect(await changesOf(id)).toMatchObject([
      { ...manual, status: 1 },
      { ...manual, status: 2 },
    ])
  })
}

const keyTests = () => {
  const refusedKeys = new Set<string>()
  const addKeyed = async (name: string, keys: string[]) => {
    const id = await add(name, { key: keys.join('\n'), key_mode: 'one_channel' })
    upstream.play(name, turn =>
      refusedKeys.has(keyOf(turn))
        ? answerJson(turn, { error: { message: 'Incorrect key.', code: 'invalid_api_key' } }, 401)
        : answerJson(turn, completion, 200),
    )
    return id
  }
  const keyStates = async (id: number) =>
    ((await hub.root.get(`/api/channel/${id}/keys`)).body.data as Json[]).map(each => each.status)
  const fingerprintOf = async (id: number, at: number) =>
    (await hub.root.get(`/api/channel/${id}/keys`)).body.data[at].fingerprint

  beforeEach(async () => {
    refusedKeys.clear()
    await set('AutomaticDisableChannelEnabled', 'true')
    await set('AutomaticEnableChannelEnabled', 'true')
  })

  it('a key that the gateway disabled returns when a test of all channels passes with it', async () => {
    const id = await addKeyed('keyed-1', ['sk-k1', 'sk-k2', 'sk-k3'])
    refusedKeys.add('sk-k1').add('sk-k2')
    for (let n = 0; n < 12; n++) await call('keyed-1')
    await expect.poll(() => keyStates(id)).toEqual([3, 3, 1])
    refusedKeys.delete('sk-k1')
    await testAll()
    expect(await keyStates(id)).toEqual([1, 3, 1])
    expect((await changesOf(id))[0]).toMatchObject({
      ...{ status: 1, cause: 'test', model: 'keyed-1' },
      fingerprint: await fingerprintOf(id, 0),
    })
    const runs = (await hub.root.get('/api/channel/rounds')).body.data as Json[]
    expect(runs.find(each => each.kind === 'test')).toMatchObject({ enabled_keys: 1 })
    expect((await call('keyed-1')).status).toBe(200)
  })

  it('a channel whose keys are all disabled returns with those keys only that pass', async () => {
    const id = await addKeyed('keyed-2', ['sk-k4', 'sk-k5'])
    refusedKeys.add('sk-k4').add('sk-k5')
    for (let n = 0; n < 6; n++) await call('keyed-2')
    await expect.poll(() => statusOf(id)).toBe(3)
    await testAll()
    expect([await statusOf(id), await keyStates(id)]).toEqual([3, [3, 3]])
    refusedKeys.delete('sk-k5')
    await testAll()
    expect([await statusOf(id), await keyStates(id)]).toEqual([1, [3, 1]])
  })

  it('no run tests a key that a person disabled, and none tests any without the setting', async () => {
    const id = await addKeyed('keyed-3', ['sk-k6', 'sk-k7', 'sk-k8'])
    await hub.root.put(`/api/channel/${id}/keys/${await fingerprintOf(id, 0)}`, { status: 2 })
    refusedKeys.add('sk-k7')
    for (let n = 0; n < 12; n++) await call('keyed-3')
    await expect.poll(() => keyStates(id)).toEqual([2, 3, 1])
    refusedKeys.clear()
    await set('AutomaticEnableChannelEnabled', 'false')
    await testAll()
    expect(await keyStates(id)).toEqual([2, 3, 1])
    await set('AutomaticEnableChannelEnabled', 'true')
    await testAll()
    expect(await keyStates(id)).toEqual([2, 1, 1])
  })
}

const storageTests = () => {
  it('the change of one key names the key by its fingerprint, and the last key disables the channel', async () => {
    await set('AutomaticDisableChannelEnabled', 'true')
    const keys = { key: 'sk-canary-1\nsk-canary-2', key_mode: 'one_channel' }
    const id = await add('evidence-3', keys)
    const path = `/api/channel/${id}/keys`
    const [first, second] = ((await hub.root.get(path)).body.data as Json[]).map(
      each => each.fingerprint,
    )
    await hub.root.put(`${path}/${first}`, { status: 2 })
    isRefusing = true
    await call('evidence-3')
    await expect.poll(() => statusOf(id)).toBe(3)
    isRefusing = false
    expect(await changesOf(id)).toMatchObject([
      { fingerprint: '', status: 3, cause: 'automatic' },
      { fingerprint: second, status: 3, cause: 'automatic', http_status: 401 },
      { fingerprint: first, status: 2, cause: 'manual', actor: 'root' },
    ])
    const stored = await hub.app.db.selectFrom('channel_changes').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('canary-')
  })

  it('evidence is deleted after ninety days', async () => {
    const id = await add('evidence-4')
    await put(id, { status: 2 })
    hub.clock.now += 89 * 86_400_000
    await forgetChannelChanges.run(hub.app)
    expect(await changesOf(id)).toHaveLength(1)
    hub.clock.now += 2 * 86_400_000
    await forgetChannelChanges.run(hub.app)
    expect(await changesOf(id)).toEqual([])
  })
}

onBothEngines('changes of channels', open => {
  beforeAll(async () => {
    upstream = await startUpstream()
    hub = await open(environment)
  })
  afterAll(() => upstream.close())
  evidenceTests()
  keyTests()
  storageTests()
})
