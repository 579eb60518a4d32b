import { Fault, type InvoiceDocument } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import { startWorkerThread } from '../../../lib/runtime/worker-thread.ts'
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
const runWorker = async (task: PdfTask): Promise<Uint8Array> => {
  const thread = startWorkerThread<PdfTask, Uint8Array>(new URL('./worker.ts', import.meta.url), {
    decodeError: cause => new Fault('server.failed', { cause }),
    endedError: cause => new Fault('server.failed', { detail: 'no PDF was drawn', cause }),
  })
  try {
    return await thread.send(task)
  } finally {
    await thread.terminate()
  }
}
