import type { InvoiceDocument } from '@hub/contract'
import { dollars, seconds } from './amounts.ts'
import type { InvoiceTexts } from './texts.ts'

/** Spreadsheets need the mark to read UTF-8. */
const byteOrderMark = '\u{feff}'

/** One row per day and model, and a last row with the sum. */
export const invoiceCsv = (
  { lines, total, quota_per_unit }: InvoiceDocument,
  texts: InvoiceTexts,
): string => {
  const header = [
    texts.date,
    texts.model,
    texts.requests,
    texts.input,
    texts.output,
    texts.seconds,
    texts.points,
    texts.amount,
  ]
  const figures = (sum: InvoiceDocument['total']) => [
    sum.request_count,
    sum.prompt_tokens,
    sum.completion_tokens,
    seconds(sum.request_time),
    sum.quota,
    dollars(sum.quota, quota_per_unit),
  ]
  const rows = [
    header,
    ...lines.map(line => [line.date, line.model_name || texts.unknownModel, ...figures(line)]),
    [texts.total, '', ...figures(total)],
  ]
  return byteOrderMark + rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A spreadsheet would run a model name that begins like a formula. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
