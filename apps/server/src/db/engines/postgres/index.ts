import { PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Engine, PoolStats } from '../engine.ts'
import { makeRunBatch } from './batch.ts'
import { connectWriter, forKysely, migrationLimits, openPool, queryLimits } from './connection.ts'
import { classifyPostgresError } from './failures/classify-error.ts'
import { checkServer } from './failures/open-failure.ts'
import { createMonthsOf, detachMonthsBefore, dropDetachedMonths, maintainMonths } from './months.ts'
import { postgresSchema } from './schema.ts'

type PostgresOptions = { databaseUrl: string; log: Logger; readOnly: boolean }

/** Parses int8 and numeric as numbers: amounts and ids are always safe integers. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/** PostgreSQL keeps the notifications of each database apart. */
const joinedChannel = 'hub_node_joined'

export const openPostgres = async ({
  databaseUrl,
  log,
  readOnly,
}: PostgresOptions): Promise<Engine> => {
  const openPoolOf = (max: number, limitsMs = queryLimits) =>
    openPool({ databaseUrl, types: types as pg.CustomTypesConfig, log, max, readOnly, limitsMs })
  const pool = openPoolOf(10)
  await checkServer(pool, databaseUrl).catch(async error => {
    await pool.end()
    throw error
  })
  const callPool = openPoolOf(5)
  const writer = connectWriter({ databaseUrl, types: types as pg.CustomTypesConfig, log })

  const close = async () => {
    await writer.close()
    for (const each of [pool, callPool]) if (!each.ended) await each.end()
  }

  return {
    dialect: new PostgresDialect({ pool: forKysely(pool) }),
    callDialect: new PostgresDialect({ pool: forKysely(callPool) }),
    migrationDialect: new PostgresDialect({ pool: async () => openPoolOf(2, migrationLimits) }),
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
    joining: {
      announce: async () => void (await pool.query(`notify ${joinedChannel}`)),
      onJoined: listener => {
        writer
          .listen(joinedChannel, listener)
          .catch(error => log.warn({ err: error }, 'new nodes are noticed late'))
      },
    },
    poolStats: () => [poolStats('console', pool), poolStats('calls', callPool)],
    close,
  }
}

const poolStats = (
  name: PoolStats['pool'],
  { totalCount, idleCount, waitingCount }: pg.Pool,
): PoolStats => ({ pool: name, inUse: totalCount - idleCount, waiting: waitingCount })
