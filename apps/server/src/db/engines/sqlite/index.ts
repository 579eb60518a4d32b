import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Engine } from '../engine.ts'
import { classifySqliteError } from './classify-error.ts'
import { sqliteDialect, type WriteLock } from './dialect.ts'
import { checkFile } from './open-failure.ts'
import { sqliteSchema } from './schema.ts'
import { decodeOutcomes, encodeOperations } from './thread/batch-codec.ts'
import { startThread } from './thread/thread.ts'

type SqliteOptions = {
  dataDir: string
  log: Logger
  readOnly: boolean
  /** A thread ended unexpectedly, and its pending requests are lost. */
  onThreadExit(reason: unknown): void
}

/** Looks at all tables, because the writer has queried few of them. SQLite bounds the rows that it analyses. */
const optimizeAll = 'pragma optimize(0x10002)'

export const openSqlite = async ({
  dataDir,
  readOnly,
  onThreadExit,
}: SqliteOptions): Promise<Engine> => {
  const file = join(dataDir, 'hub.db')
  const writeLock = makeWriteLock()
  const { writer, reader, callReader } = await startThreads(file, readOnly, onThreadExit)

  const runBatch: Engine['runBatch'] = async (epoch, operations, isReplay) => {
    const release = await writeLock.acquire(true)
    try {
      const encoded = encodeOperations(operations)
      return decodeOutcomes(
        await writer!.send({ kind: 'batch', epoch, operations: encoded, isReplay }),
      )
    } finally {
      release()
    }
  }

  const maintain = async () => {
    const release = await writeLock.acquire(false)
    try {
      await writer!.send({ kind: 'query', sql: 'pragma incremental_vacuum(500)', parameters: [] })
    } finally {
      release()
    }
  }

  const optimize = async () => {
    const release = await writeLock.acquire(false)
    try {
      await writer!.send({ kind: 'query', sql: optimizeAll, parameters: [] })
    } finally {
      release()
    }
    // A connection reads the statistics when it is opened, and another connection has written them.
    await Promise.all([reader, callReader].map(each => each.send({ kind: 'reopen' })))
  }

  const releaseMemory = async () => {
    const threads = [writer, reader, callReader]
    await Promise.all(threads.map(each => each?.send({ kind: 'release' })))
  }

  const close = async () => {
    await reader.close()
    await callReader.close()
    await writer?.close()
  }

  return {
    dialect: sqliteDialect({ writer, reader, writeLock }),
    callDialect: sqliteDialect({ writer, reader: callReader, writeLock }),
    schema: sqliteSchema,
    runBatch,
    classifyError: classifySqliteError,
    maintain,
    createLogMonths: async () => [],
    dropLogMonths: async () => 0,
    optimize,
    releaseMemory,
    poolStats: () => [],
    close,
  }
}

const startThreads = async (
  file: string,
  readOnly: boolean,
  onThreadExit: SqliteOptions['onThreadExit'],
) => {
  checkFile(file)
  let isOpen = false
  const onExit = (reason: unknown) => {
    // The failed request says why a thread could not open the file.
    if (isOpen) onThreadExit(reason)
  }
  const start = async (role: 'writer' | 'reader') => {
    const thread = startThread({ file, role }, onExit)
    await thread.send({ kind: 'query', sql: 'pragma user_version', parameters: [] })
    return thread
  }
  // The file must exist before the reader can open it.
  const writer = readOnly ? undefined : await start('writer')
  try {
    const [reader, callReader] = await Promise.all([start('reader'), start('reader')])
    isOpen = true
    return { writer, reader, callReader }
  } catch (error) {
    await writer?.close()
    throw error
  }
}

const makeWriteLock = (): WriteLock => {
  const ledger: (() => void)[] = []
  const others: (() => void)[] = []
  let isHeld = false

  const passOn = () => {
    const next = ledger.shift() ?? others.shift()
    if (next) next()
    else isHeld = false
  }

  const releaseOnce = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      passOn()
    }
  }

  const acquire = (hasPriority: boolean) => {
    if (!isHeld) {
      isHeld = true
      return Promise.resolve(releaseOnce())
    }
    const queue = hasPriority ? ledger : others
    return new Promise<() => void>(resolve => queue.push(() => resolve(releaseOnce())))
  }

  return { acquire }
}
