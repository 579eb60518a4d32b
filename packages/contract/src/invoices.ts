import { z } from 'zod'
import {
  FileResponse,
  get,
  Id,
  ListQuery,
  NoData,
  orderQuery,
  pageOf,
  post,
  resource,
} from './resource.ts'

/** The sums of some charged calls. */
const figures = {
  request_count: z.number(),
  /** Points. */
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Milliseconds. */
  request_time: z.number(),
}

export const Invoice = z.object({
  id: z.number(),
  user_id: z.number(),
  username: z.string(),
  /** The number of the invoice: year and month, and the id of the user. */
  name: z.string(),
  status: z.enum(['unpaid', 'paid']),
  /** US dollars with six decimals, at the rate of the time at which it was made. */
  amount: z.number(),
  /** The first day of the month, `YYYY-MM-01`. */
  date: z.string(),
  created_time: z.number(),
  /** 0: not paid. */
  paid_time: z.number(),
  ...figures,
})
export type Invoice = z.output<typeof Invoice>

export const InvoiceLine = z.object({
  /** A day of the time zone of the invoice, or the first day of the month in sums of a month. */
  date: z.string(),
  /** Empty: the call was lost with the process that served it before the model was known. */
  model_name: z.string(),
  ...figures,
})
export type InvoiceLine = z.output<typeof InvoiceLine>

/** The frozen content of an invoice. It is stored as JSON with its hash, and never changes. */
export const InvoiceDocument = z.object({
  version: z.literal(1),
  number: z.string(),
  date: z.string(),
  time_zone: z.string(),
  system_name: z.string(),
  user: z.object({
    id: z.number(),
    username: z.string(),
    display_name: z.string(),
    email: z.string(),
  }),
  quota_per_unit: z.number(),
  /** US dollars with six decimals. */
  amount: z.number(),
  total: z.object(figures),
  /** By day and model, in this order. */
  lines: z.array(InvoiceLine),
})
export type InvoiceDocument = z.output<typeof InvoiceDocument>

const Opened = z.object({
  invoice: Invoice,
  document: InvoiceDocument,
  /** SHA-256 of the stored JSON, in hexadecimal. */
  sha256: z.string(),
  /** Seconds at which this document was made. */
  created_time: z.number(),
})
export type OpenedInvoice = z.output<typeof Opened>

const Month = z.object({ date: z.iso.date() })
const Format = z.object({
  format: z.enum(['pdf', 'csv']),
  language: z.enum(['zh_CN', 'zh_HK', 'en_US', 'ja_JP']).optional(),
})
const order = orderQuery(
  'id',
  'date',
  'request_count',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'request_time',
  'status',
)
const List = ListQuery.omit({ keyword: true }).extend({ order })
const AllList = List.extend({
  user_id: z.number().int().optional(),
  status: Invoice.shape.status.optional(),
  /** Any day of the month. */
  date: z.iso.date().optional(),
})

/** `time` is any day of the month. */
const Time = z.object({ time: z.iso.date() })
const Generated = z.object({
  /** New invoices. */
  created: z.number(),
  /** Unpaid invoices with new content. */
  changed: z.number(),
  /** Paid invoices whose postings have changed. They stay as they are. */
  kept: z.number(),
})

export const invoices = resource('/api', {
  own: get('/user/invoice', {
    access: 'user',
    input: List,
    response: pageOf(Invoice),
    summary: 'Monthly invoices of the caller',
  }),
  ownDetail: get('/user/invoice/detail', {
    access: 'user',
    input: Month,
    response: z.array(InvoiceLine),
    summary: 'One invoice of the caller by model',
  }),
  ownDocument: get('/user/invoice/document', {
    access: 'user',
    input: Month,
    response: Opened,
    summary: 'One invoice of the caller with its frozen content by day and model',
  }),
  ownFile: get('/user/invoice/file', {
    access: 'user',
    input: Month.extend(Format.shape),
    response: FileResponse,
    file: true,
    summary: 'One invoice of the caller as PDF or CSV',
  }),
  list: get('/invoice', {
    access: 'admin',
    input: AllList,
    response: pageOf(Invoice),
    summary: 'Monthly invoices of all users',
  }),
  document: get('/invoice/:id', {
    access: 'admin',
    input: Id,
    response: Opened,
    summary: 'One invoice with its frozen content by day and model',
  }),
  file: get('/invoice/:id/file', {
    access: 'admin',
    input: Id.extend(Format.shape),
    response: FileResponse,
    file: true,
    summary: 'One invoice as PDF or CSV',
  }),
  pay: post('/invoice/:id/paid', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Marks an unpaid invoice as paid',
  }),
  generate: post('/option/invoice/gen/:time', {
    access: 'root',
    input: Time,
    response: Generated,
    summary: 'Makes the invoices of a past month that has none',
  }),
  update: post('/option/invoice/update/:time', {
    access: 'root',
    input: Time,
    response: Generated,
    summary: 'Calculates the unpaid invoices of a past month again',
  }),
})
