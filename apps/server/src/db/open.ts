import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { Kysely, type LogEvent } from 'kysely'
import type { Logger } from 'pino'
import { failpoint, isFailing } from '../lib/failpoint.ts'
import { endsWithin } from '../lib/time/ends-within.ts'
import { lockDataDir } from './engines/data-lock.ts'
import type { Engine } from './engines/engine.ts'
import { withExplainedFailures } from './engines/open-failure.ts'
import { openSqlite } from './engines/sqlite/index.ts'
import { statementFailpoint } from './engines/statement-failpoint.ts'
import type { Database, Store } from './index.ts'
import { openJournal } from './ledger/journal.ts'
import { startNodeLease } from './ledger/node-lease.ts'
import { recoverEpoch } from './ledger/recover.ts'
import { startWriter, writerCloseMaxMs } from './ledger/writer.ts'
import { migrate } from './migrate.ts'
import * as nodes from './queries/nodes.ts'
import { makeTableWrites } from './table-writes.ts'
import type { Tables } from './tables/index.ts'

export type StoreOptions = {
  /** Absent: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  log: Logger
  /**
   * `reader` and `editor` open a store that a gateway may use at the same time: no lock, no migration, no ledger.
   * Only an editor writes.
   */
  role?: 'gateway' | 'reader' | 'editor'
  heartbeatSeconds?: number
  takeoverSeconds?: number
}

/** Time to give the lease back and to end connections, when nothing waits to be written any more. */
const disconnectMaxMs = 1_000

/** The most that closing a store takes, unless the disk does not take the journal. */
export const storeCloseMaxMs = writerCloseMaxMs + disconnectMaxMs

const exitProcess = (log: Logger) => (reason: unknown) => {
  log.fatal(
    { err: reason },
    'a database thread has died: this process can no longer write the ledger',
  )
  process.exitCode = 1
  // Gives the logger time to write.
  setTimeout(() => process.exit(1), 50)
}

export const openEngine = async (
  { databaseUrl, dataDir, log, role }: StoreOptions,
  onThreadExit = exitProcess(log),
): Promise<Engine> => {
  const readOnly = role === 'reader'
  if (!databaseUrl) return openSqlite({ dataDir, log, readOnly, onThreadExit })
  const { openPostgres } = await import('./engines/postgres/index.ts')
  return openPostgres({ databaseUrl, log, readOnly })
}

/** Names the database to which a journal and an epoch in `dataDir` belong: they must not be used with another one. */
export const databaseName = (databaseUrl: string | undefined): string => {
  if (!databaseUrl) return 'sqlite'
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl)
  const parts = [hostname || searchParams.get('host'), port || searchParams.get('port'), pathname]
  return createHash('sha256').update(parts.join('|')).digest('hex').slice(0, 12)
}

/** A folder that existed before may be readable by everybody. One that belongs to somebody else stays as it is. */
const closeToOthers = (dataDir: string, log: Logger) => {
  try {
    chmodSync(dataDir, 0o700)
  } catch (error) {
    log.warn({ err: error }, `the access rights of ${dataDir} could not be limited to this user`)
  }
}

export const openStore = (options: StoreOptions): Promise<Store> =>
  withExplainedFailures(options, () => openLocked(options))

const openLocked = async (options: StoreOptions): Promise<Store> => {
  if (options.role === 'reader' || options.role === 'editor') return openWithoutLedger(options)
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  accessSync(dataDir, constants.W_OK | constants.X_OK)
  closeToOthers(dataDir, options.log)
  const unlock = lockDataDir(dataDir)
  try {
    const store = await openGateway(options)
    const close = async () => {
      await store.close()
      unlock()
    }
    return { ...store, close }
  } catch (error) {
    unlock()
    throw error
  }
}

const openWithoutLedger = async (options: StoreOptions): Promise<Store> => {
  const engine = await openEngine(options)
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect })
  const refuse = () => {
    throw new Fault('server.failed', { detail: 'this store was opened without a ledger' })
  }
  return {
    db,
    callDb: db,
    ledger: { epoch: 0, nextId: refuse, submit: refuse, lag: () => 0 },
    nodes: { isAlone: () => false, onJoined: () => {} },
    onWrite: () => {},
    maintain: refuse,
    createLogMonths: refuse,
    dropLogMonths: refuse,
    optimize: refuse,
    releaseMemory: engine.releaseMemory,
    stats: () => ({ journalBytes: 0, pools: engine.poolStats() }),
    close: async () => {
      await db.destroy()
      await engine.close()
    },
  }
}

const openGateway = async (options: StoreOptions): Promise<Store> => {
  const engine = await openEngine(options)
  try {
    return await openOn(engine, options)
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

const openOn = async (engine: Engine, options: StoreOptions): Promise<Store> => {
  const { databaseUrl, dataDir, log, heartbeatSeconds = 2, takeoverSeconds = 30 } = options
  const { onWrite, plugin } = makeTableWrites()
  const shared = { plugins: [plugin], ...failpointLog(databaseUrl) }
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect, ...shared })
  const callDb: Database = new Kysely<Tables>({ dialect: engine.callDialect, ...shared })
  await migrate(db, engine)
  await engine.maintain(Math.floor(Date.now() / 1000))

  const name = databaseName(databaseUrl)
  const epochFile = join(dataDir, `epoch-${name}`)
  const predecessor = await readEpoch(epochFile)
  const openEpoch = async () => {
    const epoch = await nodes.openEpoch(db)
    await writeEpoch(epochFile, epoch)
    return epoch
  }
  const openedAt = performance.now()
  const epoch = await nodes.openEpoch(db)
  const commitMs = performance.now() - openedAt
  const journal = await openJournal(join(dataDir, `journal-${name}.jsonl`))
  const writer = startWriter({ engine, epoch, journal, log, openEpoch })
  writer.notePace(commitMs)

  // Replays the journal before recovery: a journaled settle is more exact than the last checkpoint.
  await writer.replay()
  for (const node of await nodes.listUnfinished(db, epoch)) {
    // We hold the lock of its directory, so that it is dead. On SQLite this is true for every other epoch.
    if (databaseUrl && node.epoch !== predecessor) continue
    await nodes.expire(db, node.epoch, node.heartbeat)
    const closed = await recoverEpoch(db, writer, node.epoch)
    if (closed > 0)
      log.warn({ epoch: node.epoch, holds: closed }, 'closed the holds that the last run left open')
  }
  await writeEpoch(epochFile, epoch)

  const lease = startNodeLease({ db, writer, log, heartbeatSeconds, takeoverSeconds })
  engine.joining?.onJoined(lease.lookNow)
  // A failure is harmless: the other nodes then see this one at their next heartbeat.
  await engine.joining?.announce().catch(() => {})
  const disconnect = async () => {
    await lease.stop()
    // Other nodes then need not wait for the takeover timeout. A failure is harmless.
    await nodes.retire(db, writer.epoch).catch(() => {})
    await db.destroy()
    await callDb.destroy()
    await engine.close()
  }
  const close = async () => {
    await writer.close()
    // A database that does not answer ends no connection and no query either.
    if (!(await endsWithin(disconnect(), disconnectMaxMs)))
      log.warn('the database did not answer: its connections are left behind')
  }
  const { maintain, createLogMonths, dropLogMonths, optimize, releaseMemory } = engine
  const stats = () => ({ journalBytes: journal.size, pools: engine.poolStats() })
  return {
    db,
    callDb,
    ledger: writer,
    nodes: lease,
    onWrite,
    maintain,
    createLogMonths,
    dropLogMonths,
    optimize,
    releaseMemory,
    stats,
    close,
  }
}

/** On PostgreSQL every Kysely statement is a failpoint; SQLite counts statements in its threads. */
const failpointLog = (databaseUrl: string | undefined): { log?: (event: LogEvent) => void } =>
  databaseUrl && isFailing() ? { log: ({ query }) => statementFailpoint(query.sql, undefined) } : {}

const readEpoch = async (file: string): Promise<number | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  const epoch = Number.parseInt(text, 10)
  return Number.isSafeInteger(epoch) ? epoch : undefined
}

const writeEpoch = async (file: string, epoch: number): Promise<void> => {
  await writeFile(`${file}.new`, `${epoch}\n`, { mode: 0o600 })
  failpoint('epoch written')
  await rename(`${file}.new`, file)
  failpoint('epoch renamed')
}
