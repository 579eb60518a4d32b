import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
let admin: TestUser
let made = 0

const fields = { type: 1, name: 'vendor', models: 'a,b', key: 'sk-x', group: 'default' }
const make = async (more: object = {}): Promise<number> => {
  made += 1
  const { body } = await admin.post('/api/channel/', {
    ...fields,
    ...{ name: `vendor ${made}`, key: `sk-${made}`, ...more },
  })
  return body.data[0].id
}
const get = async (id: number) => (await admin.get(`/api/channel/${id}`)).body.data
const withoutKey = async (id: number) => {
  const row = hub.app.seal.seal('channel-key', `channels.key_sealed:${id}`, '[]')
  await hub.app.db
    .updateTable('channels')
    .set({ key_sealed: row, key_count: 0, status: 2 })
    .where('id', '=', id)
    .execute()
}

const modelTests = () => {
  it('models are added, removed and replaced in all chosen channels', async () => {
    const [a, b] = [await make(), await make({ models: 'b,c*' })]
    const send = (action: string, models: string) =>
      admin.put('/api/channel/batch/models', { ids: [a, b], action, models })
    expect((await send('add', 'b, d')).body.data).toBe(2)
    expect([(await get(a)).models, (await get(b)).models]).toEqual(['a,b,d', 'b,c*,d'])
    expect((await send('remove', 'a,d')).body.data).toBe(2)
    expect([(await get(a)).models, (await get(b)).models]).toEqual(['b', 'b,c*'])
    expect((await send('replace', 'x,y*')).body.data).toBe(2)
    expect([(await get(a)).models, (await get(b)).models]).toEqual(['x,y*', 'x,y*'])
    expect((await send('replace', 'x,y*')).body.data).toBe(0)
    expect((await send('replace', '*')).status).toBe(400)
  })

  it('where one channel would lose its last model, none of them loses any', async () => {
    const [a, b] = [await make(), await make({ models: 'b' })]
    const answer = await admin.put('/api/channel/batch/del_model', {
      ids: [a, b, 999_999],
      value: 'b',
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'channel.batch_refused'])
    expect(answer.body.data).toEqual([
      { id: b, name: `vendor ${made}`, reason: 'last_model' },
      { id: 999_999, name: '', reason: 'missing' },
    ])
    expect(answer.body.message).toContain(`#${b} vendor ${made}: it would have no model`)
    expect([(await get(a)).models, (await get(b)).models]).toEqual(['a,b', 'b'])
    const only = await admin.put('/api/channel/batch/del_model', { ids: [a], value: 'b' })
    expect(only.body.data).toBe(1)
    expect((await get(a)).models).toBe('a')
  })
}

const groupAndStatusTests = () => {
  it('groups are added, removed and replaced, and must exist', async () => {
    const [a, b] = [await make(), await make({ group: 'default,vip' })]
    const send = (action: string, group: string) =>
      admin.put('/api/channel/batch/groups', { ids: [a, b], action, group })
    expect((await send('add', 'vip')).body.data).toBe(1)
    expect([(await get(a)).group, (await get(b)).group]).toEqual(['default,vip', 'default,vip'])
    expect((await send('remove', 'default')).body.data).toBe(2)
    expect((await send('remove', 'vip')).body.data).toMatchObject([
      { id: a, reason: 'last_group' },
      { id: b, reason: 'last_group' },
    ])
    expect((await send('replace', 'default,nobody')).body.code).toBe('group.unknown')
    expect([(await get(a)).group, (await get(b)).group]).toEqual(['vip', 'vip'])
    expect((await send('replace', 'default')).body.data).toBe(2)
  })

  it('a status goes to all chosen channels, with its evidence, and never to one without a key', async () => {
    const [a, b] = [await make(), await make()]
    const send = (status: number, ids = [a, b]) =>
      admin.put('/api/channel/batch/status', { ids, status })
    expect((await send(2)).body.data).toBe(2)
    expect((await send(2)).body.data).toBe(0)
    const { body } = await admin.get(`/api/channel/${b}/changes`)
    expect(body.data).toMatchObject([{ status: 2, cause: 'manual', actor: admin.username }])
    const keyless = await make({ tag: 'keyless' })
    await withoutKey(keyless)
    expect((await send(1, [a, keyless])).body.data).toMatchObject([
      { id: keyless, reason: 'no_key' },
    ])
    expect([(await get(a)).status, (await get(keyless)).status]).toEqual([2, 2])
    const alone = await admin.put('/api/channel/', { id: keyless, status: 1 })
    expect(alone.body.code).toBe('channel.key_missing')
    const tagged = await admin.put('/api/channel_tag/keyless/status/enable')
    expect(tagged.body.data).toMatchObject([{ id: keyless, reason: 'no_key' }])
    const given = await admin.put('/api/channel/', { id: keyless, status: 1, key: 'sk-new' })
    expect(given.body.data).toMatchObject({ status: 1, key_count: 1 })
    expect((await send(1)).body.data).toBe(2)
  })
}

const versionAndAuditTests = () => {
  it('the API version goes to Azure channels only', async () => {
    const azure = { type: 3, base_url: 'https://one.example', other: '2024-10-21' }
    const [a, b, other] = [await make(azure), await make(azure), await make()]
    const send = (ids: number[], value = '2025-04-01-preview') =>
      admin.put('/api/channel/batch/azure_api', { ids, value })
    expect((await send([a, other])).body.data).toMatchObject([
      { id: other, reason: 'no_api_version' },
    ])
    expect((await get(a)).other).toBe('2024-10-21')
    expect((await send([a, b])).body.data).toBe(2)
    expect([(await get(a)).other, (await get(b)).other]).toEqual(
      Array.from({ length: 2 }, () => '2025-04-01-preview'),
    )
    expect((await send([a], ' ')).status).toBe(400)
  })

  it('the audit has one entry for each request, with the change of every channel, also a refused one', async () => {
    const [a, b] = [await make(), await make()]
    await admin.put('/api/channel/batch/models', { ids: [a, b], action: 'add', models: 'new' })
    await admin.put('/api/channel/batch/models', { ids: [a, 999_999], action: 'add', models: 'z' })
    const { body } = await hub.root.get('/api/audit/?action=channels.setModels&size=2')
    const [refused, done] = body.data.data
    expect(refused).toMatchObject({ outcome: 'channel.batch_refused' })
    const changes = done.changes.map((each: { row: string; field: string }) => [
      each.row,
      each.field,
    ])
    expect(changes).toEqual([
      [String(a), 'models'],
      [String(b), 'models'],
    ])
  })

  it('two changes of one list at once both have an effect', async () => {
    const ids = [await make(), await make()]
    const add = (models: string, order: number[]) =>
      admin.put('/api/channel/batch/models', { ids: order, action: 'add', models })
    const names = ['n1', 'n2', 'n3', 'n4']
    const answers = await Promise.all(
      names.map((name, at) => add(name, at % 2 === 0 ? ids : ids.toReversed())),
    )
    expect(answers.map(each => each.body.data)).toEqual([2, 2, 2, 2])
    for (const id of ids)
      expect((await get(id)).models.split(',').toSorted()).toEqual(['a', 'b', ...names])
  })

  it('only administrators change channels in batches', async () => {
    const person = await hub.person(1)
    const body = { ids: [1], action: 'add', models: 'm' }
    expect((await person.put('/api/channel/batch/models', body)).status).toBe(403)
  })
}

onBothEngines('batches of channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  modelTests()
  groupAndStatusTests()
  versionAndAuditTests()
})
