import type { InvoiceDocument, InvoiceLine } from '@hub/contract'
import { emptyLine } from './collect.ts'

/** The sums of a month by model, the most expensive first. */
export const sumByModel = ({ date, lines }: InvoiceDocument): InvoiceLine[] => {
  const models = new Map<string, InvoiceLine>()
  for (const line of lines) {
    const sum = models.get(line.model_name) ?? emptyLine(date, line.model_name)
    models.set(line.model_name, sum)
    addLine(sum, line)
  }
  return [...models.values()].toSorted((one, other) => other.quota - one.quota)
}

export const sumLines = (lines: readonly InvoiceLine[]): InvoiceDocument['total'] => {
  const { date: _, model_name: __, ...sum } = emptyLine('', '')
  for (const line of lines) addLine(sum, line)
  return sum
}

const addLine = (sum: InvoiceDocument['total'], line: InvoiceLine) => {
  sum.request_count += line.request_count
  sum.quota += line.quota
  sum.prompt_tokens += line.prompt_tokens
  sum.completion_tokens += line.completion_tokens
  sum.request_time += line.request_time
}
