import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/auditor/audit.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { inspect, newFolder, runImport, type Target } from './target.ts'
import { values } from './unreadable-values.ts'

/** Values of a history column beyond those that any column may hold. */
const extremes: Readonly<Record<string, unknown>> = {
  ...values,
  ...{ zero: 0, milliseconds: 1_795_425_907_000, 'year 10000': 253_402_300_800 },
  ...{ 'last exact': Number.MAX_SAFE_INTEGER, 'first exact': Number.MIN_SAFE_INTEGER },
  ...{
    'least of 64 bits': -9_223_372_036_854_775_808n,
    'most of 64 bits': 9_223_372_036_854_775_807n,
  },
  ...{
    'many points': 3_500_000_000_000_000,
    'more points': 3_900_000_000_000_000,
    'most points': 4_000_000_000_000_000,

    'huge quota': 4_000_000_000_000_001,
    'negative quota': -4_000_000_000_000_001,
  },
  // No index entry and no compression makes it short.
  'over-long': randomBytes(200_000).toString('hex'),
  'half a character': 'a\ud83d',
  'JSON counts': JSON.stringify({ cache_tokens: 'many', cache_creation_tokens: -5, claude: true }),
  'JSON of huge counts':
    '{"cache_tokens":1e300,"claude":true,"model_ratio":1e308,"completion_ratio":1e308}',
  'JSON of texts':
    '{"model_ratio":"NaN","group_ratio":"x","input_ratio":"y","model_price":"Infinity","frt":"z"}',
}

type Source = { name: 'one-hub-sqlite' | 'new-api-sqlite' | 'one-api-sqlite'; tables: string[] }
const sources: Source[] = [
  { name: 'one-hub-sqlite', tables: ['logs', 'orders'] },
  { name: 'new-api-sqlite', tables: ['logs', 'top_ups'] },
  { name: 'one-api-sqlite', tables: ['logs'] },
]

const firstId = 1_000_000
type Copy = { table: string; id: number; column: string; value: string }

/** Copies a row of the history for each value in each column. A value that a constraint refuses cannot be there. */
const addRows = (file: string, tables: readonly string[]): Copy[] => {
  const source = new DatabaseSync(file)
  source.exec('begin')
  const copies = tables.flatMap(table => {
    const isLog = table === 'logs'
    const template = source
      .prepare(`select * from ${table} ${isLog ? 'where type = 2' : ''} limit 1`)
      .get() as Json
    const columns = Object.keys(template)
    const insert = source.prepare(
      `insert into ${table} (${columns.map(each => `"${each}"`).join()}) values (${columns.map(() => '?').join()})`,
    )
    const cases = columns
      .filter(each => each !== 'id')
      .flatMap(column => Object.keys(extremes).map(value => ({ column, value })))
    return cases.flatMap(({ column, value }, at) => {
      const id = firstId + at
      const own = 'trade_no' in template ? { trade_no: `copy-${id}` } : {}
      const row: Json = { ...template, ...own, id, [column]: extremes[value] }
      try {
        insert.run(...(columns.map(each => row[each]) as never[]))
        return [{ table, id, column, value }]
      } catch (error) {
        if (/constraint failed/.test((error as Error).message)) return []
        throw error
      }
    })
  })
  source.exec('commit')
  source.close()
  return copies
}

const numbers = [
  'created_at',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'request_time',
] as const

const tryHistory = async ({ name, tables }: Source, target: Target) => {
  const file = copyOf(name)
  const copies = addRows(file, tables)
  expect(copies.length).toBeGreaterThan(400)
  const pricing = { data: truthOf(name).pricing_answer_of_the_running_program }
  const report = await runImport(target, file, { pricing, withHistory: true })
  const named = new Set(
    [...report.skipped, ...report.changes].map(each => `${each.table} ${each.id}`),
  )
  expect(Number.isSafeInteger(report.history?.points)).toBe(true)
  const { rows, ids } = await inspect(target, async app => {
    const found = await app.db.selectFrom('logs').selectAll().where('type', '=', 6).execute()
    const isOrder = (each: Json) => each.kind === 'order'
    return {
      rows: found,
      ids: new Set(
        found
          .map(each => JSON.parse(each.metadata ?? '{}') as Json)
          .map(each => `${isOrder(each) ? tables[1] : 'logs'} ${each.imported_id}`),
      ),
    }
  })
  const lost = copies.filter(
    ({ table, id, column }) =>
      !ids.has(`${table} ${id}`) &&
      !named.has(`${table} ${id}`) &&
      // The report counts rows of types without a meaning.
      column !== 'type',
  )
  expect(lost).toEqual([])
  for (const row of rows) {
    for (const each of numbers)
      expect([each, Number.isSafeInteger(row[each])]).toEqual([each, true])
    for (const each of ['prompt_tokens', 'completion_tokens', 'request_time'] as const)
      expect(row[each]).toBeGreaterThanOrEqual(0)
    expect(new Date(row.created_at * 1_000).getTime()).toBe(row.created_at * 1_000)
    for (const each of ['content', 'username', 'token_name', 'model_name', 'source_ip'] as const)
      expect([each, row[each].length <= 10_000]).toEqual([each, true])
    expect((row.metadata ?? '').length).toBeLessThanOrEqual(20_000)
  }
  const { results } = await audit(target)
  expect(results.flatMap(each => each.findings)).toEqual([])
}

const title = 'carries or names every row of the history, with bounded numbers and texts'

it.each(sources)(`an import from $name ${title}`, async source => {
  await tryHistory(source, { dataDir: newFolder() })
})

const reason = postgresSkipReason()

describe.skipIf(reason)(`the history on PostgreSQL ${reason ?? ''}`, () => {
  let postgres: PostgresDatabases
  beforeAll(async () => {
    postgres = await openPostgres()
  })
  afterAll(() => postgres?.stop())

  it.each(sources)(`an import into it from $name ${title}`, async source => {
    const databaseUrl = await postgres.database(`history_${source.name.replaceAll('-', '_')}`)
    await tryHistory(source, { dataDir: newFolder(), databaseUrl })
  })
})
