import { createQueryId, Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLog } from '../../../test/silent-log.ts'
import { describeStores } from '../../../test/stores.ts'
import { withDeadline } from '../engines/deadline.ts'
import type { Engine } from '../engines/engine.ts'
import type { Database } from '../index.ts'
import { openEngine, openStore } from '../open.ts'
import type { Tables } from '../tables/index.ts'
import * as audit from './audit.ts'
import * as sessions from './call-sessions.ts'
import * as deliveries from './deliveries.ts'
import * as invitations from './invitations.ts'
import * as invoices from './invoices.ts'
import type { LogFilter } from './log-filter.ts'
import { list as listLogs } from './log-page.ts'
import * as orders from './orders.ts'
import * as redemptions from './redemptions.ts'
import { listPage, type TaskFilter } from './task-pages.ts'
import * as tokens from './tokens.ts'
import * as users from './users.ts'

type Run = (db: Database) => Promise<unknown>
/** A list with one filter, and the index that reads its rows. `scan`: it compares each row, until its deadline. */
type Case = [list: string, filter: string, index: string, run: Run]

const page = { page: 1, size: 10 }
const logs =
  (filter: LogFilter): Run =>
  db =>
    listLogs(db, filter, page)
const tasks =
  (filter: TaskFilter): Run =>
  db =>
    listPage(db, filter, page)
const ofOrders =
  (filter: object): Run =>
  db =>
    orders.list(db, { ...page, ...filter })
const ofAudit =
  (filter: object): Run =>
  db =>
    audit.list(db, { ...page, ...filter })
const ofUsers =
  (filter: object): Run =>
  db =>
    users.list(db, { ...page, ...filter })
const ofCodes =
  (filter: object): Run =>
  db =>
    redemptions.list(db, { ...page, ...filter }, 0)
const ofInvoices =
  (filter: object): Run =>
  db =>
    invoices.list(db, { ...page, ...filter })

const cases: Case[] = [
  ['logs', 'none', 'logs_time', logs({})],
  ['logs', 'user', 'logs_user_time', logs({ userId: 3 })],
  ['logs', 'name of a user', 'logs_user_time', logs({ username: 't17' })],
  ['logs', 'id', 'key', logs({ id: 77 })],
  ['logs', 'id of a failed request', 'logs_error_requests', logs({ id: 77 })],
  ['logs', 'charges', 'logs_time', logs({ log_type: 2 })],
  ['logs', 'top-ups', 'logs_rare', logs({ log_type: 1 })],
  ['logs', 'changes', 'logs_rare', logs({ log_type: 3 })],
  ['logs', 'system', 'logs_rare', logs({ log_type: 4 })],
  ['logs', 'errors', 'logs_errors', logs({ log_type: 5 })],
  ['logs', 'imported', 'logs_imported', logs({ log_type: 6 })],
  ['logs', 'errors of a user', 'logs_user_errors', logs({ userId: 3, log_type: 5 })],
  ['logs', 'code', 'logs_error_codes', logs({ code: 'upstream.failed' })],
  ['logs', 'model', 'logs_models', logs({ model_name: 'model-3' })],
  ['logs', 'channel', 'logs_channel_time', logs({ channel_id: 3 })],
  ['logs', 'session', 'logs_session_calls', logs({ session: 's7' })],
  ['logs', 'time', 'logs_time', logs({ start_timestamp: 1, end_timestamp: 2 })],
  ['logs', 'token', 'scan', logs({ token_name: 'none' })],
  ['logs', 'address', 'scan', logs({ source_ip: 'none' })],
  ['logs', 'former name', 'scan', logs({ username: 'none' })],
  ['logs', 'group', 'scan', logs({ group: 'none' })],
  ['logs', 'token of a user', 'logs_user', logs({ userId: 3, token_name: 'none' })],
  [
    'sessions',
    'none',
    'logs_sessions',
    db => withDeadline(db, limited => sessions.listSessionRows(limited, { limit: 10 })),
  ],
  [
    'sessions',
    'user',
    'logs_user_sessions',
    db => withDeadline(db, limited => sessions.listSessionRows(limited, { userId: 3, limit: 10 })),
  ],
  ['tasks', 'own', 'tasks_user_newest', tasks({ ownerId: 3 })],
  ['tasks', 'own of a platform', 'tasks_user', tasks({ ownerId: 3, platform: 'suno' })],
  ['tasks', 'user', 'tasks_user_newest', tasks({ user_id: 3 })],
  ['tasks', 'name of a user', 'tasks_user', tasks({ username: 't17' })],
  ['tasks', 'id', 'key', tasks({ task_id: 'task_7' })],
  ['tasks', 'orphan', 'tasks_orphans', tasks({ orphan: true })],
  ['tasks', 'given up callback', 'tasks_callback_given_up', tasks({ callback: 'given_up' })],
  ['tasks', 'channel', 'scan', tasks({ channel_id: 3 })],
  ['tasks', 'token', 'scan', tasks({ token_id: 3 })],
  ['tasks', 'platform', 'scan', tasks({ platform: 'suno' })],
  ['tasks', 'action', 'scan', tasks({ action: 'MUSIC' })],
  ['tasks', 'time', 'scan', tasks({ start_timestamp: 1, end_timestamp: 2 })],
  ['orders', 'user', 'orders_user', ofOrders({ user_id: 3 })],
  ['orders', 'number', 'key', ofOrders({ trade_no: '7' })],
  ['orders', 'number of the gateway', 'scan', ofOrders({ gateway_no: '7' })],
  ['orders', 'gateway', 'scan', ofOrders({ gateway_id: 3 })],
  ['orders', 'status', 'scan', ofOrders({ status: 'credited' })],
  ['orders', 'keyword', 'scan', ofOrders({ keyword: 'a' })],
  ['orders', 'time', 'scan', ofOrders({ start_timestamp: 1, end_timestamp: 2 })],
  ['audit', 'target', 'scan', ofAudit({ keyword: 'a' })],
  ['audit', 'action', 'scan', ofAudit({ action: 'a' })],
  ['audit', 'actor', 'scan', ofAudit({ actor_id: 3 })],
  ['audit', 'name of the actor', 'scan', ofAudit({ actor_name: 'a' })],
  ['audit', 'outcome', 'scan', ofAudit({ outcome: 'failed' })],
  ['audit', 'time', 'scan', ofAudit({ start_timestamp: 1, end_timestamp: 2 })],
  ['users', 'keyword', 'scan', ofUsers({ keyword: 'a' })],
  ['users', 'role', 'scan', ofUsers({ role: 10 })],
  ['users', 'status', 'scan', ofUsers({ status: 2 })],
  ['users', 'group', 'scan', ofUsers({ group: 'a' })],
  ['tokens', 'own', 'tokens_user', db => tokens.list(db, 3, page)],
  ['tokens', 'user', 'tokens_user', db => tokens.search(db, { ...page, user_id: 3 })],
  ['tokens', 'id', 'key', db => tokens.search(db, { ...page, token_id: 3 })],
  ['tokens', 'keyword', 'scan', db => tokens.search(db, { ...page, keyword: 'a' })],
  ['redemptions', 'keyword', 'scan', ofCodes({ keyword: 'a', keyHash: 'a' })],
  ['redemptions', 'status', 'scan', ofCodes({ status: 3 })],
  ['invoices', 'user', 'key', ofInvoices({ user_id: 3 })],
  ['invoices', 'month', 'invoices_month', ofInvoices({ month: '2026-11' })],
  ['invoices', 'status', 'scan', ofInvoices({ status: 'paid' })],
  [
    'invitations',
    'inviter',
    'invitations_inviter',
    db => invitations.list(db, { ...page, inviter_id: 3 }),
  ],
  ['notifications', 'own', 'notifications_target', db => deliveries.list(db, 3, page)],
  [
    'notifications',
    'target',
    'notifications_target',
    db => deliveries.list(db, 3, { ...page, targetId: 3 }),
  ],
]

type Query = { sql: string; parameters: readonly unknown[] }

describeStores('the queries of lists', stores => {
  let engine: Engine
  let db: Database
  let queries: Query[] = []
  let parents = new Map<string, string>()

  beforeAll(async () => {
    const location = await stores.location()
    const store = await openStore({ ...location, log: silentLog })
    await fill(store.db)
    await store.close()
    engine = await openEngine({ ...location, log: silentLog, role: 'editor' })
    const log = ({ query }: { query: Query }) => void queries.push(query)
    db = new Kysely<Tables>({ dialect: engine.dialect, log })
    if (stores.isPostgres) parents = await readParents(db)
  })
  afterAll(async () => {
    await db.destroy()
    await engine.close()
  })

  const run = async (read: Run) => {
    queries = []
    await read(db)
    return queries
  }

  it.each(cases)(
    'reads %s by %s with %s, and within the deadline',
    async (_list, _filter, index, read) => {
      const ran = await run(read)
      const reads = ran.filter(({ sql: text }) => /^select .* from "/i.test(text))
      expect(reads.length).toBeGreaterThan(0)
      if (stores.isPostgres) expect(ran[1]?.sql).toMatch(/^set local statement_timeout/)
      else for (const { sql: text } of reads) expect(text).toContain('hub_deadline(')
      if (index === 'scan') return
      const found = (await Promise.all(reads.map(indexesOf))).flat()
      expect(found.filter(each => each.startsWith(index))).not.toEqual([])
    },
  )

  const explain = async (connection: Database, { sql: text, parameters }: Query) => {
    const prefix = stores.isPostgres ? 'explain' : 'explain query plan'
    const node = sql`select`.toOperationNode()
    const { rows } = await connection.executeQuery<Record<string, string>>({
      ...{ sql: `${prefix} ${text}`, parameters, query: node, queryId: createQueryId() },
    })
    return rows.map(row => String(row.detail ?? row['QUERY PLAN']))
  }

  /** The indexes of a plan; `key` stands for those of primary keys and unique columns. */
  const indexesOf = async (query: Query): Promise<string[]> => {
    const plan = stores.isPostgres
      ? await db.transaction().execute(async tx => {
          await sql`set local enable_seqscan = off`.execute(tx)
          return explain(tx, query)
        })
      : await explain(db, query)
    const names = plan.flatMap(
      line =>
        /(?:INDEX|using|Index Scan on) (\w+)|USING (INTEGER PRIMARY KEY)/.exec(line)?.slice(1) ??
        [],
    )
    return names
      .filter(name => name !== undefined)
      .map(name => parents.get(name) ?? name)
      .map(name => (/PRIMARY KEY|autoindex|_p?key$/.test(name) ? 'key' : name))
  }
})

/** The names of indexes of months, by those of their tables. */
const readParents = async (db: Database): Promise<Map<string, string>> => {
  const { rows } = await sql<{ part: string; whole: string }>`
    select part.relname as part, whole.relname as whole from pg_inherits
    join pg_class part on part.oid = inhrelid join pg_class whole on whole.oid = inhparent`.execute(
    db,
  )
  return new Map(rows.map(({ part, whole }) => [part, whole]))
}

/** Values of columns that cannot be any text or number. */
const chosen: Record<string, Record<string, string | number>> = {
  users: { role: 1, status: 1 },
  tokens: {},
  token_spend: { status: 1 },
  tasks: { state: 'queued', settlement: 'held' },
}

const rowsOfLogs = 5_000
const rowsOfOthers = 2_000
const numbersTo = (count: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`

/** Fills a table with rows of which only the number of different values in a column matters. */
const fillTable = async (db: Database, table: string): Promise<void> => {
  const all = await db.introspection.getTables()
  const columns = all.find(each => each.name === table)!.columns.filter(each => !each.isNullable)
  const isKey = (name: string) => name === 'id' || (name === 'token_id' && table === 'token_spend')
  const value = ({ name, dataType }: { name: string; dataType: string }) => {
    const given = chosen[table]?.[name]
    if (given !== undefined) return sql.lit(given)
    if (!/int/i.test(dataType)) return sql`'t' || (i + 10)`
    return isKey(name) ? sql`i + 10` : sql`i % 400`
  }
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  await sql`insert into ${sql.table(table)} (${names}) ${numbersTo(rowsOfOthers)}
    select ${sql.join(columns.map(value))} from n`.execute(db)
}

const fill = async (db: Database): Promise<void> => {
  await sql`insert into logs (id, user_id, username, created_at, type, quota, content, source_ip, token_name,
      model_name, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, metadata)
    ${numbersTo(rowsOfLogs)}
    select i, i % 20, 'name', ${sql.lit(Math.floor(Date.now() / 1_000))} - i,
      case when i % 100 = 1 then i / 100 % 6 + 1 else 2 end, 1, 'upstream.failed', '', 'token',
      'model-' || (i % 10), 1, 1, i % 10, 1, 0,
      case when i % 3 = 0 then '{"session":"s' || (i % 50) || '"}' else '{}' end
    from n`.execute(db)
  for (const table of Object.keys(chosen)) await fillTable(db, table)
  await sql`analyze`.execute(db)
}
