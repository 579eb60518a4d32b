import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { isFailing, joinFailpoint } from '../../../lib/failpoint.ts'
import { passStatement } from '../step.ts'
import { makeBatch } from './batch.ts'
import { makeFlushNotes } from './flushed.ts'
import type { Answer, Answers, QueryAnswer, Question, WorkerData } from './protocol.ts'
import { decodeOperations, encodeOutcomes } from './wire.ts'

// The one thread that may write (or one that only reads). It does what it is asked, in order, and knows no turns:
// who may speak when is decided by the main thread.

const statementsMax = 500
const { file, role, failpoint } = workerData as WorkerData
joinFailpoint(failpoint)
const database = new DatabaseSync(file, { readOnly: role === 'reader', timeout: 5000 })
database.exec(
  'pragma cache_size = -32768; pragma temp_store = memory; pragma mmap_size = 268435456',
)
if (role === 'writer') {
  // Before the first table: a file that was made without it never gives pages back.
  database.exec('pragma auto_vacuum = incremental')
  // Pages go home four times as seldom as by default: a page that is written again and again goes once, and its flush
  // with it. The log is 16 MiB then.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000',
  )
}

const statements = new Map<string, StatementSync>()
const prepare = (sql: string): StatementSync => {
  const known = statements.get(sql)
  if (known) return known
  const made = database.prepare(sql)
  if (statements.size >= statementsMax) {
    for (const oldest of statements.keys()) {
      statements.delete(oldest)
      break
    }
  }
  statements.set(sql, made)
  return made
}

const query = (sql: string, parameters: readonly unknown[]): QueryAnswer => {
  const statement = prepare(sql)
  const values = parameters as SQLInputValue[]
  if (statement.columns().length > 0) {
    return { rows: statement.all(...values), changes: 0, lastId: 0 }
  }
  const { changes, lastInsertRowid } = statement.run(...values)
  return { rows: [], changes: Number(changes), lastId: Number(lastInsertRowid) }
}

let batch: ReturnType<typeof makeBatch> | undefined

const note = role === 'writer' && isFailing() ? makeFlushNotes(file) : undefined
const noted = <T>(answer: T): T => {
  if (note && !database.isTransaction) note(true)
  return answer
}

const answer = (question: Question): Answers[Question['kind']] => {
  switch (question.kind) {
    case 'query':
      return noted(passStatement(question.sql, query(question.sql, question.parameters)))
    case 'batch':
      batch ??= makeBatch(database, note)
      return encodeOutcomes(
        batch(question.epoch, decodeOperations(question.operations), question.replay),
      )
    case 'close':
      if (role === 'writer') database.exec('pragma optimize')
      database.close()
      return null
  }
}

const failureOf = (error: unknown) => {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return { sqliteCode: errcode ?? 0, message: message ?? String(error) }
}

parentPort?.on('message', (question: Question) => {
  let reply: Answer
  try {
    reply = { ok: true, value: answer(question) }
  } catch (error) {
    reply = { ok: false, failure: failureOf(error) }
  }
  parentPort?.postMessage(reply)
  if (question.kind === 'close') parentPort?.close()
})
