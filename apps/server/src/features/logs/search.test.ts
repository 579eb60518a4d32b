import { CompiledQuery, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import type { LogFilter } from '../../db/queries/log-filter.ts'
import { pageQuery } from '../../db/queries/log-page.ts'

let hub: TestApp
let user: TestUser
let now: number
const chunk = 500

/** Writes a call per model, a second apart. */
const write = async (models: readonly string[], more: object = {}) => {
  const rows = models.map((model_name, index) => ({
    ...{ id: hub.app.ledger.nextId(), user_id: user.id, created_at: now - models.length + index },
    ...{ type: 2, content: '', username: 'u', token_name: 't', model_name, quota: index },
    ...{ prompt_tokens: 1, completion_tokens: 1, channel_id: 0, request_time: 1_000 - index },
    ...{ is_stream: 0, source_ip: '', metadata: '{}', ...more },
  }))
  for (let at = 0; at < rows.length; at += chunk)
    await hub.app.db
      .insertInto('logs')
      .values(rows.slice(at, at + chunk))
      .execute()
}

const logs = async (query: string) =>
  (await hub.root.get(`/api/log/?${query.includes('size=') ? '' : 'size=100&'}${query}`)).body.data
const modelsOf = ({ data }: { data: { model_name: string }[] }) => data.map(each => each.model_name)

const searchTests = () => {
  it('a part of a model’s name finds its calls, without regard to case', async () => {
    expect(modelsOf(await logs('model_name=deepseek&size=3'))).toEqual([
      'deepseek-reasoner',
      'deepseek-chat',
      'deepseek-chat',
    ])
    expect((await logs('model_name=SEEK-REASON')).total_count).toBe(1)
    expect((await logs('model_name=reasoner&log_type=2')).total_count).toBe(1)
    expect((await logs('model_name=deepseek%25')).total_count).toBe(0)
    const own = (await user.get('/api/log/self?model_name=reason')).body.data
    expect(modelsOf(own)).toEqual(['deepseek-reasoner'])
    expect((await hub.root.get('/api/log/stat?model_name=reason')).body.data.quota).toBe(12_001)
  })

  it('a name in quotes finds the calls of that model alone', async () => {
    const exact = (name: string, more = '') =>
      logs(`model_name=${encodeURIComponent(`"${name}"`)}${more}`)
    const only = await exact('deepseek-chat', '&size=3')
    expect(new Set(modelsOf(only))).toEqual(new Set(['deepseek-chat']))
    expect((await exact('deepseek')).total_count).toBe(0)
    expect((await exact('azure/deepseek')).total_count).toBe(1)
    const path = `/api/log/self?model_name=${encodeURIComponent('"deepseek-reasoner"')}`
    expect(modelsOf((await user.get(path)).body.data)).toEqual(['deepseek-reasoner'])
    const sum = await hub.root.get(
      `/api/log/stat?model_name=${encodeURIComponent('"azure/deepseek"')}`,
    )
    expect(sum.body.data.quota).toBe(0)
  })

  it('a group finds the calls and errors that count for it, within a time range', async () => {
    const metadata = (fields: object) => ({ metadata: JSON.stringify({ ...fields, more: 1 }) })
    await write(['grouped-a'], metadata({ group_name: 'vip', group_ratio: 1 }))
    await write(['grouped-b'], metadata({ billing_tag: 'vip', group_name: 'other' }))
    await write(['grouped-c'], metadata({ billing_tag: 'tagged', group_name: 'vip' }))
    await write(['grouped-d'], { type: 5, content: 'x', ...metadata({ group_name: 'vip' }) })
    await write(['grouped-e'], metadata({ group_name: 'vip2' }))
    const range = `start_timestamp=${now - 86_400}`
    expect(modelsOf(await logs(`group=vip&${range}`)).toSorted()).toEqual([
      ...['grouped-a', 'grouped-b', 'grouped-d'],
    ])
    const one = await logs(`group=vip&model_name=grouped-a&${range}`)
    expect([one.total_count, modelsOf(one)]).toEqual([1, ['grouped-a']])
    expect((await logs(`group=vi_&${range}`)).total_count).toBe(0)
    for (const path of ['', 'histogram', 'stat', 'export']) {
      const { status, body } = await hub.root.get(`/api/log/${path}?group=vip`)
      expect([path, status]).toEqual([path, 400])
      expect(body.message).toContain('start_timestamp')
    }
    expect((await user.get(`/api/log/self?group=vip&${range}`)).status).toBe(422)
  })

  it('an error is found by its model, though nobody was charged for one', async () => {
    await write(['never-charged'], { type: 5, content: 'model.unknown' })
    expect(modelsOf(await logs('model_name=ver-char'))).toEqual(['never-charged'])
    expect(modelsOf(await logs('model_name=ver-char&log_type=5'))).toEqual(['never-charged'])
    expect((await logs('model_name=ver-char&log_type=2')).total_count).toBe(0)
  })

  it('suggestions begin with the names that begin with the text', async () => {
    const suggest = async (who: Pick<TestUser, 'get'>, path: string, text: string) =>
      (await who.get(`/api/log/${path}?keyword=${text}`)).body.data
    expect(await suggest(hub.root, 'models', 'deepseek')).toEqual([
      'deepseek-chat',
      'deepseek-reasoner',
      'azure/deepseek',
    ])
    expect(await suggest(user, 'self/models', 'Reason')).toEqual(['deepseek-reasoner'])
    expect(await suggest(await hub.person(), 'self/models', 'deepseek')).toEqual([])
    expect((await user.get('/api/log/models?keyword=d')).status).toBe(403)
  })
}

const orderTests = () => {
  it('charge and duration sort within a time range', async () => {
    const range = `start_timestamp=${now - 86_400}`
    const first = async (order: string) => (await logs(`order=${order}&${range}`)).data[0]
    expect((await first('-quota')).model_name).toBe('deepseek-reasoner')
    expect((await first('-request_time')).request_time).toBe(1_000)
    expect((await first('request_time')).model_name).toBe('deepseek-reasoner')
  })

  it('a sort by charge without a range, or over months, says what it needs', async () => {
    for (const range of ['', `start_timestamp=${now - 32 * 86_400}`]) {
      const { status, body } = await hub.root.get(`/api/log/?order=-quota&${range}`)
      expect([status, body.code]).toEqual([400, 'request.invalid'])
      expect(body.message).toContain('start_timestamp')
    }
  })
}

const pagingTests = () => {
  it('the cursor of a page leads to the next one, over all rows, without gap or repetition', async () => {
    for (const filter of ['', 'model_name=deepseek', 'model_name=deepseek-c']) {
      const seen: number[] = []
      let after = ''
      let total = 0
      for (;;) {
        const page = await logs(`${filter}&log_type=2${after}`)
        seen.push(...page.data.map((row: { id: number }) => row.id))
        total = page.total_count
        if (page.next === null) break
        after = `&after=${page.next}`
        if (seen.length > 2_500) break
      }
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.length).toBe(Math.min(total, 2_600))
    }
  })

  it('a page far beyond the end is empty, and its total is not made up', async () => {
    const page = await logs('page=900')
    expect(page.data).toEqual([])
    expect(page).toMatchObject({ total_count: 10_001, total_exact: false, next: null })
  })

  it('a cursor that is none, or in another order, is refused', async () => {
    for (const query of ['after=x', `after=${now}.5&order=model_name`])
      expect((await hub.root.get(`/api/log/?${query}`)).body.code).toBe('request.invalid')
  })
}

/** SQLite reads the table without an index. */
const slowInSqlite = /SCAN logs(?! USING)/
/** PostgreSQL reads the month with the rows without an index. */
const slowInPostgres =
  /"Seq Scan","[^{}]*"Relation Name":"logs_20\d\d_\d\d","[^{}]*"Plan Rows":\d{3,}/

const planTests = () => {
  it('pages of a frequent model, a rare model, errors and a far cursor read an index', async () => {
    const { db, env } = hub.app
    await sql`analyze`.execute(db)
    const after = { created_at: now - 9_000, id: 1 }
    const options = { order: '-created_at', size: 10, offset: 0 }
    const charged = (model: string) => ({ log_type: 2, models: [model] })
    const lists: [LogFilter[], LogFilter['after']?][] = [
      [[{}], after],
      [[charged('deepseek-chat')]],
      [[charged('deepseek-reasoner')], after],
      [[charged('deepseek-chat'), charged('gpt-4o')]],
      [[{ log_type: 5 }]],
      [[{ log_type: 5, userId: user.id }]],
      [[{ code: 'model.unknown' }]],
    ]
    for (const [parts, cursor] of lists) {
      const query = pageQuery(db, parts, { ...options, after: cursor })
      const explain = env.databaseUrl ? 'explain (format json)' : 'explain query plan'
      const compiled = query.compile()
      const { rows } = await db.executeQuery(
        CompiledQuery.raw(`${explain} ${compiled.sql}`, [...compiled.parameters]),
      )
      expect(JSON.stringify(rows)).toContain('logs')
      expect(JSON.stringify(rows)).not.toMatch(env.databaseUrl ? slowInPostgres : slowInSqlite)
      // Several parts are merged from their first few rows.
      if (!env.databaseUrl && parts.length === 1)
        expect(JSON.stringify(rows)).not.toContain('USE TEMP B-TREE')
    }
  })
}

const limitTests = () => {
  it('a search that PostgreSQL ends at its time limit says what helps', async () => {
    const { db, env } = hub.app
    // SQLite has no such limit.
    if (!env.databaseUrl) return
    const waiting = sql<{ pid: number }>`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    const answer = await db.transaction().execute(async tx => {
      await sql`lock table logs in access exclusive mode`.execute(tx)
      const search = hub.root.get('/api/log/')
      await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThan(0)
      return search
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'request.too_slow'])
  })
}

onBothEngines('log search', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
    now = Math.floor(hub.clock.now / 1000)
    const models = Array.from({ length: 12_000 }, (_, n) => (n % 2 ? 'deepseek-chat' : 'gpt-4o'))
    await write(['azure/deepseek', ...models, 'deepseek-reasoner'])
  })
  searchTests()
  orderTests()
  pagingTests()
  planTests()
  limitTests()
})
