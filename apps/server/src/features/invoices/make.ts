import { createHash } from 'node:crypto'
import { Fault, type InvoiceDocument, type InvoiceLine } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import { chunks } from '../../db/queries/chunks.ts'
import * as rows from '../../db/queries/invoices.ts'
import { makeDayFormatter } from '../../lib/time/calendar.ts'
import { collectLines } from './collect.ts'
import { type InvoiceMonth, monthAt, monthBefore, monthOfDate, postingsOf } from './months.ts'
import { sumLines } from './sums.ts'

/** Postings are written up to some seconds after the time they bear. */
const graceSeconds = 60

/** Makes the invoices of the month before, once. */
export const makeDueInvoices = async (app: App): Promise<void> => {
  if (!app.settings().payment.UserInvoiceMonth) return
  const now = nowSeconds(app)
  const due = monthBefore(app.settings().site.TimeZone, now)
  if (now < due.window.end + graceSeconds || (await rows.findMonth(app.db, due.month))) return
  await makeInvoices(app, due)
}

/** Makes the invoices of a month that has ended; `date` is any day of it. */
export const makeInvoicesOf = async (app: App, date: string, mode: 'new' | 'again') => {
  const { TimeZone } = app.settings().site
  const month = monthOfDate(TimeZone, date)
  if (month.window.end > monthAt(TimeZone, nowSeconds(app)).window.begin)
    throw new Fault('invoice.month')
  if (mode === 'new' && (await rows.findMonth(app.db, month.month)))
    throw new Fault('invoice.exists')
  return makeInvoices(app, month)
}

/**
 * The row of the month is written last: if the process dies before, the next run makes the missing invoices. Of two nodes
 * one inserts each invoice.
 */
const makeInvoices = async (app: App, month: InvoiceMonth) => {
  const now = nowSeconds(app)
  const range = await postingsOf(app, month)
  const lines = await collectLines(app.db, range, makeDayFormatter(month.timeZone))
  const counts = { created: 0, changed: 0, kept: 0 }
  for (const userIds of chunks([...lines.keys()])) {
    const users = new Map((await rows.findUsers(app.db, userIds)).map(user => [user.id, user]))
    for (const userId of userIds) {
      const user = users.get(userId) ?? { id: userId, username: '', display_name: '', email: '' }
      const document = makeDocument(app, month, user, lines.get(userId) ?? [])
      const result = await storeInvoice(app, month.month, document, now)
      if (result) counts[result] += 1
    }
  }
  await rows.insertMonth(app.db, {
    month: month.month,
    begins_at: range.begin,
    ends_at: range.end,
    time_zone: month.timeZone,
    created_at: now,
  })
  return counts
}

const makeDocument = (
  app: App,
  { month, timeZone }: InvoiceMonth,
  user: InvoiceDocument['user'],
  lines: InvoiceLine[],
): InvoiceDocument => {
  const { SystemName, QuotaPerUnit } = app.settings().site
  const total = sumLines(lines)
  return {
    version: 1,
    number: invoiceNumber(month, user.id),
    date: `${month}-01`,
    time_zone: timeZone || new Intl.DateTimeFormat().resolvedOptions().timeZone,
    system_name: SystemName,
    user,
    quota_per_unit: QuotaPerUnit,
    amount: toMicros(total.quota, QuotaPerUnit) / 1e6,
    total,
    lines,
  }
}

/** As in One Hub's printed bills. */
export const invoiceNumber = (month: string, userId: number) =>
  `${month.replace('-', '')}-${userId}`

const toMicros = (quota: number, quotaPerUnit: number) => Math.round((quota / quotaPerUnit) * 1e6)

const storeInvoice = async (app: App, month: string, document: InvoiceDocument, now: number) => {
  const { user, total } = document
  const body = JSON.stringify(document)
  const content = {
    amount_micros: Math.round(document.amount * 1e6),
    requests: total.request_count,
    quota: total.quota,
    prompt_tokens: total.prompt_tokens,
    completion_tokens: total.completion_tokens,
    request_time: total.request_time,
    body,
    sha256: createHash('sha256').update(body).digest('hex'),
  }
  const invoice = { user_id: user.id, month, created_at: now }
  const isNew = await app.db.transaction().execute(async tx => {
    if (!(await rows.insert(tx, invoice, content))) return false
    await emit(app, tx, {
      event: 'invoice.ready',
      key: `invoice.ready:${user.id}:${month}`,
      userIds: [user.id],
      facts: { month, usd: document.amount.toFixed(2) },
    })
    return true
  })
  if (isNew) return 'created'
  const stored = await rows.findOfUser(app.db, user.id, month)
  if (!stored || !hasOtherFigures(stored, content)) return undefined
  return (await rows.replace(app.db, stored, content, now)) ? 'changed' : 'kept'
}

/** A new name or e-mail address of the user is no reason to change an invoice. */
const hasOtherFigures = (stored: rows.InvoiceFigures, content: rows.InvoiceFigures) =>
  (['amount_micros', 'requests', 'quota', 'prompt_tokens', 'completion_tokens'] as const).some(
    name => stored[name] !== content[name],
  )
