import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

type Where = { databaseUrl: string | undefined; dataDir: string }
type Row = Record<string, unknown>

/** Reads the database with SQL of its own: a test must not trust the code that it tests. */
export const query = async (where: Where, sql: string): Promise<Row[]> =>
  where.databaseUrl ? askPostgres(where.databaseUrl, sql) : askSqlite(where.dataDir, sql, true)

/** Changes rows next to the gateway, such as a time that has not come yet. */
export const change = async (where: Where, sql: string): Promise<void> => {
  if (where.databaseUrl) await askPostgres(where.databaseUrl, sql)
  else askSqlite(where.dataDir, sql, false)
}

const askPostgres = async (url: string, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export const databaseFile = (dataDir: string): string => {
  const file = readdirSync(dataDir).find(each => each.endsWith('.db') && each !== 'lock.db')
  if (!file) throw new Error(`${dataDir} holds no database`)
  return join(dataDir, file)
}

const askSqlite = (dataDir: string, sql: string, readOnly: boolean): Row[] => {
  const db = new DatabaseSync(databaseFile(dataDir), { readOnly })
  try {
    db.exec('PRAGMA busy_timeout = 5000')
    return db.prepare(sql).all() as Row[]
  } finally {
    db.close()
  }
}

export type Transfer = {
  id: number
  kind: string
  source: string
  debit: number
  amount: number
  usage: string
}
export type Account = {
  userId: number
  balance: number
  held: number
  used: number
  requests: number
}

const number = (value: unknown) => Number(value)

export const transfersOf = async (where: Where, userId: number): Promise<Transfer[]> =>
  (
    await query(
      where,
      `select * from transfers where debit = ${userId} or credit = ${userId} order by id`,
    )
  ).map(row => ({
    id: number(row.id),
    kind: String(row.kind),
    source: String(row.source),
    debit: number(row.debit),
    amount: number(row.amount),
    usage: String(row.usage),
  }))

/** The charges of calls: what was settled, and what came late after a crash. */
export const chargesOf = async (where: Where, userId: number): Promise<Transfer[]> =>
  (await transfersOf(where, userId)).filter(each => each.kind === 'request' || each.kind === 'late')

export const accountOf = async (where: Where, userId: number): Promise<Account> => {
  const [row = {}] = await query(where, `select * from accounts where user_id = ${userId}`)
  return {
    userId,
    balance: number(row.balance),
    held: number(row.held),
    used: number(row.used),
    requests: number(row.requests),
  }
}

export const countHolds = async (where: Where): Promise<number> =>
  number((await query(where, 'select count(*) as n from holds'))[0]?.n)
