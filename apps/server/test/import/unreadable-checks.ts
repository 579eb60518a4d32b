import { sql } from 'kysely'
import { expect } from 'vitest'
import type { App } from '../../src/core/app.ts'
import type { Json } from '../relay-hub.ts'
import { truthOf } from './databases.ts'
import { inspect, runImport, type Target } from './target.ts'
import { type Copy, mustBeNamed, tables } from './unreadable-values.ts'

const shown = ({ table, column, value }: Copy) => `${table}.${column}: ${value}`

/** `name`: the source whose prices the copies have. */
export const tryCopies = async (
  { address, copies }: { address: string; copies: Copy[] },
  target: Target,
  name: Parameters<typeof truthOf>[0],
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

export const title = 'names each row with such a value, makes nothing free, and serves nobody by it'

export const rowsOf = async (app: App, text: string): Promise<Map<string, Json>> => {
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
