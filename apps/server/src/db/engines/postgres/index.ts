import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Engine } from '../engine.ts'
import { ledgerBatchOf } from './batch.ts'
import { connectWriter } from './connection.ts'
import { maintainMonths } from './months.ts'
import { postgresSchema } from './schema.ts'
import { troubleOf } from './trouble.ts'

type Options = { databaseUrl: string; log: Logger; readOnly: boolean }

/** int8 and numeric as numbers: amounts and ids are safe integers everywhere. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

export const openPostgres = async ({ databaseUrl, log, readOnly }: Options): Promise<Engine> => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    types: types as pg.CustomTypesConfig,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'hub',
    options: readOnly ? '-c default_transaction_read_only=on' : undefined,
  })
  // Broken connections are replaced. Without listeners, on idle ones and on those in use, they would end the process.
  const broke = ({ message }: Error) => log.warn({ reason: message }, 'a database connection broke')
  pool.on('error', broke)
  pool.on('connect', client => client.on('error', broke))
  const writer = connectWriter({ databaseUrl, types: types as pg.CustomTypesConfig, log })

  const close = async () => {
    await writer.close()
    if (!pool.ended) await pool.end()
  }

  return {
    dialect: new PostgresDialect({ pool }),
    schema: postgresSchema,
    batch: ledgerBatchOf(writer),
    troubleOf,
    maintain: nowSeconds => maintainMonths(pool, nowSeconds),
    close,
  }
}
