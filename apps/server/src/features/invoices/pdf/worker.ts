import { serveRequests } from '../../../lib/runtime/worker-thread.ts'
import { invoicePdf } from './draw.ts'

serveRequests(invoicePdf, error => (error instanceof Error ? error.stack : String(error)))
