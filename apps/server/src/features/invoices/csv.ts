import type { InvoiceDocument } from '@hub/contract'
import { byteOrderMark, csvRow } from '../../lib/csv.ts'
import { dollars, seconds } from './amounts.ts'
import type { InvoiceTexts } from './texts.ts'

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
  return byteOrderMark + rows.map(csvRow).join('')
}
