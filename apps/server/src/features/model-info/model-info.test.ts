import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import { openChangeNotifications } from '../../state/change-notifications.ts'
import { modelInfo } from './index.ts'

const path = '/api/model_info/'
/** A body as One Hub's console sends it: lists are JSON texts. */
const bodyOf = (model: string) => ({
  ...{ model, name: 'GPT-4o', description: 'sees pictures' },
  ...{ context_length: 128_000, max_tokens: 16_384 },
  input_modalities: '["text", "image"]',
  output_modalities: '["text"]',
  tags: '["Hot"]',
  support_url: '["https://vendor.example/docs"]',
})

/** Opened before the tests of a suite. */
let hub: TestApp

const list = async () => (await hub.guest().get(path)).body.data
const create = async (model: string, more: object = {}) => {
  const { body } = await hub.root.post(path, { ...bodyOf(model), ...more })
  return body.data
}

/** The status and the field of the refusal of a row with one wrong value. */
const refusal = async (wrong: Record<string, unknown>) => {
  const [value] = Object.values(wrong)
  const created = await hub.root.post(path, { ...bodyOf('wrong'), ...wrong })
  const changed = await hub.root.put(path, { id: 999_999, ...wrong })
  expect(changed.body.message).toBe(created.body.message)
  return [created.status, /`(\w+)`:/.exec(created.body.message)?.[1], value]
}

const rowTests = () => {
  it('is listed for visitors, the newest first, as soon as it is written', async () => {
    expect((await hub.guest().get('/api/model_info')).body).toEqual({
      ...{ success: true, message: '', data: [] },
    })
    const first = await create('gpt-4o')
    const now = Math.floor(hub.clock.now / 1000)
    const row = { ...bodyOf('gpt-4o'), input_modalities: '["text","image"]' }
    expect(first).toEqual({ ...row, id: first.id, created_at: now, updated_at: now })
    const second = await create('gpt-5')
    expect(await list()).toEqual([second, first])
    expect((await hub.root.get(`${path}${first.id}`)).body.data).toEqual(first)
    hub.clock.now += 5_000
    const change = { ...first, name: 'Omni', description: '', created_at: 1, updated_at: 1 }
    const changed = { ...change, created_at: now, updated_at: now + 5 }
    expect((await hub.root.put(path, change)).body.data).toEqual(changed)
    expect(await list()).toEqual([second, changed])
    expect((await hub.root.delete(`${path}${second.id}`)).status).toBe(200)
    expect(await list()).toEqual([changed])
    for (const each of [
      await hub.root.get(`${path}${second.id}`),
      await hub.root.put(path, { id: second.id, name: 'x' }),
      await hub.root.delete(`${path}${second.id}`),
    ])
      expect([each.status, each.body.code]).toEqual([404, 'resource.missing'])
  })

  it('what a change leaves out stays, and a change of nothing is none', async () => {
    const row = await create('partial')
    hub.clock.now += 5_000
    const change = async (tags: string) =>
      (await hub.root.put(path, { id: row.id, tags })).body.data
    expect(await change('[ "Hot" ]')).toEqual(row)
    const changed = { ...row, tags: '["new"]', updated_at: row.updated_at + 5 }
    expect(await change('["new"]')).toEqual(changed)
  })

  it('a model has one row, and may be renamed to one that has none', async () => {
    const [one, two] = [await create('one'), await create('two')]
    for (const each of [
      await hub.root.post(path, bodyOf(' one ')),
      await hub.root.put(path, { ...two, model: 'one' }),
    ]) {
      expect([each.status, each.body.code]).toEqual([409, 'resource.exists'])
      expect(each.body.message).toContain('`model`')
    }
    expect((await hub.root.put(path, { ...one, name: 'same model' })).status).toBe(200)
    expect((await hub.root.put(path, { ...two, model: 'three' })).body.data.model).toBe('three')
    const made = await Promise.all(
      Array.from({ length: 5 }, () => hub.root.post(path, bodyOf('r'))),
    )
    expect(made.map(each => each.status).sort()).toEqual([200, 409, 409, 409, 409])
  })
}

const fieldTests = () => {
  it('a list is a JSON text of short texts, and one that is left out is empty', async () => {
    const { body } = await hub.root.post(path, { model: 'bare', name: 'Bare' })
    expect(body.data).toMatchObject({
      ...{ description: '', context_length: 0, max_tokens: 0, support_url: '[]' },
      ...{ input_modalities: '[]', output_modalities: '[]', tags: '[]' },
    })
    expect((await create('trimmed', { tags: '[" a ", "a", "b"]' })).tags).toBe('["a","b"]')
    const long = JSON.stringify(Array.from({ length: 21 }, (_, at) => `${at}`))
    const wrong = ['text', '', '{}', 'null', '[1]', '["a", null]', '[["a"]]', '[""]', '["a"', long]
    for (const field of ['input_modalities', 'output_modalities', 'tags'])
      for (const value of [...wrong, JSON.stringify(['x'.repeat(51)])])
        expect(await refusal({ [field]: value })).toEqual([400, field, value])
  })

  it('an address is http or https, in a list or alone', async () => {
    const url = 'https://vendor.example/a'
    expect((await create('alone', { support_url: url })).support_url).toBe(`["${url}"]`)
    expect((await create('none', { support_url: '' })).support_url).toBe('[]')
    const script = 'javascript:alert(1)'
    for (const value of [
      ...[
        script,
        `["${script}"]`,
        `["${url}","${script}"]`,
        'data:text/html,x',
        'ftp://a.example',
        'https:a.example',
      ],
      ...['vendor.example', `${url} ${script}`, '[1]', '["https://a.example"', '{}'],
      `https://a.example/${'x'.repeat(500)}`,
    ])
      expect(await refusal({ support_url: value })).toEqual([400, 'support_url', value])
  })

  it('a number is whole and not negative, and a text has a limit', async () => {
    for (const field of ['context_length', 'max_tokens'])
      for (const value of [-1, 1.5, '5', 1e12, null])
        expect(await refusal({ [field]: value })).toEqual([400, field, value])
    for (const [field, value] of [
      ...[['model', ''] as const, ['model', 'x'.repeat(101)] as const],
      ...[['name', ' '] as const, ['name', 'x'.repeat(101)] as const],
      ['description', 'x'.repeat(5001)] as const,
    ])
      expect(await refusal({ [field]: value })).toEqual([400, field, value])
  })
}

const accessTests = () => {
  it('only administrators write', async () => {
    await create('not-mine')
    const user = await hub.person()
    for (const who of [hub.guest(), user]) {
      const before = await list()
      const id = before[0].id
      for (const response of [
        await who.post(path, bodyOf('mine')),
        await who.put(path, { id, name: 'mine' }),
        await who.delete(`${path}${id}`),
        await who.get(`${path}${id}`),
      ])
        expect([401, 403]).toContain(response.status)
      expect(await list()).toEqual(before)
    }
    const admin = await hub.person(10)
    expect((await admin.post(path, bodyOf('by-admin'))).status).toBe(200)
  })

  it('each write is in the audit log, with what it changed', async () => {
    const row = await create('audited')
    await hub.root.put(path, { id: row.id, context_length: 5 })
    await hub.root.delete(`${path}${row.id}`)
    const changes = async (action: string) => {
      const { data } = (await hub.root.get(`/api/audit/?action=${action}`)).body.data
      return data[0].changes
    }
    const id = String(row.id)
    expect(await changes('model-info.create')).toMatchObject([
      { row: id, field: '', after: { model: 'audited' } },
    ])
    expect(await changes('model-info.update')).toEqual([
      { row: id, field: 'context_length', before: 128_000, after: 5 },
    ])
    expect(await changes('model-info.remove')).toMatchObject([
      { row: id, field: '', before: { model: 'audited' } },
    ])
  })

  it('another node lists a change after its next poll, and asks the database once', async () => {
    const changes = await openChangeNotifications(hub.app.db, { pollMilliseconds: 60_000 })
    const read = { queries: 0 }
    const node = {
      ...hub.app,
      changes,
      db: hub.app.db.withPlugin({
        transformQuery: ({ node: query }) => query,
        transformResult: async ({ result }) => {
          read.queries += 1
          return result
        },
      }),
    }
    const listed = () => modelInfo.handlers.list!(node, null, {}, {} as never)
    expect(await listed()).toEqual(await list())
    const row = await create('everywhere')
    await changes.sync()
    for (const _ of [1, 2, 3]) expect(await listed()).toContainEqual(row)
    await hub.root.delete(`${path}${row.id}`)
    await changes.sync()
    expect(await listed()).not.toContainEqual(row)
    expect(read.queries).toBe(3)
    await changes.close()
  })
}

onBothEnginesInLongRuns('model information', open => {
  beforeAll(async () => {
    hub = await open()
  })
  rowTests()
  fieldTests()
  accessTests()
})
