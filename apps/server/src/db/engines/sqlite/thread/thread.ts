import { Fault } from '@hub/contract'
import { failpointMemory } from '../../../../lib/failpoint.ts'
import { startWorkerThread } from '../../../../lib/runtime/worker-thread.ts'
import type { SqliteFailure, ThreadRequest, ThreadResults, WorkerData } from './protocol.ts'

export type Thread = {
  send<Q extends ThreadRequest>(question: Q): Promise<ThreadResults[Q['kind']]>
  close(): Promise<void>
}

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

/** Starts a worker. If it ends unexpectedly, responses are lost: `onExit` must end the process. */
export const startThread = (
  data: Omit<WorkerData, 'failpoint'>,
  onExit: (reason: unknown) => void,
): Thread => {
  let isClosing = false
  const worker = startWorkerThread<ThreadRequest, never>(new URL('./worker.ts', import.meta.url), {
    workerData: { ...data, failpoint: failpointMemory() } satisfies WorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMiB },
    decodeError: failure => sqliteFault(failure as SqliteFailure),
    endedError: cause =>
      new Fault('server.failed', { detail: `the SQLite ${data.role} thread has ended`, cause }),
    onEnd: (reason, lostRequests) => {
      if (isClosing && lostRequests === 0) return
      isClosing = true
      onExit(reason)
    },
  })

  const send: Thread['send'] = request =>
    isClosing
      ? Promise.reject(new Fault('server.failed', { detail: 'the database is closed' }))
      : worker.send(request)

  const close = async () => {
    if (isClosing) return
    const ended = send({ kind: 'close' })
    isClosing = true
    await ended
    await worker.terminate()
  }

  return { send, close }
}
