import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp, type TestUser } from '../../../../test/harness.ts'

let hub: TestApp
let admin: TestUser

const canary = 'canary-9c41'
const full = {
  type: 1,
  name: 'Main \u2028 "quoted"',
  models: 'gpt-4o,o*',
  group: 'default',
  base_url: 'https://one.example/v1',
  tag: 'team',
  model_mapping: '{"a":"b"}',
  priority: 4,
  weight: 6,
  test_model: 'gpt-4o',
  disabled_stream: ['o1'],
  only_chat: true,
  key_rotation: 'round_robin',
  plugin: {},
}
const secrets = {
  key: `sk-${canary}-1\nsk-${canary}-2`,
  proxy: `http://u:${canary}@p.example`,
  model_headers: JSON.stringify({ 'x-a': canary }),
  custom_parameter: JSON.stringify({ user: canary }),
}
const make = async (more: object = {}) => {
  const body = { ...full, key: 'sk-x', key_mode: 'one_channel', ...more }
  return (await admin.post('/api/channel/', body)).body.data[0].id as number
}
const get = async (id: number) => (await admin.get(`/api/channel/${id}`)).body.data
const count = async () => (await admin.get('/api/channel/?size=1')).body.data.total_count
const send = (file: string, dry_run = false) => admin.post('/api/channel/import', { file, dry_run })
const fileOf = (channels: unknown, more: object = {}) =>
  JSON.stringify({ format: 'one-hub-channels', version: 1, channels, ...more })

const exportTests = () => {
  it('the file of a channel has its fields and no secret, and an import makes it again, disabled', async () => {
    const id = await make(secrets)
    const file = await admin.get(`/api/channel/export?ids=${id}`)
    expect(file.headers['content-disposition']).toMatch(/filename="channels-\d{4}-\d\d-\d\d\.json"/)
    expect(file.text).not.toContain(canary)
    const before = await get(id)
    expect(file.body.channels).toHaveLength(1)
    expect(file.body.channels[0]).toMatchObject({
      ...full,
      status: 1,
      secrets: ['key', 'proxy', 'model_headers', 'custom_parameter'],
    })
    const { data } = (await send(file.text)).body
    expect(data.channels).toMatchObject([
      { line: 2, status: 2, missing: ['key', 'proxy', 'model_headers', 'custom_parameter'] },
    ])
    expect(await get(data.ids[0])).toEqual({
      ...before,
      id: data.ids[0],
      status: 2,
      key_count: 0,
      is_set: { proxy: false, model_headers: false, custom_parameter: false },
      created_time: expect.any(Number),
    })
    const enabled = await admin.put('/api/channel/', { id: data.ids[0], status: 1 })
    expect(enabled.body.code).toBe('channel.key_missing')
    const tested = await admin.post(`/api/channel/test/${data.ids[0]}`)
    expect(tested.body.code).toBe('channel.key_missing')
    await admin.put('/api/channel/', { id: data.ids[0], status: 1, key: 'sk-new' })
    expect(await get(data.ids[0])).toMatchObject({ status: 1, key_count: 1 })
  })

  it('without a choice it contains all channels of the filter, and each export is in the audit', async () => {
    const ids = [await make({ tag: 'only these' }), await make({ tag: 'only these', type: 17 })]
    const names = async (query: string) => {
      const { body } = await admin.get(`/api/channel/export?${query}`)
      return body.channels.map((each: { type: number }) => each.type)
    }
    expect(await names('tag=only these')).toEqual([1, 17])
    expect(await names('tag=only these&type=17')).toEqual([17])
    expect(await names(`ids=${ids[1]},999999`)).toEqual([17])
    expect((await admin.get('/api/channel/export?ids=1;2')).status).toBe(400)
    const { body } = await hub.root.get('/api/audit/?action=channels.export&size=1')
    expect(body.data.data[0].input).toMatchObject({ ids: `${ids[1]},999999` })
  })
}

const importTests = () => {
  it('a dry run creates nothing and shows what would be created', async () => {
    const before = await count()
    const given = { name: 'with key', type: 1, models: 'm', key: `sk-${canary}`, secrets: ['key'] }
    const rest = { ...given, name: 'no proxy', secrets: ['key', 'proxy'] }
    const { data } = (await send(fileOf([given, rest, { ...given, status: 2 }]), true)).body
    expect(data.problems).toEqual([])
    expect(data.ids).toEqual([])
    expect(
      data.channels.map(({ status, missing }: { status: number; missing: string[] }) => [
        status,
        missing,
      ]),
    ).toEqual([
      [1, []],
      [2, ['proxy']],
      [2, []],
    ])
    expect(JSON.stringify(data)).not.toContain(canary)
    expect(await count()).toBe(before)
  })

  it('keys that were written into the file are stored, and never in the audit', async () => {
    const channel = { name: 'k', type: 1, models: 'm', key: `sk-${canary}-3\nsk-${canary}-4` }
    const { data } = (await send(fileOf([channel]))).body
    expect(await get(data.ids[0])).toMatchObject({ status: 1, key_count: 2 })
    const found = await admin.get(`/api/channel/?key=sk-${canary}-4`)
    expect(found.body.data.data).toMatchObject([{ id: data.ids[0] }])
    const audit = await hub.root.get('/api/audit/?action=channels.import&size=5')
    expect(audit.text).not.toContain(canary)
    expect(audit.body.data.data[0].changes).toMatchObject([{ row: String(data.ids[0]) }])
  })
}

const mistakeTests = () => {
  it('each mistake is named with its line, field and reason, and nothing is created', async () => {
    const good = { name: 'good', type: 1, models: 'm' }
    const { name: _name, ...noName } = good
    const rows = [
      good,
      noName,
      { ...good, weight: 0 },
      { ...good, models: '*' },
      { ...good, group: 'default,nobody' },
      { ...good, type: 9999 },
      { ...good, type: 3 },
      { ...good, type: 35, key: `bad-${canary}` },
      { ...good, typo: 1 },
      { ...good, priority: 'high' },
      { ...good, plugin: { nothing: { a: 1 } } },
      { ...good, name: 'n'.repeat(101) },
      7,
    ]
    const file = `{"format":"one-hub-channels","version":1,"channels":[\n${rows
      .map(each => JSON.stringify(each))
      .join(',\n')}]}`
    const before = await count()
    const answer = await send(file)
    expect([answer.status, answer.body.code]).toEqual([422, 'channel.import_refused'])
    const found = answer.body.data.map(
      ({ line, field, reason }: { line: number; field: string; reason: string }) =>
        [line, field, reason].join(' '),
    )
    expect(found).toEqual([
      '3 name required',
      '4 weight too_short',
      '5 models invalid',
      '6 group group_unknown',
      '7 type type_unknown',
      '8 base_url address_missing',
      '9 key key_invalid',
      '10 typo unknown_field',
      '11 priority wrong_type',
      '12 plugin option_invalid',
      '13 name too_long',
      '14  wrong_type',
    ])
    expect(answer.text).not.toContain(canary)
    expect((await send(file, true)).body.data.problems).toEqual(answer.body.data)
    expect(await count()).toBe(before)
  })

  it('a file that is no export is refused as a whole', async () => {
    const problems = async (file: string) => (await send(file, true)).body.data.problems
    expect(await problems('{\n"format": x')).toMatchObject([{ line: 2, reason: 'not_json' }])
    expect(await problems('null')).toMatchObject([{ reason: 'not_export' }])
    expect(await problems('[]')).toMatchObject([{ reason: 'not_export' }])
    expect(await problems(fileOf([], { version: 2 }))).toMatchObject([{ reason: 'not_export' }])
    expect(await problems(fileOf([]))).toMatchObject([{ reason: 'empty' }])
    const many = Array.from({ length: 1001 }, () => 1)
    expect(await problems(fileOf(many))).toMatchObject([{ reason: 'too_many', detail: '1000' }])
  })

  it('only administrators export and import', async () => {
    const person = await hub.person(1)
    expect((await person.get('/api/channel/export')).status).toBe(403)
    expect((await person.post('/api/channel/import', { file: 'x' })).status).toBe(403)
  })
}

onBothEnginesInLongRuns('export and import of channels', open => {
  beforeAll(async () => {
    hub = await open()
    admin = await hub.person(10)
  })
  exportTests()
  importTests()
  mistakeTests()
})
