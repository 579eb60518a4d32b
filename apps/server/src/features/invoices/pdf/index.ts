import { Worker } from 'node:worker_threads'
import { Fault, type InvoiceDocument } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import type { InvoiceLanguage } from '../texts.ts'

export type PdfTask = {
  document: InvoiceDocument
  sha256: string
  /** Seconds. */
  createdAt: number
  language: InvoiceLanguage
}

/** One PDF is drawn at a time, so that users cannot occupy every core. */
const lastTask = appScoped(() => ({ done: Promise.resolve() as Promise<unknown> }))

export const drawPdf = (app: App, task: PdfTask): Promise<Uint8Array> => {
  const last = lastTask(app)
  const drawn = last.done.then(() => runWorker(task))
  last.done = drawn.catch(() => undefined)
  return drawn
}

/** The library and the font are loaded by the worker only, and released with it. */
const runWorker = (task: PdfTask): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task })
    worker.once('message', resolve)
    worker.once('error', cause => reject(new Fault('server.failed', { cause })))
    worker.once('exit', () => reject(new Fault('server.failed', { detail: 'no PDF was drawn' })))
  })
