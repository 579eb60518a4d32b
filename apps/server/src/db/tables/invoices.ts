import type { Generated } from 'kysely'

/** A month whose invoices were made. */
export type InvoiceMonthsTable = {
  /** `YYYY-MM`. */
  month: string
  /** Seconds of the postings in it. It begins where the month before ended, also if the time zone has changed since. */
  begins_at: number
  ends_at: number
  time_zone: string
  created_at: number
}

/** One invoice per user and month. Its content is the row of `invoice_documents` with the same revision. */
export type InvoicesTable = {
  id: Generated<number>
  user_id: number
  /** `YYYY-MM`. */
  month: string
  /** `unpaid` or `paid`. */
  status: string
  revision: number
  /** Millionths of a US dollar. */
  amount_micros: number
  requests: number
  /** Points. */
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Milliseconds. */
  request_time: number
  created_at: number
  /** Null: not paid. */
  paid_at: number | null
}

/** Append-only: what an invoice said stays. */
export type InvoiceDocumentsTable = {
  invoice_id: number
  revision: number
  created_at: number
  /** JSON: InvoiceDocument of the contract. */
  body: string
  /** SHA-256 of the body, hex. */
  sha256: string
}
