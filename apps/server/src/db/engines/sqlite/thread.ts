import { Worker } from 'node:worker_threads'
import { Fault } from '@hub/contract'
import { failpointMemory } from '../../../lib/failpoint.ts'
import type { Answer, Answers, Question, SqliteFailure, WorkerData } from './protocol.ts'

export type Thread = {
  ask<Q extends Question>(question: Q): Promise<Answers[Q['kind']]>
  close(): Promise<void>
}

type Waiting = { resolve(value: never): void; reject(error: unknown): void }

/**
 * All that a batch or a query allocates is garbage when it ends, so little room is enough. With as much as the main
 * thread has, it would run through memory that the caches could keep for the calls: 5 % of the CPU per call.
 */
const youngMiB = 6

export const sqliteFault = (failure: SqliteFailure): Fault =>
  new Fault('server.failed', {
    detail: `SQLite ${failure.sqliteCode}: ${failure.message}`,
    cause: failure,
  })

/** A worker and its questions. A worker that ends by itself has lost answers: `died` must end the process. */
export const startThread = (
  data: Omit<WorkerData, 'failpoint'>,
  died: (reason: unknown) => void,
): Thread => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...data, failpoint: failpointMemory() } satisfies WorkerData,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: youngMiB },
  })
  /** In the order of their questions, which is that of the answers. */
  const waiting: Waiting[] = []
  let closing = false

  const fail = (reason: unknown) => {
    if (closing && waiting.length === 0) return
    closing = true
    const detail = `the SQLite ${data.role} thread has ended`
    for (const each of waiting.splice(0)) each.reject(new Fault('server.failed', { detail }))
    died(reason)
  }

  worker.on('message', (answer: Answer) => {
    const asked = waiting.shift()
    if (!asked) return
    if (answer.ok) asked.resolve(answer.value as never)
    else asked.reject(sqliteFault(answer.failure))
  })
  worker.on('messageerror', fail)
  worker.on('error', fail)
  worker.on('exit', code => fail(`exit code ${code}`))

  const ask: Thread['ask'] = question => {
    if (closing) {
      return Promise.reject(new Fault('server.failed', { detail: 'the database is closed' }))
    }
    return new Promise((resolve, reject) => {
      // First: what cannot be sent gets no answer, and must not wait for that of another.
      worker.postMessage(question)
      waiting.push({ resolve: resolve as Waiting['resolve'], reject })
    })
  }

  const close = async () => {
    if (closing) return
    const ended = ask({ kind: 'close' })
    closing = true
    await ended
    await worker.terminate()
  }

  return { ask, close }
}
