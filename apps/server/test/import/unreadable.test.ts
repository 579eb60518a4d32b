import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, loadDump } from './databases.ts'
import { inspect, newFolder, runImport } from './target.ts'
import { rowsOf, title, tryCopies } from './unreadable-checks.ts'
import { type Copy, copiesOf, tables } from './unreadable-values.ts'

type Source = 'one-hub-sqlite' | 'new-api-sqlite' | 'one-api-sqlite'

/** Columns of today's New API that the database of the test, an older one, does not have. */
const laterColumns = ['settings text', 'header_override text', 'channel_info json']

/** Adds a row for each value in each column. A value that a constraint of the source refuses cannot be there. */
const addCopies = (source: DatabaseSync, name: string): Copy[] => {
  const { template } = tables[name]!
  const select = source.prepare(`select * from ${name} where ${template} limit 1`)
  const row = select.get() as Json
  if (row === undefined) throw new TypeError(`no template in ${name}`)
  return copiesOf(name, row).filter(({ row: copy }) => {
    const columns = Object.keys(row)
    const places = columns.map(() => '?').join(', ')
    const names = columns.map(each => `"${each}"`).join(', ')
    try {
      source
        .prepare(`insert into ${name} (${names}) values (${places})`)
        .run(...(columns.map(each => copy[each]) as never[]))
      return true
    } catch (error) {
      if (/constraint failed/.test((error as Error).message)) return false
      throw error
    }
  })
}

/** A database of a real program, with the copies that it can hold. */
const sqliteSource = (name: Source): { address: string; copies: Copy[] } => {
  const file = copyOf(name)
  const source = new DatabaseSync(file)
  if (name === 'new-api-sqlite')
    for (const each of laterColumns) source.exec(`alter table channels add column ${each}`)
  const found = source.prepare("select name from sqlite_master where type = 'table'").all()
  const names = found.map(each => String(each.name)).filter(each => each in tables)
  source.exec('begin')
  const copies = names.flatMap(each => addCopies(source, each))
  source.exec('commit')
  source.close()
  return { address: file, copies }
}

/** PostgreSQL refuses most values by the types of its columns. */
const postgresSource = async (address: string): Promise<Copy[]> => {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  const copies: Copy[] = []
  for (const [name, { template }] of Object.entries(tables)) {
    const { rows } = await client.query(`select * from ${name} where ${template} limit 1`)
    for (const copy of copiesOf(name, rows[0] as Json)) {
      const columns = Object.keys(rows[0])
      const names = columns.map(each => `"${each}"`).join(', ')
      const places = columns.map((_, at) => `$${at + 1}`).join(', ')
      const insert = `insert into ${name} (${names}) values (${places})`
      const done = await client
        .query(
          insert,
          columns.map(each => copy.row[each]),
        )
        .catch(() => undefined)
      if (done) copies.push(copy)
    }
  }
  await client.end()
  return copies
}

const sources: Source[] = ['one-hub-sqlite', 'new-api-sqlite', 'one-api-sqlite']

describe.each(sources)('an import from %s with an unreadable value in each column', name => {
  it(title, async () => {
    const source = sqliteSource(name)
    expect(source.copies.length).toBeGreaterThan(500)
    await tryCopies(source, { dataDir: newFolder() }, name)
  })
})

const reason = postgresSkipReason()

describe.skipIf(reason)(`an unreadable value in each column, on PostgreSQL ${reason ?? ''}`, () => {
  let postgres: PostgresDatabases
  beforeAll(async () => {
    postgres = await openPostgres()
  })
  afterAll(() => postgres?.stop())

  it.each(sources)(`an import into it from %s ${title}`, async name => {
    const databaseUrl = await postgres.migrated(`target_${name.replaceAll('-', '_')}`)
    await tryCopies(sqliteSource(name), { dataDir: newFolder(), databaseUrl }, name)
  })

  it(`an import from it ${title}`, async () => {
    const address = await postgres.database('source')
    loadDump('one-hub-postgres', address)
    const copies = await postgresSource(address)
    expect(copies.length).toBeGreaterThan(200)
    await tryCopies({ address, copies }, { dataDir: newFolder() }, 'one-hub-sqlite')
  })
})

it('rows with ids beyond the exact numbers are carried, and belong to each other', async () => {
  const file = copyOf('one-hub-sqlite')
  const source = new DatabaseSync(file)
  const [user, token, channel] = [
    9_007_199_254_740_993n,
    9_007_199_254_740_995n,
    9_223_372_036_854_775_807n,
  ]
  source.exec(`update users set id = ${user} where id = 3`)
  source.exec(`update tokens set id = ${token}, user_id = ${user}, name = 'far' where id = 1`)
  source.exec(`update channels set id = ${channel}, name = 'far' where id = 1`)
  source.exec(`update logs set id = ${channel}, user_id = ${user} where id = 1`)
  source.close()
  const target = { dataDir: newFolder() }
  const report = await runImport(target, file, { withHistory: true })
  expect(report.channelIds[String(channel)]).toBeGreaterThan(0)
  await inspect(target, async app => {
    const owners = await rowsOf(
      app,
      `select tokens.name, username from tokens join users on users.id = tokens.user_id where tokens.name = 'far'`,
    )
    expect(owners.get('far')?.username).toBeDefined()
    const logs = await rowsOf(
      app,
      `select metadata as name, user_id from logs where metadata like '%"imported_id":"${channel}"%'`,
    )
    expect([...logs.values()].map(each => each.user_id > 0)).toEqual([true])
  })
})

it('groups that the source deleted do not come back, and their keys are refused', async () => {
  const file = copyOf('one-hub-sqlite')
  const source = new DatabaseSync(file)
  source.exec(`delete from user_groups where symbol in ('default', 'vip', 'svip')`)
  source.close()
  const target = { dataDir: newFolder() }
  const report = await runImport(target, file)
  await inspect(target, async app => {
    const groups = await rowsOf(app, 'select symbol as name from user_groups')
    expect([...groups.keys()].toSorted()).toEqual(['closed', 'gold', 'staff', 'trial'])
  })
  const removed = report.changes.filter(each => each.table === 'user_groups')
  expect(removed.map(each => each.id).toSorted()).toEqual(['default', 'svip', 'vip'])
  expect(report.changes.find(each => each.table === 'tokens' && each.id === 12)!.change).toContain(
    'there is no group “vip”: calls are refused',
  )
})
