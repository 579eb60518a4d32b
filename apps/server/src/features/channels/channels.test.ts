import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { disableChannel } from '../../db/queries/relay-channels.ts'

const fields = { type: 1, name: 'vendor', models: 'gpt-4o, gpt-4o-mini,o*', group: 'default,vip' }

let hub: TestApp
let admin: TestUser
const make = async (more: object = {}) => {
  const { body } = await admin.post('/api/channel/', { ...fields, key: 'sk-canary-0', ...more })
  return body.data
}
const get = async (id: number) => (await admin.get(`/api/channel/${id}`)).body.data

const createAndFindTests = () => {
  it('several lines make several channels, numbered from the second on', async () => {
    const made = await make({ key: 'sk-canary-1\n\n  sk-canary-2  \nsk-canary-3\nsk-canary-3' })
    expect(made.map((each: { name: string }) => each.name)).toEqual([
      'vendor',
      'vendor_2',
      'vendor_3',
    ])
    expect(made[0]).toMatchObject({ key_count: 1, status: 1, models: 'gpt-4o,gpt-4o-mini,o*' })
  })

  it('S24 no answer, no list and no audit row shows a key', async () => {
    const canary = 'sk-canary-planted-4711'
    const proxy = 'http://user:canary-4712@proxy.example:8080'
    const model_headers = '{"Authorization":"canary-4713"}'
    const [{ id }] = await make({ key: canary, proxy, model_headers })
    await admin.put('/api/channel/', { id, key: canary, name: 'renamed' })
    await admin.post(`/api/channel/${id}/copy`)
    const answers = await Promise.all(
      [
        `/api/channel/${id}`,
        '/api/channel/?size=100',
        `/api/channel/?key=${canary}`,
        '/api/channel/models',
        '/api/audit/?size=100',
        '/api/log/?size=100',
        '/api/option/',
        '/api/user/?size=100',
      ].map(url => hub.root.get(url)),
    )
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toContain(canary)
    }
    expect(answers[4]!.text).not.toMatch(/canary-471/)
    expect(answers[4]!.text).toContain('fingerprint:')
    const stored = JSON.stringify(await hub.app.db.selectFrom('channels').selectAll().execute())
    expect(stored).not.toContain(canary)
  })

  it('a channel is found by its whole key and by nothing less', async () => {
    const [{ id }] = await make({ key: 'sk-find-me' })
    const found = async (key: string) =>
      (await admin.get(`/api/channel/?key=${key}`)).body.data.data.map(
        (row: { id: number }) => row.id,
      )
    expect(await found('sk-find-me')).toEqual([id])
    expect(await found('sk-find-m')).toEqual([])
  })
}

const updateTests = () => {
  it('an update changes what it names and nothing else', async () => {
    const [{ id }] = await make({
      tag: 'a',
      priority: 5,
      disabled_stream: ['o1'],
      type: 17,
      plugin: { web_search: { enable: true } },
    })
    const before = await get(id)
    const sealed = () =>
      hub.app.db
        .selectFrom('channels')
        .select(['key_sealed', 'key_hash'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    const key = await sealed()
    expect((await admin.put('/api/channel/', { id, weight: 7 })).body.data).toEqual({
      ...before,
      weight: 7,
    })
    expect((await admin.put('/api/channel/', { id, status: 2, key: '' })).body.data).toEqual({
      ...before,
      weight: 7,
      status: 2,
    })
    expect(await sealed()).toEqual(key)
    await admin.put('/api/channel/', { id, key: 'sk-one\nsk-two' })
    expect((await get(id)).key_count).toBe(2)
    expect(await sealed()).not.toEqual(key)
  })

  it('a copy is disabled, has the keys, and its own seal', async () => {
    const [{ id }] = await make({ key: 'sk-copied' })
    const copy = (await admin.post(`/api/channel/${id}/copy`)).body.data
    expect(copy).toMatchObject({ name: 'vendor_copy', status: 2, key_count: 1 })
    const row = await hub.app.db
      .selectFrom('channels')
      .selectAll()
      .where('id', '=', copy.id)
      .executeTakeFirstOrThrow()
    expect(hub.app.seal.open('channel-key', `channels.key_sealed:${copy.id}`, row.key_sealed)).toBe(
      '["sk-copied"]',
    )
    expect(() =>
      hub.app.seal.open('channel-key', `channels.key_sealed:${id}`, row.key_sealed),
    ).toThrow()
  })
}

/** Azure, custom servers, 360, Azure Databricks and Azure V1. */
const typesWithoutAddress = [3, 8, 19, 54, 55]

const refusalTests = () => {
  it('what cannot work is refused with the field that is wrong', async () => {
    for (const wrong of [
      { key: '' },
      { key: undefined },
      { models: '' },
      { models: '*' },
      { models: 'gpt*4' },
      { base_url: 'file:///etc/passwd' },
      { proxy: 'ftp://x' },
      { model_mapping: '{"a":1}' },
      { custom_parameter: '[]' },
      { models: ', ,' },
      { model_headers: '{"Host":"x.example"}' },
      { model_headers: '{"Content-Length":"1"}' },
      { model_headers: '{"transfer-encoding":"chunked"}' },
      { model_headers: '{"Connection":"close"}' },
      { model_headers: '{"a b":"c"}' },
      { model_headers: JSON.stringify({ a: 'b\r\nc: d' }) },
      { model_headers: JSON.stringify({ a: 'b\0' }) },
      { model_headers: JSON.stringify({ a: '…' }) },
    ]) {
      const { status, body } = await admin.post('/api/channel/', {
        ...fields,
        key: 'sk-x',
        ...wrong,
      })
      expect([wrong, status]).toEqual([wrong, 400])
      expect(body.message).toContain(`\`${Object.keys(wrong)[0]}\``)
    }
    const commas = (await make({ models: 'a, b,' }))[0]
    expect(commas.models).toBe('a,b')
    const header = { model_headers: '{"Authorization":"x","api-key":"y"}' }
    expect((await make(header))[0].is_set.model_headers).toBe(true)
    for (const [method, path, body] of [
      ['POST', '/api/channel/', { ...fields, key: 'x', group: 'default,nobody' }],
      ['PUT', '/api/channel/', { id: commas.id, group: 'nobody' }],
    ] as const) {
      const answer = await admin.send(method, path, body)
      expect([answer.status, answer.body.code]).toEqual([422, 'group.unknown'])
      expect(answer.body.message).toContain('`group`: there is no group “nobody”')
    }
    for (const type of typesWithoutAddress) {
      const created = await admin.post('/api/channel/', { ...fields, key: 'x', base_url: '', type })
      const changed = await admin.put('/api/channel/', { id: commas.id, type, key: 'x' })
      for (const { status, body } of [created, changed])
        expect([type, status, body.message]).toEqual([
          ...[type, 400],
          expect.stringContaining('`base_url`: enter an address'),
        ])
    }
    expect((await admin.post('/api/channel/', { ...fields, key: 'x', type: 9999 })).body.code).toBe(
      'provider.unknown',
    )
    const badKey = await admin.post('/api/channel/', { ...fields, key: 'ok|x|y\nx', type: 35 })
    expect(badKey.body.code).toBe('channel.key_invalid')
    expect(badKey.body.message).toContain('`key`, key 1: ACCOUNT_ID|API_TOKEN.')
    const shutDown = await admin.post('/api/channel/', { ...fields, key: 'x', type: 49 })
    expect(shutDown.body.code).toBe('provider.unknown')
    expect(shutDown.body.message).toContain('https://github.com/orgs/community/discussions/203602')
  })
}

const listAndRemoveTests = () => {
  it('filters name a group whole, a model in part, and take wildcards as they are', async () => {
    const [{ id }] = await make({ models: 'special_model', group: 'svip', tag: 'team' })
    const ids = async (query: string) =>
      (await admin.get(`/api/channel/?size=100&${query}`)).body.data.data.map(
        (row: { id: number }) => row.id,
      )
    expect(await ids('group=svip')).toEqual([id])
    expect(await ids('group=svi')).toEqual([])
    expect(await ids('models=cial_m')).toEqual([id])
    expect(await ids('models=cial%25m')).toEqual([])
    expect(await ids('tag=team&status=1')).toEqual([id])
    expect(await ids('tag=team&status=2')).toEqual([])
  })

  it('deleting takes many, the disabled ones, or one, and the keys with them', async () => {
    const made = await make({ key: 'sk-d1\nsk-d2\nsk-d3' })
    const [a, b, c] = made.map((each: { id: number }) => each.id)
    const removeMany = (value: string) =>
      admin.delete('/api/channel/batch', { value, ids: [a, 999_999] })
    const refused = await removeMany('disable')
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('`value`'),
    ])
    expect((await removeMany('batch_delete')).body.data).toBe(1)
    await admin.put('/api/channel/', { id: b, status: 2 })
    expect((await admin.delete('/api/channel/disabled')).body.data).toBeGreaterThanOrEqual(1)
    expect((await admin.delete(`/api/channel/${c}`)).status).toBe(200)
    expect((await admin.delete(`/api/channel/${c}`)).status).toBe(404)
    const rows = await hub.app.db
      .selectFrom('channels')
      .select('key_sealed')
      .where('id', 'in', [a, b, c])
      .execute()
    expect(rows.map(row => row.key_sealed)).toEqual(['', '', ''])
  })

  it('a deleted channel is not disabled any more', async () => {
    const [{ id }] = await make()
    await admin.delete(`/api/channel/${id}`)
    const row = () =>
      hub.app.db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirst()
    const before = await row()
    expect(await disableChannel(hub.app.db, id, 'test: late')).toBe(false)
    expect(await row()).toEqual(before)
  })

  it('the model list has the shape of /v1/models, without an envelope', async () => {
    const { body } = await admin.get('/api/channel/models')
    expect(body.object).toBe('list')
    expect(body.data[0]).toMatchObject({ object: 'model', created: 1_677_649_963 })
    expect(body.success).toBeUndefined()
  })
}

onBothEngines('channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  createAndFindTests()
  updateTests()
  refusalTests()
  listAndRemoveTests()
})
