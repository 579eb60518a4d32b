import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
let admin: TestUser
let made = 0
/** Three channels of a new tag, the names of their keys unique. */
const tagged = async (more: object = {}) => {
  const tag = `team ${++made}/东`
  const { body } = await admin.post('/api/channel/', {
    type: 1,
    name: 'vendor',
    models: 'gpt-4o',
    key: [1, 2, 3].map(at => `sk-${made}-${at}`).join('\n'),
    tag,
    ...more,
  })
  const ids = body.data.map((each: { id: number }) => each.id) as number[]
  return { tag, ids, path: `/api/channel_tag/${encodeURIComponent(tag)}` }
}
const list = async (path: string) => (await admin.get(`${path}/list`)).body.data

const refusalTests = () => {
  it('a group that does not exist, and no address where the type has none, are refused for all channels of the tag', async () => {
    const azure = { type: 3, base_url: 'https://one.example', other: '2024-10-21' }
    const { path } = await tagged(azure)
    const unknown = await admin.put(path, { group: 'default,nobody' })
    expect([unknown.status, unknown.body.code]).toEqual([422, 'group.unknown'])
    const key = [1, 2, 3].map(at => `sk-${made}-${at}`).join('\n')
    const noAddress = await admin.put(path, { base_url: '', key })
    expect([noAddress.status, noAddress.body.message]).toEqual([
      400,
      expect.stringContaining('`base_url`: enter an address'),
    ])
    for (const each of await list(path))
      expect(each).toMatchObject({ group: 'default', base_url: 'https://one.example' })
  })
}

const changeTests = () => {
  it('a tag is listed with its channels, whatever its name is written with', async () => {
    const { tag, ids, path } = await tagged()
    await admin.put('/api/channel/', { id: ids[0], status: 2 })
    const { body } = await admin.get('/api/channel_tag/_all')
    expect(body.data).toContainEqual({ id: 0, tag, channels: 3, enabled: 2 })
    expect((await list(path)).map((each: { id: number }) => each.id)).toEqual(ids)
    const { data } = (await admin.get(path)).body
    expect(data).toMatchObject({ id: ids[0], name: 'vendor', tag })
    expect(data.channels.map((each: { id: number }) => each.id)).toEqual(ids)
    expect(
      new Set(data.channels.map((each: { fingerprint: string }) => each.fingerprint)).size,
    ).toBe(3)
    expect(JSON.stringify(data)).not.toContain('sk-')
    expect((await admin.get('/api/channel_tag/nobody')).status).toBe(404)
  })

  it('what a change names goes into all of its channels, and nothing else does', async () => {
    const { tag, ids, path } = await tagged({ priority: 3, proxy: 'http://p.example' })
    const other = await tagged()
    const before = await list(other.path)
    const { body } = await admin.put(path, {
      models: 'a, b',
      only_chat: true,
      weight: 9,
      name: 'x',
    })
    expect(body.data).toBe(3)
    for (const each of await list(path))
      expect(each).toMatchObject({
        models: 'a,b',
        only_chat: true,
        tag,
        is_set: { proxy: true, model_headers: false, custom_parameter: false },
        priority: 3,
        weight: 1,
      })
    expect((await list(path)).map((each: { name: string }) => each.name)).not.toContain('x')
    expect(await list(other.path)).toEqual(before)
    const renamed = `${tag}2`
    await admin.put(path, { tag: renamed })
    expect((await admin.get(path)).status).toBe(404)
    expect(await list(`/api/channel_tag/${encodeURIComponent(renamed)}`)).toHaveLength(3)
    expect(ids).toHaveLength(3)
  })

  it('a key that is new makes another channel of the tag, one that is known does not', async () => {
    const { path } = await tagged({ test_model: 'first', group: 'vip' })
    const known = `sk-${made}-1`
    const { body } = await admin.put(path, { key: `${known}\nsk-fourth`, test_model: 'gpt-4o' })
    expect(body.data).toBe(4)
    const all = await list(path)
    expect(all.at(-1)).toMatchObject({
      name: 'vendor_4',
      group: 'vip',
      test_model: 'gpt-4o',
      key_count: 1,
      status: 1,
    })
    const found = await admin.get('/api/channel/?key=sk-fourth')
    expect(found.body.data.data).toHaveLength(1)
    const audit = await hub.root.get('/api/audit/?size=50')
    expect(audit.text).toContain('channels.updateTag')
    expect(audit.text).not.toContain('sk-fourth')
  })
}

const listAndRemoveTests = () => {
  it('priority, weight and status are set for all, and say how many', async () => {
    const { path } = await tagged()
    expect((await admin.put(`${path}/priority`, { type: 'priority', value: 7 })).body.data).toBe(3)
    expect((await admin.put(`${path}/status/disable`)).body.data).toBe(3)
    for (const each of await list(path)) expect(each).toMatchObject({ priority: 7, status: 2 })
    await admin.put(`${path}/status/enable`)
    for (const each of await list(path)) expect(each).toMatchObject({ status: 1 })
    expect((await admin.put(`${path}/priority`, { value: -1 })).status).toBe(400)
    expect((await admin.put(`${path}/priority`, { type: 'weight', value: 0 })).status).toBe(400)
    expect((await admin.put(`${path}/priority`, { type: 'weight', value: 5 })).body.data).toBe(3)
    for (const each of await list(path)) expect(each).toMatchObject({ priority: 7, weight: 5 })
    expect((await admin.put(`${path}/status/maybe`)).status).toBe(400)
    expect((await admin.put('/api/channel_tag/nobody/status/enable')).status).toBe(404)
  })

  it('deleting takes the disabled ones, or all, and the keys with them', async () => {
    const { ids, path } = await tagged()
    await admin.put('/api/channel/', { id: ids[1], status: 2 })
    expect((await admin.delete(`${path}/disabled`)).body.data).toBe(1)
    expect(await list(path)).toHaveLength(2)
    expect((await admin.delete(`/api/channel/${ids[0]}/tag`)).status).toBe(200)
    expect((await admin.delete(path)).body.data).toBe(1)
    expect((await admin.delete(path)).status).toBe(404)
    const rows = await hub.app.db
      .selectFrom('channels')
      .select(['key_sealed', 'tag'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    expect(rows.map(row => row.key_sealed !== '')).toEqual([true, false, false])
    expect(rows[0]?.tag).toBe('')
  })

  it('a list can leave the tagged out, or show one of each tag', async () => {
    const { ids } = await tagged()
    const shown = async (filter: number) =>
      (await admin.get(`/api/channel/?size=100&filter_tag=${filter}`)).body.data.data.map(
        (row: { id: number }) => row.id,
      )
    expect(await shown(1)).not.toContain(ids[0])
    const newest = await shown(2)
    expect([newest.includes(ids[2]), newest.includes(ids[0])]).toEqual([true, false])
    expect(await shown(0)).toEqual(expect.arrayContaining(ids))
  })

  it('only administrators reach them', async () => {
    const person = await hub.person(1)
    expect((await person.get('/api/channel_tag/_all')).status).toBe(403)
    expect((await person.delete('/api/channel_tag/x')).status).toBe(403)
  })
}

onBothEngines('channel tags', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  refusalTests()
  changeTests()
  listAndRemoveTests()
})
