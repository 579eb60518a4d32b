import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Engine, Trouble } from '../engine.ts'
import { sqliteDialect } from './dialect.ts'
import { fenced, type SqliteFailure } from './protocol.ts'
import { sqliteSchema } from './schema.ts'
import { startThread } from './thread.ts'
import { makeTurns } from './turns.ts'
import { decodeOutcomes, encodeOperations } from './wire.ts'

type Options = {
  dataDir: string
  log: Logger
  readOnly: boolean
  /** A thread ended by itself: what it was asked is lost. */
  died(reason: unknown): void
}

/** Full disk, broken file, no memory, busy: the next batch would fail too. The rest is one operation's own fault. */
const awayCodes = new Set([5, 6, 7, 8, 10, 11, 13, 14, 15, 22, 23, 26])

const troubleOf = (error: unknown): Trouble => {
  const { sqliteCode } = ((error as { cause?: unknown }).cause ?? {}) as Partial<SqliteFailure>
  if (sqliteCode === fenced) return 'fenced'
  // Our own faults come without a code: an account that does not exist.
  if (sqliteCode === undefined) return 'away'
  return awayCodes.has(sqliteCode & 0xff) ? 'away' : 'bad'
}

export const openSqlite = async ({ dataDir, readOnly, died }: Options): Promise<Engine> => {
  const file = join(dataDir, 'hub.db')
  const turns = makeTurns()
  const writer = readOnly ? undefined : startThread({ file, role: 'writer' }, died)
  // The file must exist before it can be opened for reading only.
  await writer?.ask({ kind: 'query', sql: 'pragma user_version', parameters: [] })
  const reader = startThread({ file, role: 'reader' }, died)

  const batch: Engine['batch'] = async (epoch, operations, replay) => {
    const done = await turns.take(true)
    try {
      const packed = encodeOperations(operations)
      return decodeOutcomes(await writer!.ask({ kind: 'batch', epoch, operations: packed, replay }))
    } finally {
      done()
    }
  }

  const maintain = async () => {
    const done = await turns.take(false)
    try {
      await writer!.ask({ kind: 'query', sql: 'pragma incremental_vacuum(500)', parameters: [] })
    } finally {
      done()
    }
  }

  const close = async () => {
    await reader.close()
    await writer?.close()
  }

  const dialect = sqliteDialect({ writer, reader, turns })
  return { dialect, schema: sqliteSchema, batch, troubleOf, maintain, close }
}
