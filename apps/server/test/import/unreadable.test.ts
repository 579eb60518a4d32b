import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, loadDump, truthOf } from './databases.ts'
import { inspect, newFolder, runImport, type Target } from './target.ts'
import { type Copy, copiesOf, mustBeNamed, tables } from './unreadable-values.ts'

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

const shown = ({ table, column, value }: Copy) => `${table}.${column}: ${value}`

const tryCopies = async (
  { address, copies }: { address: string; copies: Copy[] },
  target: Target,
  name: Source,
) => {
  const pricing = { data: truthOf(name).pricing_answer_of_the_running_program }
  const report = await runImport(target, address, { pricing })
  const named = new Set(
    [...report.changes, ...report.skipped].map(each => `${each.table} ${each.id}`),
  )
  const unnamed = copies.filter(
    each =>
      mustBeNamed(tables[each.table]!, each.column, each.value) &&
      !named.has(`${each.table} ${each.id}`),
  )
  expect(unnamed.map(shown)).toEqual([])
  await inspect(target, async app => {
    expect((await servedByMistake(copies, app)).map(shown)).toEqual([])
    expect((await freeByMistake(copies, app)).map(shown)).toEqual([])
  })
}

const title = 'names each row with such a value, makes nothing free, and serves nobody by it'
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

const rowsOf = async (app: App, text: string): Promise<Map<string, Json>> => {
  const { rows } = await sql.raw<Json>(text).execute(app.db)
  return new Map(rows.map(each => [String(each.name), each]))
}

/** Values with which the source still serves the row of the template. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  'tokens.deleted_at': ['null'],
  'tokens.user_id': [],
  'tokens.status': [],
  'tokens.expired_time': ['beyond 2^53'],
  'tokens.remain_quota': ['fraction', 'unknown'],
  'tokens.setting': ['null', 'empty'],
  'users.status': [],
  'users.deleted_at': ['null'],
  'channels.status': [],
  'channels.deleted_at': ['null'],
  'channels.plugin': ['null', 'empty'],
  'redemptions.status': [],
  'redemptions.deleted_at': ['null'],
  'redemptions.expired_time': ['null', 'empty'],
  'redemptions.quota': ['fraction', 'unknown'],
  'user_groups.ratio': ['null', 'empty', 'fraction', 'unknown'],
  'user_groups.enable': [],
}

const servedByMistake = async (copies: readonly Copy[], app: App): Promise<Copy[]> => {
  const now = Math.floor(Date.now() / 1_000)
  const served: Record<string, Map<string, Json>> = {
    tokens: await rowsOf(
      app,
      `select tokens.name from tokens join token_spend on token_spend.token_id = tokens.id
       where token_spend.status = 1 and (expires_at = -1 or expires_at > ${now}) and (cap is null or cap > 0)`,
    ),
    users: await rowsOf(app, 'select username as name from users where status = 1'),
    channels: await rowsOf(app, 'select name from channels where status = 1'),
    redemptions: await rowsOf(
      app,
      `select name from redemptions where status = 1 and quota > 0 and (expires_at = -1 or expires_at > ${now})`,
    ),
    user_groups: await rowsOf(app, 'select symbol as name from user_groups where enable = 1'),
  }
  return copies.filter(({ table, column, value, row }) => {
    const allowed = harmless[`${table}.${column}`]
    const name = String(row.name?.startsWith?.('copy') ? row.name : (row.username ?? row.symbol))
    return allowed !== undefined && served[table]?.has(name) && !allowed.includes(value)
  })
}

const wholeOf = (value: unknown): number => Math.max(0, Math.trunc(Number(value)) || 0)

/** A price of the copies is above 0 in the source, and no cap or balance is above that of the source. */
const freeByMistake = async (copies: readonly Copy[], app: App): Promise<Copy[]> => {
  const prices = await rowsOf(app, 'select model as name, input, output from prices')
  const groups = await rowsOf(app, 'select symbol as name, ratio, enable from user_groups')
  const caps = await rowsOf(
    app,
    'select tokens.name, cap from tokens join token_spend on token_spend.token_id = tokens.id',
  )
  const balances = await rowsOf(
    app,
    'select username as name, balance from users join accounts on accounts.user_id = users.id',
  )
  return copies.filter(({ table, row }) => {
    const price = table === 'prices' ? prices.get(row.model) : undefined
    const group = table === 'user_groups' ? groups.get(row.symbol) : undefined
    const balance = table === 'users' ? balances.get(row.username)?.balance : 0
    const cap = table === 'tokens' ? caps.get(row.name) : undefined
    // A cap counts all use since the key was made.
    const used = wholeOf(row.used_quota)
    const expected = wholeOf(row.quota) + wholeOf(row.aff_quota)
    return (
      (price !== undefined && !(Number(price.input) > 0 && Number(price.output) > 0)) ||
      (group !== undefined && !(Number(group.ratio) > 0)) ||
      (cap !== undefined && (cap.cap === null || cap.cap > 1_000 + used)) ||
      Number(balance ?? 0) > expected
    )
  })
}

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
