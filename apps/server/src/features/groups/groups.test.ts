import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

let hub: TestApp
const make = async (symbol: string, more: object = {}) =>
  (await hub.root.post('/api/user_group/', { symbol, name: symbol, ...more })).body

const groupTests = () => {
  it('default, vip and svip exist, and default stays enabled', async () => {
    const { data } = (await hub.root.get('/api/user_group/?order=id')).body
    expect(data.data.map((row: { symbol: string }) => row.symbol)).toEqual([
      'default',
      'vip',
      'svip',
    ])
    const { id } = data.data[0]
    expect((await hub.root.put(`/api/user_group/enable/${id}`)).body.code).toBe('resource.built_in')
    expect((await hub.root.delete(`/api/user_group/${id}`)).body.code).toBe('resource.built_in')
  })

  it('a symbol is unique, and a ratio keeps every digit', async () => {
    const { data } = await make('exact', { ratio: 0.0000001, api_rate: 30 })
    expect(data).toMatchObject({ ratio: 1e-7, api_rate: 30, public: false, enable: true })
    expect((await make('exact')).code).toBe('resource.exists')
    const stored = await hub.app.db
      .selectFrom('user_groups')
      .select('ratio')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    expect(stored.ratio).toBe('0.0000001')
  })

  it('an update changes what it names and nothing else', async () => {
    const { data } = await make('partial', { ratio: 2.5, api_rate: 7, public: true })
    const { body } = await hub.root.put('/api/user_group/', { id: data.id, name: 'Renamed' })
    expect(body.data).toEqual({ ...data, name: 'Renamed' })
  })

  it('limits are none unless set, kept as they are, and taken away by null', async () => {
    const none = {
      requests_per_day: null,
      tokens_per_minute: null,
      concurrent_requests: null,
      quota_per_day: null,
      quota_per_month: null,
    }
    const { data } = await make('limited')
    expect(data).toMatchObject(none)
    const all = {
      requests_per_day: 1_000,
      tokens_per_minute: 50_000,
      concurrent_requests: 4,
      quota_per_day: 500_000,
      quota_per_month: Number.MAX_SAFE_INTEGER,
    }
    const put = async (change: object) =>
      (await hub.root.put('/api/user_group/', { id: data.id, ...change })).body
    expect((await put(all)).data).toMatchObject(all)
    expect((await put({ quota_per_day: null })).data).toEqual({
      ...data,
      ...all,
      quota_per_day: null,
    })
    expect((await put({ requests_per_day: 0 })).code).toBe('request.invalid')
    expect((await put({ tokens_per_minute: 1.5 })).code).toBe('request.invalid')
    expect((await make('born', all)).data).toMatchObject(all)
  })
}

const usageTests = () => {
  it('a group that somebody uses is not deleted', async () => {
    const byUser = (await make('by-user')).data
    const user = await hub.person(1, { group: 'by-user' })
    expect((await hub.root.delete(`/api/user_group/${byUser.id}`)).body.code).toBe(
      'resource.in_use',
    )
    await hub.root.put('/api/user/', { id: user.id, group: 'default' })
    expect((await hub.root.delete(`/api/user_group/${byUser.id}`)).status).toBe(200)

    const byChannel = (await make('by_channel')).data
    const channel = { type: 1, name: 'c', models: 'm', key: 'sk-x' }
    await hub.root.post('/api/channel/', { ...channel, group: 'default,by_channel' })
    expect((await hub.root.delete(`/api/user_group/${byChannel.id}`)).body.code).toBe(
      'resource.in_use',
    )
    const alike = (await make('byXchannel')).data
    expect((await hub.root.delete(`/api/user_group/${alike.id}`)).status).toBe(200)
  })

  it('a guest sees the public groups, a user their own too', async () => {
    const symbols = async (visitor: { get: TestApp['root']['get'] }) =>
      Object.keys((await visitor.get('/api/user_group_map')).body.data)
    expect(await symbols(hub.guest())).not.toContain('vip')
    const user = await hub.person(1, { group: 'vip' })
    expect(await symbols(user)).toContain('vip')
    expect(await symbols(user)).not.toContain('svip')
  })

  it('toggling hides and shows it', async () => {
    const { data } = await make('switch')
    const toggle = async () =>
      (await hub.root.put(`/api/user_group/enable/${data.id}`)).body.data.enable
    expect(await toggle()).toBe(false)
    expect((await hub.root.get('/api/group/')).body.data).not.toContain('switch')
    expect(await toggle()).toBe(true)
  })
}

onBothEngines('groups', open => {
  beforeAll(async () => {
    hub = await open()
  })
  groupTests()
  usageTests()
})
