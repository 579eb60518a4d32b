import { Worker } from 'node:worker_threads'
import { Fault } from '@hub/contract'
import type { BackupResult, BackupSource } from './write.ts'

export type BackupOrder = BackupSource & { file: string; now: Date }
export type BackupReply = { result: BackupResult } | { error: string }

const cancelCheckMs = 200

/** Writes a backup in a thread, so that calls do not wait for its work. Undefined: it was cancelled. */
export const writeInThread = (
  order: BackupOrder,
  isCancelled: () => boolean,
): Promise<BackupResult | undefined> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: order,
      execArgv: [],
    })
    const timer = setInterval(() => {
      if (!isCancelled()) return
      clearInterval(timer)
      void worker.terminate().then(() => resolve(undefined))
    }, cancelCheckMs)
    const fail = (error: unknown) => {
      clearInterval(timer)
      reject(error)
    }
    worker.once('error', fail)
    worker.once('exit', code => fail(new Fault('server.failed', { detail: `exit code ${code}` })))
    worker.once('message', (reply: BackupReply) => {
      clearInterval(timer)
      if ('result' in reply) resolve(reply.result)
      else reject(new Fault('server.failed', { hint: reply.error }))
    })
  })
