import { endPendingRefunds } from '../billing/orders/refund.ts'
import { defineJob } from '../core/define-job.ts'

/** Asks vendors how refunds under way ended. One node takes each turn, and a refund's number refunds once. */
export default defineJob({ name: 'end-pending-refunds', everySeconds: 15, run: endPendingRefunds })
