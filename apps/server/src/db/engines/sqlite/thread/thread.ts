import { Worker } from 'node:worker_threads'
import { Fault } from '@hub/contract'
import { failpointMemory } from '../../../../lib/failpoint.ts'
import type {
  SqliteFailure,
  ThreadReply,
  ThreadRequest,
  ThreadResults,
  WorkerData,
} from './protocol.ts'

export type Thread = {
  send<Q extends ThreadRequest>(question: Q): Promise<ThreadResults[Q['kind']]>
  close(): Promise<void>
}

type PendingReply = { resolve(value: never): void; reject(error: unknown): void }

/**
 * A batch or query leaves no live objects, so that a small young generation suffices. The default size would evict CPU
 * caches that serve calls, which costs 5 % of the CPU per call.
 */
const youngGenerationMiB = 6

export const sqliteFault = (failure: SqliteFailure): Fault =>
  new Fault('server.failed', {
    detail: `SQLite ${failure.sqliteCode}: ${failure.message}`,
    cause: failure,
  })

/** Starts a worker. If it ends unexpectedly, replies are lost: `onExit` must end the process. */
export const startThread = (
  data: Omit<WorkerData, 'failpoint'>,
  onExit: (reason: unknown) => void,
): Thread => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...data, failpoint: failpointMemory() } satisfies WorkerData,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMiB },
  })
  /** In the order of the requests, which is the order of the replies. */
  const pending: PendingReply[] = []
  let isClosing = false

  const fail = (reason: unknown) => {
    if (isClosing && pending.length === 0) return
    isClosing = true
    const detail = `the SQLite ${data.role} thread has ended`
    for (const each of pending.splice(0)) each.reject(new Fault('server.failed', { detail }))
    onExit(reason)
  }

  worker.on('message', (reply: ThreadReply) => {
    const request = pending.shift()
    if (!request) return
    if (reply.ok) request.resolve(reply.value as never)
    else request.reject(sqliteFault(reply.failure))
  })
  worker.on('messageerror', fail)
  worker.on('error', fail)
  worker.on('exit', code => fail(`exit code ${code}`))

  const send: Thread['send'] = request => {
    if (isClosing) {
      return Promise.reject(new Fault('server.failed', { detail: 'the database is closed' }))
    }
    return new Promise((resolve, reject) => {
      // Post first: a request that cannot be cloned gets no reply, and must not consume the reply to another.
      worker.postMessage(request)
      pending.push({ resolve: resolve as PendingReply['resolve'], reject })
    })
  }

  const close = async () => {
    if (isClosing) return
    const ended = send({ kind: 'close' })
    isClosing = true
    await ended
    await worker.terminate()
  }

  return { send, close }
}
