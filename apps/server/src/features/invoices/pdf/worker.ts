import { parentPort, workerData } from 'node:worker_threads'
import { invoicePdf } from './draw.ts'
import type { PdfTask } from './index.ts'

const bytes = await invoicePdf(workerData as PdfTask)
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
