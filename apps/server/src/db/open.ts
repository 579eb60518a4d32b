import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { Kysely, type LogEvent } from 'kysely'
import type { Logger } from 'pino'
import { failpoint, isFailing } from '../lib/failpoint.ts'
import { lockDataDir } from './engines/data-lock.ts'
import type { Engine } from './engines/engine.ts'
import { openPostgres } from './engines/postgres/index.ts'
import { openSqlite } from './engines/sqlite/index.ts'
import { passStatement } from './engines/step.ts'
import type { Database, Store } from './index.ts'
import { startHeart } from './ledger/heart.ts'
import { openJournal } from './ledger/journal.ts'
import { recoverEpoch } from './ledger/recover.ts'
import { startWriter } from './ledger/writer.ts'
import { migrate } from './migrate.ts'
import * as nodes from './queries/nodes.ts'
import type { Tables } from './tables/index.ts'

export type StoreOptions = {
  /** Absent: SQLite in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  log: Logger
  /** `reader` looks at a store that another process may have open: no lock, no migration, no epoch, no writes. */
  role?: 'gateway' | 'reader'
  beatSeconds?: number
  takeoverSeconds?: number
}

const die = (log: Logger) => (reason: unknown) => {
  log.fatal(
    { err: reason },
    'a database thread has died: this process cannot answer for money any more',
  )
  process.exitCode = 1
  // Leaves the logger a moment to write.
  setTimeout(() => process.exit(1), 50)
}

const openEngine = ({ databaseUrl, dataDir, log, role }: StoreOptions): Promise<Engine> => {
  const readOnly = role === 'reader'
  return databaseUrl
    ? openPostgres({ databaseUrl, log, readOnly })
    : openSqlite({ dataDir, log, readOnly, died: die(log) })
}

/** Which database a journal or an epoch in `dataDir` belongs to: neither may ever meet another one. */
const nameOf = (databaseUrl: string | undefined): string => {
  if (!databaseUrl) return 'sqlite'
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl)
  const place = [hostname || searchParams.get('host'), port || searchParams.get('port'), pathname]
  return createHash('sha256').update(place.join('|')).digest('hex').slice(0, 12)
}

export const openStore = async (options: StoreOptions): Promise<Store> => {
  if (options.role === 'reader') return openReader(options)
  const { dataDir } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
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

const openReader = async (options: StoreOptions): Promise<Store> => {
  const engine = await openEngine(options)
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect })
  const refuse = () => {
    throw new Fault('server.failed', { detail: 'this store was opened for reading only' })
  }
  return {
    db,
    ledger: { epoch: 0, nextId: refuse, submit: refuse, lag: () => 0 },
    maintain: refuse,
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
  const { databaseUrl, dataDir, log, beatSeconds = 2, takeoverSeconds = 30 } = options
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect, ...steps(databaseUrl) })
  await migrate(db, engine.schema)
  await engine.maintain(Math.floor(Date.now() / 1000))

  const name = nameOf(databaseUrl)
  const epochFile = join(dataDir, `epoch-${name}`)
  const predecessor = await readEpoch(epochFile)
  const openEpoch = async () => {
    const epoch = await nodes.join(db)
    await writeEpoch(epochFile, epoch)
    return epoch
  }
  const epoch = await nodes.join(db)
  const journal = await openJournal(join(dataDir, `journal-${name}.jsonl`))
  const writer = startWriter({ engine, epoch, journal, log, openEpoch })

  // First what the predecessor had written down, then what it left open: a settle is worth more than a checkpoint.
  await writer.replay()
  for (const node of await nodes.listUnfinished(db, epoch)) {
    // We hold its directory: it cannot be alive. On SQLite nobody else can be, either.
    if (databaseUrl && node.epoch !== predecessor) continue
    await nodes.declareDead(db, node.epoch, node.beat)
    const closed = await recoverEpoch(db, writer, node.epoch)
    if (closed > 0)
      log.warn({ epoch: node.epoch, holds: closed }, 'closed what the last run left open')
  }
  await writeEpoch(epochFile, epoch)

  const heart = startHeart({ db, writer, log, beatSeconds, takeoverSeconds })
  const close = async () => {
    await heart.stop()
    await writer.close()
    // Said, not waited for: the others need not watch a heart that stopped on purpose.
    await nodes.retire(db, writer.epoch).catch(() => {})
    await engine.maintain(Math.floor(Date.now() / 1000)).catch(() => {})
    await db.destroy()
    await engine.close()
  }
  return { db, ledger: writer, maintain: engine.maintain, close }
}

/** The embedded engine counts its statements itself, in the thread that runs them. */
const steps = (databaseUrl: string | undefined): { log?: (event: LogEvent) => void } =>
  databaseUrl && isFailing() ? { log: ({ query }) => passStatement(query.sql, undefined) } : {}

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
