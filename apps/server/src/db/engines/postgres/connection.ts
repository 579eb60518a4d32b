import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { withoutNul } from '../../without-nul.ts'

export type WriterConnection = {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<pg.QueryResult>
  /** Calls the listener for each notification of the channel, on this connection and on each that replaces it. */
  listen(channel: string, listener: () => void): Promise<void>
  close(): Promise<void>
}

/**
 * An error of the server has an SQLSTATE, and one of a broken connection the code of the system. After any other one, the
 * answer may still be on its way.
 */
const isAnswered = (error: unknown): boolean =>
  typeof (error as { code?: unknown }).code === 'string'

type PoolOptions = {
  databaseUrl: string
  types: pg.CustomTypesConfig
  log: Logger
  max: number
  readOnly: boolean
  /**
   * The longest time of a statement, of its wait for a lock, between the statements of a transaction, and until the answer
   * arrives here. 0: no limit.
   */
  limitsMs: { statement: number; lock: number; idle: number; answer: number }
}

/** `answer` is for a server that is gone without a word: TCP alone would wait for a quarter of an hour. */
export const queryLimits = { statement: 30_000, lock: 5000, idle: 30_000, answer: 35_000 }

/** A migration of a large table takes as long as it takes. It waits for a lock no longer, because calls wait behind it. */
export const migrationLimits = { statement: 0, lock: 5000, idle: 0, answer: 0 }

/** A pool replaces broken connections. Without an error listener they would end the process. */
export const openPool = ({ databaseUrl, types, log, max, readOnly, limitsMs }: PoolOptions) => {
  const onBroken = ({ message }: Error) =>
    log.warn({ reason: message }, 'a database connection broke')
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    statement_timeout: limitsMs.statement,
    lock_timeout: limitsMs.lock,
    idle_in_transaction_session_timeout: limitsMs.idle,
    query_timeout: limitsMs.answer,
    application_name: 'hub',
    // Compiling a query over many months takes longer than most queries.
    options: `-c jit=off${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
  })
  pool.on('error', onBroken)
  pool.on('connect', client => client.on('error', onBroken))
  return pool
}

/** The pool for Kysely, which would give a connection back whose query has no answer yet. */
export const forKysely = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  connect: async () => {
    const client = await pool.connect()
    let broken: unknown
    const query = async (text: string, values: unknown[]) => {
      // The rollback of a transaction need not wait for its answer too.
      if (broken) throw broken
      try {
        return await client.query(text, withoutNul(text, values))
      } catch (error) {
        if (!isAnswered(error)) broken = error
        throw error
      }
    }
    const release = () => client.release(broken !== undefined)
    // Nothing here reads by a cursor.
    return { query: query as unknown as PostgresPoolClient['query'], release }
  },
})

type WriterOptions = { databaseUrl: string; types: pg.CustomTypesConfig; log: Logger }

/** The single connection of the ledger. It is opened on demand and reopened after a failure. */
export const connectWriter = ({ databaseUrl, types, log }: WriterOptions): WriterConnection => {
  let client: Promise<pg.Client> | undefined
  let listening: { channel: string; listener: () => void } | undefined

  const listenOn = async (current: pg.Client) => {
    if (!listening) return
    current.on('notification', listening.listener)
    await current.query(`listen ${listening.channel}`)
  }

  const connect = async () => {
    const connecting = new pg.Client({
      connectionString: databaseUrl,
      types,
      keepAlive: true,
      connectionTimeoutMillis: 1000,
      statement_timeout: 5000,
      lock_timeout: 2000,
      query_timeout: 6000,
      application_name: 'hub ledger',
      // Generic plans are made once, when tables may be small: these options keep them right for large tables.
      options:
        '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off ' +
        '-c plan_cache_mode=force_generic_plan',
    })
    const forget = () => {
      client = undefined
    }
    connecting.on('error', ({ message }) => {
      log.warn({ reason: message }, 'the ledger lost its database connection')
      forget()
    })
    connecting.on('end', forget)
    await connecting.connect()
    await listenOn(connecting)
    return connecting
  }

  const connected = () => {
    client ??= connect().catch(error => {
      client = undefined
      throw error
    })
    return client
  }

  const query: WriterConnection['query'] = async statement => {
    const current = await connected()
    try {
      return await current.query(statement)
    } catch (error) {
      // A statement that timed out here may still run on the server: close the connection, so that its late response is
      // not taken for the response to the next statement.
      if (!isAnswered(error)) {
        client = undefined
        void current.end().catch(() => {})
      }
      throw error
    }
  }

  const listen: WriterConnection['listen'] = async (channel, listener) => {
    listening = { channel, listener }
    if (client) await listenOn(await client)
    else await connected()
  }

  const close = async () => {
    const current = client
    client = undefined
    if (current) await (await current.catch(() => undefined))?.end()
  }

  return { query, listen, close }
}
