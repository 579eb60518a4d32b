import { defineJob } from '../core/define-job.ts'
import { makeDueInvoices } from '../features/invoices/make.ts'

/** Makes the invoices of the month that has ended. A user has one invoice per month, so a second run adds none. */
export default defineJob({ name: 'make-invoices', everySeconds: 60, run: makeDueInvoices })
