import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../../../test/upstream/start.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { audit } from '../../auditor/audit.ts'
import { errorLog } from './error-log.ts'

let hub: TestApp
let upstream: Upstream
let url: string
let user: TestUser
let key: string
const credential = 'sk-vendor-0123456789'

const makeKey = async (owner: TestUser): Promise<string> => {
  const fields = { name: 't', unlimited_quota: true, expired_time: -1 }
  return (await owner.post('/api/token/', fields)).body.data.key
}

const chat = (model: string, { as = key, ...more }: { as?: string; stream?: boolean } = {}) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }], ...more }),
  })

/** The rows of type 5 that an administrator sees, newest first. */
const errors = async (query = '') => {
  await errorLog(hub.app).flush()
  return (await hub.root.get(`/api/log/?log_type=5&size=100&order=-id&${query}`)).body.data.data
}
const ownErrors = async (who: TestUser, query = '') => {
  await errorLog(hub.app).flush()
  return (await who.get(`/api/log/self?log_type=5&size=100&order=-id&${query}`)).body.data.data
}

const failureTests = () => {
  it('S37 a call that failed at each channel has one row with the attempts and the upstream’s words, without the key', async () => {
    const words = `no key ${credential} at ${new URL(upstream.url).host}`
    upstream.behave('a', `status=500;keywords=${words}`)
    upstream.behave('b', 'status=503')
    const response = await chat('any:down')
    expect(response.status).toBe(502)
    const [row, ...more] = await errors('model_name=any:down')
    expect(more).toEqual([])
    expect(row).toMatchObject({
      ...{ type: 5, quota: 0, user_id: user.id, username: user.username, token_name: 't' },
      ...{ model_name: 'any:down', content: 'upstream.failed', is_stream: false },
    })
    expect(row.metadata).toMatchObject({
      ...{ status: 502, count: 1, charged: false, operation: 'chat' },
      request_id: response.headers.get('x-request-id'),
      message: 'The provider failed.',
    })
    const { attempts } = row.metadata
    expect(attempts.map((each: { channel: string }) => each.channel).toSorted()).toEqual(['a', 'b'])
    expect(row.channel_id).toBe(attempts[1].channel_id)
    const first = attempts.find((each: { channel: string }) => each.channel === 'a')
    expect(first).toMatchObject({ code: 'upstream.failed', status: 500 })
    expect(first.detail).toContain('no key *** at ***')
    expect(first.milliseconds).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(row)).not.toContain(credential)
  })

  it('S37 an error that is passed on to the caller has neither the key nor the host of the channel', async () => {
    const { host } = new URL(upstream.url)
    for (const name of ['a', 'b'])
      upstream.behave(name, `status=400;keywords=no key ${credential} at ${host}`)
    const response = await chat('any:refused')
    const text = await response.text()
    expect([response.status, text]).toEqual([400, expect.stringContaining('no key *** at ***')])
    expect(text).not.toContain(credential)
    expect(text).not.toContain(host)
  })

  it('S26 a user sees their own errors only, without channels and attempts', async () => {
    upstream.behave('a', 'status=500;keywords=words-of-the-vendor')
    upstream.behave('b', 'status=500;keywords=words-of-the-vendor')
    await chat('any:mine')
    const [row] = await ownErrors(user, 'model_name=any:mine')
    expect(row).toMatchObject({ type: 5, content: 'upstream.failed', channel_id: 0, channel: null })
    expect(row.metadata).not.toHaveProperty('attempts')
    expect(JSON.stringify(row)).not.toContain('words-of-the-vendor')
    expect(await ownErrors(await hub.person())).toEqual([])
  })

  it('a stream that broke keeps its charged row, and has an error row with the same request id', async () => {
    const response = await chat('any:reset=3', { stream: true })
    await response.text()
    const id = Number(response.headers.get('x-request-id'))
    const [row] = await errors('model_name=any:reset=3')
    expect(row).toMatchObject({ content: 'upstream.broken', quota: 0, is_stream: true })
    expect(row.metadata).toMatchObject({ request_id: String(id), charged: true })
    expect(row.metadata.attempts).toHaveLength(1)
    const { data } = (await hub.root.get('/api/log/?log_type=2&model_name=any:reset=3')).body.data
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ id, metadata: { finish: 'upstream-broke' } })
  })

  it('a caller who leaves before the answer has a row, and no channel is blamed', async () => {
    const left = new AbortController()
    upstream.play('any:left', () => {
      left.abort()
    })
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      signal: left.signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'any:left', messages: [{ role: 'user', content: 'hi' }] }),
    }).catch(() => undefined)
    await expect
      .poll(() => errors('code=caller.left'))
      .toMatchObject([{ model_name: 'any:left', metadata: { charged: false } }])
  })
}

const refusalTests = () => {
  it('refused calls have rows, which are found by their code', async () => {
    const poor = await hub.person()
    const poorKey = await makeKey(poor)
    await (await chat('nobody-serves-this', { as: poorKey })).text()
    await (await chat('any:poor', { as: poorKey })).text()
    const rows = await ownErrors(poor)
    expect(rows.map((each: { content: string }) => each.content)).toEqual([
      'quota.exhausted',
      'model.unknown',
    ])
    expect(rows[1].model_name).toBe('nobody-serves-this')
    expect(rows[0].metadata).toMatchObject({
      status: 429,
      response_code: 'insufficient_quota',
      message: expect.stringContaining('balance'),
    })
    expect(await ownErrors(poor, 'code=model.unknown')).toHaveLength(1)
    const { id } = (await poor.get('/api/token/')).body.data.data[0]
    await poor.put('/api/token/?status_only=true', { id, status: 2 })
    expect((await chat('any:poor', { as: poorKey })).status).toBe(401)
    expect(await ownErrors(poor, 'code=token.disabled')).toHaveLength(1)
  })

  it('a wrong key leaves no row', async () => {
    const before = await errors()
    expect((await chat('any:', { as: `sk-${'x'.repeat(48)}` })).status).toBe(401)
    expect(await errors()).toEqual(before)
  })

  it('nothing is written where consumption is not recorded', async () => {
    await hub.root.put('/api/option/', { key: 'LogConsumeEnabled', value: 'false' })
    await (await chat('unlogged')).text()
    await hub.root.put('/api/option/', { key: 'LogConsumeEnabled', value: 'true' })
    expect(await errors('model_name=unlogged')).toEqual([])
  })
}

const storageTests = () => {
  it('a storm leaves few rows, whose counts add up to all calls', async () => {
    const noisy = await hub.person()
    const noisyKey = await makeKey(noisy)
    const ask = async () => (await chat('storm', { as: noisyKey })).text()
    await Promise.all(Array.from({ length: 60 }, ask))
    const rows = await ownErrors(noisy)
    // At most two windows of 20 rows and a merged one.
    expect(rows.length).toBeLessThan(45)
    const counts = rows.map((each: { metadata: { count: number } }) => each.metadata.count)
    expect(counts.reduce((sum: number, n: number) => sum + n, 0)).toBe(60)
  })

  it('errors cost nothing in sums and statistics, and the auditor accepts them', async () => {
    const one = await hub.person(1, { quota: 50_000 })
    const oneKey = await makeKey(one)
    await (await chat('any:', { as: oneKey })).text()
    const sums = async () => [
      (await one.get('/api/log/self/stat')).body.data,
      (await one.get('/api/user/dashboard')).body.data,
    ]
    const before = await sums()
    await (await chat('nobody-serves-this', { as: oneKey })).text()
    expect(await ownErrors(one)).toHaveLength(1)
    expect(await sums()).toEqual(before)
    const { results } = await audit({
      databaseUrl: hub.app.env.databaseUrl,
      dataDir: hub.app.env.dataDir,
    })
    expect(results.flatMap(each => each.findings)).toEqual([])
  })

  it('errors are deleted with the consumption of their time', async () => {
    const later = Math.floor(hub.clock.now / 1000) + 60
    expect((await errors()).length).toBeGreaterThan(0)
    await hub.root.delete(`/api/log/?target_timestamp=${later}`)
    expect(await errors()).toEqual([])
  })

  it('rows that the database does not take are dropped and counted', async () => {
    const dropped = async () => (await hub.app.metrics.errorLogsDropped.get()).values[0]?.value ?? 0
    const before = await dropped()
    await hub.app.db.schema.alterTable('logs').renameTo('logs_away').execute()
    await (await chat('nobody-serves-this')).text()
    await errorLog(hub.app).flush()
    await hub.app.db.schema.alterTable('logs_away').renameTo('logs').execute()
    expect(await dropped()).toBe(before + 1)
    await (await chat('nobody-serves-that')).text()
    expect(await errors()).toHaveLength(1)
  })
}

onBothEngines('error rows', open => {
  beforeAll(async () => {
    hub = await open()
    upstream = await startUpstream()
    url = `http://127.0.0.1:${await hub.listen()}`
    for (const name of ['a', 'b'])
      await hub.root.post('/api/channel/', {
        ...{ type: 1, key: credential, models: 'any:*', group: 'default', name },
        base_url: `${upstream.url}/${name}`,
      })
    await hub.root.post('/api/prices/single', {
      ...{ model: 'any:*', type: 'tokens', input: 1, output: 1 },
    })
    await hub.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 })
    await hub.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '0' })
    user = await hub.person(1, { quota: 5_000_000 })
    key = await makeKey(user)
  })
  beforeEach(() => {
    upstream.behave('a', '')
    upstream.behave('b', '')
  })
  afterAll(() => upstream?.close())
  failureTests()
  refusalTests()
  storageTests()
})
