import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Engine, PoolStats } from '../engine.ts'
import { makeRunBatch } from './batch.ts'
import { classifyPostgresError } from './classify-error.ts'
import { connectWriter } from './connection.ts'
import { createMonthsOf, detachMonthsBefore, dropDetachedMonths, maintainMonths } from './months.ts'
import { postgresSchema } from './schema.ts'

type PostgresOptions = { databaseUrl: string; log: Logger; readOnly: boolean }

/** Parses int8 and numeric as numbers: amounts and ids are always safe integers. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

export const openPostgres = async ({
  databaseUrl,
  log,
  readOnly,
}: PostgresOptions): Promise<Engine> => {
  // A pool replaces broken connections. Without an error listener they would end the process.
  const onBroken = ({ message }: Error) =>
    log.warn({ reason: message }, 'a database connection broke')
  const openPool = (max: number) => {
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max,
      types: types as pg.CustomTypesConfig,
      connectionTimeoutMillis: 5000,
      statement_timeout: 30_000,
      lock_timeout: 5000,
      idle_in_transaction_session_timeout: 30_000,
      application_name: 'hub',
      // Compiling a query over many months takes longer than most queries.
      options: `-c jit=off${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
    })
    pool.on('error', onBroken)
    pool.on('connect', client => client.on('error', onBroken))
    return pool
  }
  const pool = openPool(10)
  const callPool = openPool(5)
  const writer = connectWriter({ databaseUrl, types: types as pg.CustomTypesConfig, log })

  const close = async () => {
    await writer.close()
    for (const each of [pool, callPool]) if (!each.ended) await each.end()
  }

  return {
    dialect: new PostgresDialect({ pool }),
    callDialect: new PostgresDialect({ pool: callPool }),
    schema: postgresSchema,
    runBatch: makeRunBatch(writer),
    classifyError: classifyPostgresError,
    maintain: nowSeconds => maintainMonths(pool, nowSeconds),
    createLogMonths: (times, nowSeconds) => createMonthsOf(pool, times, nowSeconds),
    dropLogMonths: async beforeSeconds => {
      const rows = await detachMonthsBefore(pool, beforeSeconds)
      await dropDetachedMonths(pool)
      return rows
    },
    // Autovacuum analyses tables that have changed.
    optimize: async () => undefined,
    // The server of PostgreSQL has the caches.
    releaseMemory: async () => {},
    poolStats: () => [poolStats('console', pool), poolStats('calls', callPool)],
    close,
  }
}

const poolStats = (
  name: PoolStats['pool'],
  { totalCount, idleCount, waitingCount }: pg.Pool,
): PoolStats => ({ pool: name, inUse: totalCount - idleCount, waiting: waitingCount })
