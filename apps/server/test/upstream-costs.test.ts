import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ChannelCosts, defaultCostList } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../test/harness/addresses/keep-alive.ts'
import watchUpstreams from '../src/jobs/watch-upstreams.ts'
import { onBothEngines, type TestApp } from './harness.ts'
import { noticesOf, subscribe } from './notices.ts'
import { type RelayHub, useRelayHub } from './relay-hub.ts'

/** A gateway that serves every call, and whose page of prices a test chooses. */
let gateway: Server
let url: string
let relay: RelayHub
let hub: TestApp
let page: unknown = {}
let id: number

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
beforeAll(async () => {
  gateway = createServer(keepAlive, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    request.resume()
    if (request.url === '/api/pricing') return void response.end(JSON.stringify(page))
    const message = { role: 'assistant', content: 'ok' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.end(JSON.stringify({ choices, usage }))
  })
  await new Promise<void>(resolve => gateway.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
})
afterAll(() => void gateway.close())

/** 2 × 1 and 2 × 4 USD per million, a cache read at a tenth, and one model per call. */
const listed = [
  { model_name: 'm', quota_type: 0, model_ratio: 1, completion_ratio: 4, cache_ratio: 0.1 },
  { model_name: 'draw', quota_type: 1, model_price: 0.05 },
  { model_name: 'gpt-4o', quota_type: 0, model_ratio: 37.5, billing_expr: 'p * 2' },
]
const show = (ratio: number, data: unknown = listed) => {
  page = { success: true, data, group_ratio: { default: 1, vip: ratio } }
}
const nextRun = async () => {
  hub.clock.now += 3_600_000
  await watchUpstreams.run(hub.app)
  // Reads the change as every node does within 300 ms.
  await hub.app.changes.sync()
}
const read = async () => (await hub.root.get(`/api/channel/${id}/costs`)).body.data as ChannelCosts
const costOf = async (model: string) => {
  const { source, currency, cost } = (await read()).models.find(each => each.model === model)!
  return [source, currency, cost?.input, cost?.output, cost?.cached]
}
const notices = () => noticesOf(hub.root, 'site', 'channel.ratio')
const put = async (change: object | null) => {
  const list = change && { ...defaultCostList, base: 'upstream', ...change }
  expect((await hub.root.put(`/api/channel/${id}/costs`, { list })).status).toBe(200)
}
/** Makes a call, and reads what it cost from its log row. */
const call = async () => {
  const messages = [{ role: 'user', content: 'hi' }]
  const response = await relay.post('/v1/chat/completions', { model: 'm', messages })
  expect(response.status, await response.text()).toBe(200)
  return (await logs()).at(-1)!
}
const logs = () =>
  hub.app.db
    .selectFrom('logs')
    .select(['id', 'cost', 'cost_version'])
    .where('type', '=', 2)
    .orderBy('id')
    .execute()

const costs = () => {
  it('a channel whose upstream shows no multiplier has no known cost', async () => {
    page = {}
    await nextRun()
    expect(await read()).toMatchObject({ default_base: 'none', upstream_ratio: null })
    expect(await costOf('m')).toEqual(['unknown', null, undefined, undefined, undefined])
  })

  it('without a list, a model costs the price of the upstream times the multiplier of the group', async () => {
    show(0.16)
    await nextRun()
    expect(await read()).toMatchObject({
      ...{ list: null, default_base: 'upstream', has_upstream: true, upstream_ratio: '0.16' },
    })
    expect(await costOf('m')).toEqual(['upstream', 'USD', '0.32', '1.28', '0.032'])
    expect(await costOf('draw')).toEqual(['upstream', 'USD', '0.008', null, null])
  })

  it('the first call after the refresh that sees 0.16 become 1.8 costs that, and earlier calls keep theirs', async () => {
    const before = await call()
    // 1,000 × 0.32 and 100 × 1.28 USD per million.
    expect(before.cost).toBe(4_480_000)
    show(1.8)
    expect((await call()).cost).toBe(4_480_000)
    await nextRun()
    expect(await notices()).toEqual([
      [
        1,
        'The upstream of channel m,draw,gpt-4o,qwen-max,nobody-knows changed its multiplier: 0.16 → 1.8',
      ],
    ])
    const after = await call()
    expect(after.cost).toBe(50_400_000)
    expect(after.cost_version).not.toBe(before.cost_version)
    expect((await logs()).find(each => each.id === before.id)).toEqual(before)
    const versions = await hub.app.db.selectFrom('cost_versions').select(['id', 'body']).execute()
    const ratios = [before, after].map(
      ({ cost_version }) =>
        JSON.parse(versions.find(each => each.id === Number(cost_version))!.body).group_ratio,
    )
    expect(ratios).toEqual(['0.16', '1.8'])
    show(0.16)
    await nextRun()
    expect((await call()).cost).toBe(4_480_000)
  })

  it('a price that changes at the upstream counts from the next reading, though its multiplier stays', async () => {
    show(0.16, [{ ...listed[0], model_ratio: 2 }])
    await nextRun()
    expect((await call()).cost).toBe(8_960_000)
    show(0.16)
    await nextRun()
  })
}

const bases = () => {
  it('a model that the upstream does not list, or prices by a formula, costs the published price times the multiplier', async () => {
    expect(await costOf('gpt-4o')).toEqual(['upstream_group', 'USD', '0.4', '1.6', '0.2'])
    // Its vendor publishes yuan, of which 7 are a dollar in every list.
    expect((await costOf('qwen-max'))[1]).toBe('USD')
    expect(await costOf('nobody-knows')).toEqual([
      ...['unknown', null, undefined, undefined, undefined],
    ])
  })

  it('the factor is what a dollar of the upstream costs, and own prices come first', async () => {
    const prices = [{ model: 'draw', type: 'times', input: '0.2', output: '0' }]
    await put({ factor: '0.9', currency: 'CNY', prices })
    expect(await costOf('m')).toEqual(['upstream', 'CNY', '0.288', '1.152', '0.0288'])
    expect(await costOf('draw')).toEqual(['own', 'CNY', '0.2', null, null])
    await put(null)
  })

  it('another group or another address of the channel counts at once', async () => {
    const change = (body: object) => hub.root.put('/api/channel/', { id, ...body })
    await change({ plugin: { upstream: { group: 'default' } } })
    await hub.app.changes.sync()
    expect((await costOf('m'))[2]).toBe('2')
    await change({ tag: 'ups' })
    await hub.root.put('/api/channel_tag/ups', { plugin: { upstream: { group: 'vip' } } })
    await hub.app.changes.sync()
    expect((await costOf('m'))[2]).toBe('0.32')
    await change({ base_url: `${url}/v1`, key: 'sk-other' })
    await hub.app.changes.sync()
    expect((await costOf('m'))[0]).toBe('unknown')
    await nextRun()
    expect((await costOf('m'))[2]).toBe('0.32')
  })

  it('a page that fails for an hour leaves the costs as they are', async () => {
    page = {}
    await nextRun()
    expect((await costOf('m'))[2]).toBe('0.32')
  })
}

onBothEngines('costs by the list of an upstream gateway', open => {
  const opened = useRelayHub({}, open)
  beforeAll(async () => {
    relay = opened
    hub = relay.app
    const plugin = { upstream: { group: 'vip' } }
    await relay.addChannel(67, 'm,draw,gpt-4o,qwen-max,nobody-knows', { base_url: url, plugin })
    id = (await hub.root.get('/api/channel/?size=1')).body.data.data[0].id
    await subscribe(hub.root, 'site', ['channel.ratio'])
  })
  costs()
  bases()
})
