import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { Fault } from '@hub/contract/faults'
import { isFailing, joinFailpoint } from '../../../../lib/failpoint.ts'
import { shrinkHeap } from '../../../../lib/runtime/shrink-heap.ts'
import { serveRequests } from '../../../../lib/runtime/worker-thread.ts'
import { statementFailpoint } from '../../statement-failpoint.ts'
import { makeRunBatch } from '../ledger/batch.ts'
import { decodeOperations, encodeOutcomes } from './batch-codec.ts'
import { makeFlushRecorder } from './flush-record.ts'
import type { QueryRows, ThreadRequest, ThreadResults, WorkerData } from './protocol.ts'

// The writer thread or a reader thread. It performs its requests in order. The main thread owns the write lock.

const statementsMax = 500
/**
 * The system caches the file too, and a page from there costs little. 32 MiB for each connection and a mapping of 256 MiB
 * held 50 MB more after full load, and took no less CPU beyond the noise.
 */
const cacheKiB = { writer: 8_192, reader: 4_096 }
const mappedBytes = 2 ** 26
const { file, role, failpoint } = workerData as WorkerData
joinFailpoint(failpoint)
/** Reading the clock for each row would cost more than the row. */
const rowsPerLook = 256
let rowsRead = 0
let queryBegan = 0
/** SQLITE_INTERRUPT: https://www.sqlite.org/rescode.html#interrupt */
const interruptCode = 9
/** Conditions of queries call it for each row, because Node.js cannot interrupt a statement. */
const endAtDeadline = (limitMs: SQLInputValue) => {
  rowsRead = (rowsRead + 1) % rowsPerLook
  if (rowsRead === 0 && performance.now() - queryBegan > Number(limitMs))
    throw Object.assign(new Fault('request.too_slow'), { errcode: interruptCode })
  return 1
}
const open = () => {
  const opened = new DatabaseSync(file, { readOnly: role === 'reader', timeout: 5000 })
  opened.exec(
    `pragma cache_size = -${cacheKiB[role]}; pragma temp_store = memory; pragma mmap_size = ${mappedBytes}`,
  )
  opened.function('hub_deadline', endAtDeadline)
  return opened
}
let database = open()
if (role === 'writer') {
  // Must precede the first table: a file created without it never returns pages.
  database.exec('pragma auto_vacuum = incremental')
  // Checkpoints four times less often than the default, so that a hot page is written once and flushed once. The
  // write-ahead log grows to 16 MiB.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000',
  )
}

const statements = new Map<string, StatementSync>()
const prepare = (sql: string): StatementSync => {
  const cached = statements.get(sql)
  if (cached) return cached
  const prepared = database.prepare(sql)
  if (statements.size >= statementsMax) {
    for (const oldest of statements.keys()) {
      statements.delete(oldest)
      break
    }
  }
  statements.set(sql, prepared)
  return prepared
}

const query = (sql: string, parameters: readonly unknown[]): QueryRows => {
  const statement = prepare(sql)
  queryBegan = performance.now()
  const values = parameters as SQLInputValue[]
  if (statement.columns().length > 0) {
    return { rows: statement.all(...values), changes: 0, lastId: 0 }
  }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], changes: Number(changes), lastId: Number(lastInsertRowid) }
}

let runBatch: ReturnType<typeof makeRunBatch> | undefined

const recordFlush = role === 'writer' && isFailing() ? makeFlushRecorder(file) : undefined
const withFlushRecord = <T>(result: T): T => {
  if (recordFlush && !database.isTransaction) recordFlush(true)
  return result
}

const perform = (request: ThreadRequest): ThreadResults[ThreadRequest['kind']] => {
  switch (request.kind) {
    case 'query':
      return withFlushRecord(
        statementFailpoint(request.sql, query(request.sql, request.parameters)),
      )
    case 'batch':
      runBatch ??= makeRunBatch(database, recordFlush)
      return encodeOutcomes(
        runBatch(request.epoch, decodeOperations(request.operations), request.isReplay),
      )
    case 'reopen':
      statements.clear()
      database.close()
      database = open()
      return null
    case 'release':
      release()
      return null
    case 'close':
      if (role === 'writer') database.exec('pragma optimize')
      database.close()
      return null
  }
}

/** A mapping of the file counts as memory of this process, once in each thread, although the system could take it. */
const release = () => {
  database.exec(`pragma shrink_memory; pragma mmap_size = 0; pragma mmap_size = ${mappedBytes}`)
  shrinkHeap()
}

const failureOf = (error: unknown) => {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return { sqliteCode: errcode ?? 0, message: message ?? String(error) }
}

serveRequests(perform, failureOf)
