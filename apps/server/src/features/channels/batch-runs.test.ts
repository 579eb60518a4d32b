import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChannelBatchRun } from '@hub/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import testChannels from '../../jobs/test-channels.ts'
import updateBalances from '../../jobs/update-balances.ts'

/** A vendor whose answer to a path a test chooses. */
let vendor: Server
let url: string
const answers = new Map<string, [status: number, body: unknown]>()
let requestedUrls: string[] = []
let onRequest: ((url: string) => void) | undefined
/** The vendor waits for this before it responds. */
let gate = Promise.resolve()

beforeAll(async () => {
  vendor = createServer(keepAlive, async (request, response) => {
    requestedUrls.push(request.url ?? '')
    onRequest?.(request.url ?? '')
    await gate
    const [status, body] = answers.get(request.url ?? '') ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => vendor.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

const hi = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

let hub: TestApp
const set = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
const add = async (name: string, more: object = {}) => {
  const channel = { type: 28, name, key: `sk-secret-${name}`, models: 'm', test_model: 'm' }
  const base_url = `${url}/${name}`
  return (await hub.root.post('/api/channel/', { ...channel, base_url, ...more })).body.data[0].id
}
const get = async (id: number) => (await hub.root.get(`/api/channel/${id}`)).body.data
const finished = async (kind: ChannelBatchRun['kind']) => {
  const find = async () =>
    (await hub.root.get('/api/channel/rounds')).body.data.find(
      (each: ChannelBatchRun) => each.kind === kind && each.ended_at > 0,
    )
  await expect.poll(find).toBeDefined()
  return find()
}

const batchTests = () => {
  it('a test of all channels reports failures and skips manually disabled channels', async () => {
    const [good, bad, off] = [await add('good'), await add('bad'), await add('off')]
    await hub.root.put('/api/channel/', { id: off, status: 2 })
    answers.set('/good/chat/completions', [200, hi])
    answers.set('/bad/chat/completions', [500, { error: { message: 'down for sk-secret-bad' } }])
    const begun = await hub.root.post('/api/channel/test')
    expect(begun.body.data).toMatchObject({ kind: 'test', total: 2, done: 0, ended_at: 0 })
    const round = await finished('test')
    expect(round).toMatchObject({ total: 2, done: 2, disabled: 0, enabled: 0 })
    expect(round.failed).toEqual([
      { id: bad, name: 'bad', reason: expect.stringContaining('down for ***') },
    ])
    expect((await get(good)).response_time).toBeGreaterThan(0)
    expect(await get(bad)).toMatchObject({
      status: 1,
      test_time: Math.floor(hub.app.now() / 1_000),
      test_error: expect.stringContaining('down for ***'),
    })
    expect(requestedUrls).not.toContain('/off/chat/completions')
  })

  it('a failed test is stored with the vendor’s message until a test passes', async () => {
    const id = await add('moody')
    answers.set('/moody/chat/completions', [
      429,
      { error: { message: 'spent by sk-secret-moody' } },
    ])
    expect((await hub.root.post(`/api/channel/test/${id}`)).body.code).toBe('channel.test_failed')
    const failed = await get(id)
    expect(failed).toMatchObject({ test_time: Math.floor(hub.app.now() / 1_000), response_time: 0 })
    expect(failed.test_error).toContain('spent by ***')

    answers.set('/moody/chat/completions', [200, hi])
    expect((await hub.root.post(`/api/channel/test/${id}`)).status).toBe(200)
    expect((await get(id)).test_error).toBe('')
  })

  it('only one batch run is active, and a GET starts none', async () => {
    await add('good')
    answers.set('/good/chat/completions', [200, hi])
    const { promise, resolve: answer } = Promise.withResolvers<void>()
    gate = promise
    const both = await Promise.all([1, 2].map(() => hub.root.post('/api/channel/test')))
    answer()
    expect(both.map(each => each.status).sort()).toEqual([200, 409])
    expect(both.find(each => each.status === 409)?.body.code).toBe('channel.round_running')
    await finished('test')
    for (const path of ['test', 'test/1', 'update_balance', 'update_balance/1'])
      expect([path, (await hub.root.get(`/api/channel/${path}`)).status]).toEqual([path, 405])
  })

  it('a refused key disables the channel when configured, and a passed test enables it', async () => {
    const id = await add('keyless')
    answers.set('/keyless/chat/completions', [401, { error: { message: 'no such key' } }])
    expect((await hub.root.post(`/api/channel/test/${id}`)).body.code).toBe('channel.test_failed')
    expect((await get(id)).status).toBe(1)
    await set('AutomaticDisableChannelEnabled', 'true')
    await hub.root.post('/api/channel/test')
    expect(await finished('test')).toMatchObject({ disabled: 1 })
    expect(await get(id)).toMatchObject({ status: 3, status_reason: 'test: no such key' })

    answers.set('/keyless/chat/completions', [200, hi])
    await hub.app.state.forget('channel-round:test')
    await hub.root.post('/api/channel/test')
    expect(await finished('test')).toMatchObject({ enabled: 0 })
    await set('AutomaticEnableChannelEnabled', 'true')
    await hub.app.state.forget('channel-round:test')
    await hub.root.post('/api/channel/test')
    expect(await finished('test')).toMatchObject({ enabled: 1 })
    expect(await get(id)).toMatchObject({ status: 1, status_reason: '' })
    const audit = await hub.root.get('/api/audit/?size=100')
    for (const action of ['channels.disable', 'channels.enable'])
      expect(audit.text).toContain(action)
  })
}

const balanceTests = () => {
  it('a balance is stored with its currency, and a vendor without balances is reported', async () => {
    const id = await add('rich')
    answers.set('/rich/user/balance', [
      200,
      { balance_infos: [{ currency: 'CNY', total_balance: '12.50' }] },
    ])
    const { body } = await hub.root.post(`/api/channel/update_balance/${id}`)
    expect(body.data).toEqual({ balance: 12.5, currency: 'CNY' })
    expect(await get(id)).toMatchObject({ balance: 12.5, balance_currency: 'CNY' })
    expect((await get(id)).balance_updated_time).toBeGreaterThan(0)

    answers.set('/rich/user/balance', [200, { nothing: true }])
    const mute = await hub.root.post(`/api/channel/update_balance/${id}`)
    expect([mute.status, mute.body.code]).toEqual([422, 'channel.balance_unavailable'])
    const groq = await hub.root.post(
      `/api/channel/update_balance/${await add('none', { type: 31 })}`,
    )
    expect([groq.status, groq.body.code]).toEqual([422, 'channel.balance_unavailable'])
    expect(requestedUrls.filter(each => each.startsWith('/none'))).toEqual([])
  })

  it('a custom channel shows the balance of any gateway: by OpenAI’s old routes, or by sub2api’s', async () => {
    const balanceOf = async (id: number) =>
      (await hub.root.post(`/api/channel/update_balance/${id}`)).body
    const bills = '/dashboard/billing'
    answers.set(`/old/v1${bills}/subscription`, [200, { hard_limit_usd: 20 }])
    answers.set(`/old/v1${bills}/usage`, [200, { total_usage: 500 }])
    const old = await add('old', { type: 8 })
    expect((await balanceOf(old)).data).toEqual({ balance: 15, currency: 'USD' })
    const sub = await add('sub', { type: 8 })
    const left = { isValid: true, planName: 'wallet', remaining: 7.25, unit: 'USD', balance: 7.25 }
    answers.set('/sub/v1/usage', [200, left])
    expect((await balanceOf(sub)).data).toEqual({ balance: 7.25, currency: 'USD' })
    for (const none of [
      { ...left, isValid: false },
      { isValid: true, planName: 'Pro', remaining: -1, unit: 'USD' },
      { isValid: true },
    ]) {
      answers.set('/sub/v1/usage', [200, none])
      expect((await balanceOf(sub)).code).toBe('channel.balance_unavailable')
    }
  })

  it('all balances are updated in turn, and an empty account disables its channel when configured', async () => {
    const [rich, poor] = [await add('rich'), await add('poor'), await add('none', { type: 31 })]
    const balanceAnswer = (total_balance: string) => ({
      balance_infos: [{ currency: 'USD', total_balance }],
    })
    answers.set('/rich/user/balance', [200, balanceAnswer('3')])
    answers.set('/poor/user/balance', [200, balanceAnswer('0.00')])
    await set('AutomaticDisableChannelEnabled', 'true')
    await hub.root.post('/api/channel/update_balance')
    expect(await finished('balance')).toMatchObject({ total: 2, done: 2, disabled: 1 })
    expect((await get(rich)).status).toBe(1)
    expect(await get(poor)).toMatchObject({ status: 3, status_reason: 'failure: balance 0 USD' })
  })
}

const scheduleTests = () => {
  it('a run that its time limit ends continues after the last channel next time', async () => {
    for (const name of ['one', 'two', 'three']) {
      await add(name)
      answers.set(`/${name}/user/balance`, [
        200,
        { balance_infos: [{ currency: 'USD', total_balance: '3' }] },
      ])
    }
    const { monotonic } = hub.app
    onRequest = path => {
      if (path.startsWith('/two')) hub.app.monotonic = () => monotonic() + 46 * 60_000
    }
    try {
      await hub.root.post('/api/channel/update_balance')
      expect(await finished('balance')).toMatchObject({ total: 3, done: 2 })
    } finally {
      onRequest = undefined
      hub.app.monotonic = monotonic
    }
    requestedUrls = []
    await hub.app.state.forget('channel-round:balance')
    await hub.root.post('/api/channel/update_balance')
    expect(await finished('balance')).toMatchObject({ total: 3, done: 3 })
    expect(requestedUrls.map(each => each.split('/')[1])).toEqual(['three', 'one', 'two'])
  })

  it('the jobs run at the interval of the settings and not earlier', async () => {
    await add('rich')
    answers.set('/rich/chat/completions', [200, hi])
    answers.set('/rich/user/balance', [
      200,
      { balance_infos: [{ currency: 'USD', total_balance: '3' }] },
    ])
    const run = async () => {
      requestedUrls = []
      await testChannels.run(hub.app)
      await updateBalances.run(hub.app)
      return requestedUrls.length
    }
    await set('ChannelUpdateFrequency', '0')
    hub.clock.now += 11 * 60_000
    expect(await run()).toBe(0)
    await set('ChannelTestFrequency', '10')
    await set('ChannelUpdateFrequency', '10')
    expect([await run(), await run()]).toEqual([2, 0])
    hub.clock.now += 11 * 60_000
    expect(await run()).toBe(2)
    await set('ChannelTestFrequency', '0')
    await set('ChannelUpdateFrequency', '0')
  })
}

onBothEngines('batch runs of all channels', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    answers.clear()
    requestedUrls = []
    await hub.app.db.deleteFrom('channels').execute()
    await hub.app.db.deleteFrom('options').where('key', 'like', 'Automatic%').execute()
    await hub.app.reloadSettings()
    for (const kind of ['test', 'balance'])
      for (const key of ['channel-round', 'channel-round-reached'])
        await hub.app.state.forget(`${key}:${kind}`)
  })
  batchTests()
  balanceTests()
  scheduleTests()
})
