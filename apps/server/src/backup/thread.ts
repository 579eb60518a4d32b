import { Fault } from '@hub/contract'
import { startWorkerThread } from '../lib/runtime/worker-thread.ts'
import type { BackupResult, BackupSource } from './write.ts'

export type BackupOrder = BackupSource & { file: string; now: Date }

const cancelCheckMs = 200

/** Writes a backup in a thread, so that calls do not wait for its work. Undefined: it was cancelled. */
export const writeInThread = async (
  order: BackupOrder,
  isCancelled: () => boolean,
): Promise<BackupResult | undefined> => {
  const thread = startWorkerThread<BackupOrder, BackupResult>(
    new URL('./worker.ts', import.meta.url),
    {
      decodeError: message => new Fault('server.failed', { hint: String(message) }),
      endedError: reason =>
        new Fault('server.failed', { detail: 'the backup thread has ended', cause: reason }),
    },
  )
  let wasCancelled = false
  const timer = setInterval(() => {
    if (!isCancelled()) return
    wasCancelled = true
    void thread.terminate()
  }, cancelCheckMs)
  try {
    return await thread.send(order)
  } catch (error) {
    if (wasCancelled) return undefined
    throw error
  } finally {
    clearInterval(timer)
    await thread.terminate()
  }
}
