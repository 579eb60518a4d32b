import { contract, Fault, type Invoice, InvoiceDocument, type OpenedInvoice } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { mapPage, required } from '../../core/crud.ts'
import { type Handlers, implement, type ReadAuditedRows } from '../../core/implement.ts'
import * as rows from '../../db/queries/invoices.ts'
import { invoiceFile } from './file.ts'
import { invoiceNumber, makeInvoicesOf } from './make.ts'
import { sumByModel } from './sums.ts'

const handlers: Handlers<typeof contract.invoices.endpoints> = {
  own: (app, { userId }, input) => {
    requireEnabled(app)
    return mapPage(rows.list(app.db, { ...input, user_id: userId }), toInvoice)
  },
  ownDetail: async (app, { userId }, { date }) =>
    sumByModel((await openOwn(app, userId, date)).document),
  ownDocument: (app, { userId }, { date }) => openOwn(app, userId, date),
  ownFile: async (app, { userId }, { date, format, language = app.env.language }) =>
    invoiceFile(app, await openOwn(app, userId, date), format, language),
  list: (app, _caller, { date, ...input }) =>
    mapPage(rows.list(app.db, { ...input, month: date?.slice(0, 7) }), toInvoice),
  document: (app, _caller, { id }) => open(app, rows.find(app.db, id)),
  file: async (app, _caller, { id, format, language = app.env.language }) =>
    invoiceFile(app, await open(app, rows.find(app.db, id)), format, language),
  pay: async (app, _caller, { id }) => {
    if (await rows.pay(app.db, id, nowSeconds(app))) return null
    required(await rows.find(app.db, id))
    throw new Fault('invoice.paid')
  },
  generate: (app, _caller, { time }) => makeInvoicesOf(app, time, 'new'),
  update: (app, _caller, { time }) => makeInvoicesOf(app, time, 'again'),
}

const auditedInvoices: ReadAuditedRows = async (app, _caller, { ids: [id] }) => {
  const row = id === undefined ? undefined : await rows.find(app.db, id)
  return row ? { [row.id]: toInvoice(row) } : {}
}

export const invoices = implement(contract.invoices, handlers, auditedInvoices)

const requireEnabled = (app: App) => {
  if (!app.settings().payment.UserInvoiceMonth) throw new Fault('invoice.disabled')
}

const openOwn = (app: App, userId: number, date: string) => {
  requireEnabled(app)
  return open(app, rows.findOfUser(app.db, userId, date.slice(0, 7)))
}

const open = async (
  app: App,
  found: Promise<rows.InvoiceRow | undefined>,
): Promise<OpenedInvoice> => {
  const row = required(await found)
  const { body, sha256, created_at } = await rows.findDocument(app.db, row)
  const document = InvoiceDocument.parse(JSON.parse(body))
  return { invoice: toInvoice(row), document, sha256, created_time: created_at }
}

const toInvoice = (row: rows.InvoiceRow): Invoice => ({
  id: row.id,
  user_id: row.user_id,
  username: row.username ?? '',
  name: invoiceNumber(row.month, row.user_id),
  status: row.status as Invoice['status'],
  amount: row.amount_micros / 1e6,
  date: `${row.month}-01`,
  created_time: row.created_at,
  paid_time: row.paid_at ?? 0,
  request_count: row.requests,
  quota: row.quota,
  prompt_tokens: row.prompt_tokens,
  completion_tokens: row.completion_tokens,
  request_time: row.request_time,
})
