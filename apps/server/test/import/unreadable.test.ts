import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { ImportReport } from '../../src/importer/report.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { newFolder, runImport } from './target.ts'
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

type Imported = { copies: Copy[]; report: ImportReport; target: DatabaseSync }

const importCopies = async (name: Source): Promise<Imported> => {
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
  const dataDir = newFolder()
  const pricing = { data: truthOf(name).pricing_answer_of_the_running_program }
  const report = await runImport({ dataDir }, file, { pricing })
  return { copies, report, target: new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true }) }
}

const shown = ({ table, column, value }: Copy) => `${table}.${column}: ${value}`

describe.each<Source>(['one-hub-sqlite', 'new-api-sqlite', 'one-api-sqlite'])(
  'an import from %s with an unreadable value in each column',
  name => {
    it('names each row with such a value, and makes nothing free and nobody served', async () => {
      const { copies, report, target } = await importCopies(name)
      expect(copies.length).toBeGreaterThan(500)
      const named = new Set(
        [...report.changes, ...report.skipped].map(each => `${each.table} ${each.id}`),
      )
      const unnamed = copies.filter(
        each =>
          mustBeNamed(tables[each.table]!, each.column, each.value) &&
          !named.has(`${each.table} ${each.id}`),
      )
      expect(unnamed.map(shown)).toEqual([])
      expect(servedByMistake(copies, target).map(shown)).toEqual([])
      expect(freeByMistake(copies, target).map(shown)).toEqual([])
      target.close()
    })
  },
)

const rowsOf = (target: DatabaseSync, sql: string): Map<string, Json> =>
  new Map((target.prepare(sql).all() as Json[]).map(each => [String(each.name), each]))

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

const servedByMistake = (copies: readonly Copy[], target: DatabaseSync): Copy[] => {
  const now = Math.floor(Date.now() / 1_000)
  const served: Record<string, Map<string, Json>> = {
    tokens: rowsOf(
      target,
      `select tokens.name from tokens join token_spend on token_spend.token_id = tokens.id
       where token_spend.status = 1 and (expires_at = -1 or expires_at > ${now}) and (cap is null or cap > 0)`,
    ),
    users: rowsOf(target, 'select username as name from users where status = 1'),
    channels: rowsOf(target, 'select name from channels where status = 1'),
    redemptions: rowsOf(
      target,
      `select name from redemptions where status = 1 and quota > 0 and (expires_at = -1 or expires_at > ${now})`,
    ),
    user_groups: rowsOf(target, 'select symbol as name from user_groups where enable = 1'),
  }
  return copies.filter(({ table, column, value, row }) => {
    const allowed = harmless[`${table}.${column}`]
    const name = String(row.name?.startsWith?.('copy') ? row.name : (row.username ?? row.symbol))
    return allowed !== undefined && served[table]?.has(name) && !allowed.includes(value)
  })
}

const wholeOf = (value: unknown): number => Math.max(0, Math.trunc(Number(value)) || 0)

/** A price of the copies is above 0 in the source, and no cap or balance is above that of the source. */
const freeByMistake = (copies: readonly Copy[], target: DatabaseSync): Copy[] => {
  const prices = rowsOf(target, 'select model as name, input, output from prices')
  const groups = rowsOf(target, 'select symbol as name, ratio, enable from user_groups')
  const caps = rowsOf(
    target,
    'select tokens.name, cap from tokens join token_spend on token_spend.token_id = tokens.id',
  )
  const balances = rowsOf(
    target,
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
