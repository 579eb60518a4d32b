import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AttentionReason, ChannelUpstream } from '@hub/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../../../../test/harness/addresses/keep-alive.ts'
import { onBothEngines, type TestApp } from '../../../../test/harness.ts'
import { noticesOf, subscribe } from '../../../../test/notices.ts'
import watchUpstreams from '../../../jobs/watch-upstreams.ts'

/** A gateway whose page of prices a test chooses. */
let gateway: Server
let url: string
let hub: TestApp
let answer: [status: number, body: unknown] = [404, {}]
let received: { path: string; authorization: string; user: string }[] = []

beforeAll(async () => {
  gateway = createServer(keepAlive, ({ url: path = '', headers }, response) => {
    const user = String(headers['new-api-user'] ?? '')
    received.push({ path, authorization: headers.authorization ?? '', user })
    const [status, body] = answer
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(resolve => gateway.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
})
afterAll(() => void gateway.close())

const show = (group_ratio: unknown, more: object = {}) => {
  answer = [200, { success: true, data: [], group_ratio, usable_group: { vip: 'VIP' }, ...more }]
}
const account = () => ({ type: 67, key: 'sk-secret', base_url: url })
const add = async (more: object = {}) => {
  const channel = { ...account(), name: 'up', models: 'm', ...more }
  return (await hub.root.post('/api/channel/', channel)).body.data[0].id as number
}
const group = (name: string) => ({ plugin: { upstream: { group: name } } })
const nextRun = () => {
  hub.clock.now += 3_600_000
  return watchUpstreams.run(hub.app)
}
const ratioOf = async (id: number) => {
  const { body } = await hub.root.get(`/api/channel/${id}/upstream`)
  return (body.data as ChannelUpstream).ratio!
}
const reasonsOf = async (id: number): Promise<AttentionReason[]> => {
  const { channels } = (await hub.root.get('/api/operations/attention')).body.data
  return channels.find((each: { id: number }) => each.id === id)?.reasons ?? []
}
const notices = () => noticesOf(hub.root, 'site', 'channel.ratio')
const now = () => Math.floor(hub.clock.now / 1_000)

const changes = () => {
  it('the multiplier of the group is read, and a change is told within one refresh', async () => {
    show({ default: 1, vip: 0.16 })
    const id = await add(group('vip'))
    expect(await ratioOf(id)).toMatchObject({ group: 'vip', ratio: null, read_at: 0, history: [] })
    await nextRun()
    const first = now()
    expect(await ratioOf(id)).toEqual({
      ...{ group: 'vip', ratio: '0.16', checked_at: first, read_at: first, change: null },
      groups: [
        { group: 'default', name: '', ratio: '1' },
        { group: 'vip', name: 'VIP', ratio: '0.16' },
      ],
      history: [{ group: 'vip', ratio: '0.16', valid_from: first }],
    })
    await nextRun()
    expect([await reasonsOf(id), await notices()]).toEqual([[], []])
    show({ default: 1, vip: 1.8 })
    await nextRun()
    const change = { before: '0.16', after: '1.8', at: now() }
    expect(await reasonsOf(id)).toEqual([{ kind: 'ratio', group: 'vip', ...change }])
    expect(await notices()).toEqual([
      [1, 'The upstream of channel up changed its multiplier: 0.16 → 1.8'],
    ])
    await nextRun()
    const { history, ...read } = await ratioOf(id)
    expect(read).toMatchObject({ ratio: '1.8', change })
    expect(history.map(each => [each.ratio, each.valid_from])).toEqual([
      ['1.8', change.at],
      ['0.16', first],
    ])
    await hub.root.post(`/api/channel/${id}/ratio/confirm`)
    expect([await reasonsOf(id), (await ratioOf(id)).change]).toEqual([[], null])
    expect((await notices()).length).toBe(1)
  })

  it('several changes are one entry, from the value that was confirmed last', async () => {
    const id = await add()
    for (const ratio of [1, 2, 3]) {
      show({ default: ratio })
      await nextRun()
    }
    expect((await ratioOf(id)).change).toMatchObject({ before: '1', after: '3' })
    show({ default: 1 })
    await nextRun()
    expect((await ratioOf(id)).change).toMatchObject({ before: '3', after: '1' })
    expect((await notices()).length).toBe(3)
  })

  it('another group of the channel is no change of the upstream', async () => {
    show({ default: 1, vip: 0.5 })
    const id = await add()
    await nextRun()
    show({ default: 2, vip: 0.5 })
    await nextRun()
    await hub.root.put('/api/channel/', { id, ...group('vip') })
    expect((await ratioOf(id)).ratio).toBe('0.5')
    await nextRun()
    expect([(await ratioOf(id)).change, await reasonsOf(id)]).toEqual([null, []])
    expect((await ratioOf(id)).history.map(each => `${each.group} ${each.ratio}`)).toEqual([
      'vip 0.5',
      'default 2',
      'default 1',
    ])
  })

  it('the interval is a setting, and 0 reads by hand only', async () => {
    show({ default: 1 })
    const id = await add()
    await hub.root.put('/api/option/', { key: 'UpstreamRatioHours', value: '0' })
    await nextRun()
    expect(received).toEqual([])
    const { body } = await hub.root.post(`/api/channel/${id}/upstream`)
    expect(body.data.ratio.ratio).toBe('1')
    await hub.root.put('/api/option/', { key: 'UpstreamRatioHours', value: '1' })
  })
}

const unknown: [string, [number, unknown]][] = [
  ['a server without the page', [404, {}]],
  ['a page for signed-in people', [401, { success: false }]],
  ['a failure', [500, {}]],
  ['a page of another kind', [200, '<html>']],
  ['a list of prices without groups', [200, { data: [] }]],
  ['a list instead of groups', [200, { group_ratio: [1, 2] }]],
  ['no groups', [200, { group_ratio: {} }]],
  ['groups without the own one', [200, { group_ratio: { vip: 1 } }]],
  ['a negative ratio', [200, { group_ratio: { default: -1 } }]],
  ['a ratio that is no number', [200, { group_ratio: { default: 'much' } }]],
]

const unknowns = () => {
  it.each(unknown)('%s is unknown and no alarm, and keeps the history', async (_, bad) => {
    answer = bad
    const id = await add()
    await nextRun()
    expect((await ratioOf(id)).ratio).toBeNull()
    show({ default: '0.30' })
    await nextRun()
    answer = bad
    await nextRun()
    const { history } = await ratioOf(id)
    expect(history.map(each => each.ratio)).toEqual(['0.3'])
    expect([await reasonsOf(id), await notices()]).toEqual([[], []])
    const { problems } = (await hub.root.get('/api/operations/attention')).body.data
    expect(problems.map((each: { kind: string }) => each.kind)).toEqual([])
  })

  it('a channel of another type has no multiplier', async () => {
    const id = await add({ type: 1 })
    show({ default: 1 })
    await nextRun()
    expect([await ratioOf(id), received]).toEqual([null, []])
  })
}

const accounts = () => {
  it('S5 the page of prices gets the token of the account, and never the key', async () => {
    show({ default: 1 })
    await add()
    await add({ name: 'with token', key: 'sk-secret|tok|7' })
    await nextRun()
    expect(received).toEqual([
      { path: '/api/pricing', authorization: '', user: '' },
      { path: '/api/pricing', authorization: 'Bearer tok', user: '7' },
    ])
  })

  it('the groups are listed for a form, with its account or a stored one', async () => {
    show({ default: 1, vip: 0.16 })
    const list = (body: object) => hub.root.post('/api/channel/provider_groups_list', body)
    const groups = [
      { group: 'default', name: '', ratio: '1' },
      { group: 'vip', name: 'VIP', ratio: '0.16' },
    ]
    expect((await list(account())).body.data).toEqual(groups)
    const id = await add()
    expect((await list({ id, type: 67 })).body.data).toEqual(groups)
    const elsewhere = await list({ id, type: 67, base_url: 'http://127.0.0.1:9' })
    expect(elsewhere.body.code).toBe('channel.secrets_needed')
    expect((await list({ ...account(), type: 1 })).body.code).toBe('request.invalid')
    answer = [404, {}]
    expect((await list(account())).body.data).toEqual([])
  })

  it('a group is refused for a type without groups, and a watch for one without a list', async () => {
    const create = (type: number, plugin: object) =>
      hub.root.post('/api/channel/', { ...account(), type, name: 'x', models: 'm', plugin })
    const refused = 'channel.option_invalid'
    expect((await create(1, group('vip').plugin)).body.code).toBe(refused)
    // Kling has no list of models.
    expect((await create(53, { watch: { models: 'propose' } })).body.code).toBe(refused)
    expect((await create(67, { watch: { models: 'always' } })).body.code).toBe(refused)
  })
}

onBothEngines('the multiplier of an upstream gateway', open => {
  beforeAll(async () => {
    hub = await open()
  })
  beforeEach(async () => {
    received = []
    const { db } = hub.app
    for (const table of ['channels', 'upstream_groups', 'upstream_ratios'] as const)
      await db.deleteFrom(table).execute()
    for (const table of ['notifications', 'notification_targets'] as const)
      await db.deleteFrom(table).execute()
    await subscribe(hub.root, 'site', ['channel.ratio'])
  })
  changes()
  unknowns()
  accounts()
})
