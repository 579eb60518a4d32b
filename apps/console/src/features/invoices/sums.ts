import type { InvoiceLine } from '@hub/contract'

type ModelSum = Omit<InvoiceLine, 'date'>

const figures = [
  'request_count',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'request_time',
] as const

/** The most expensive model comes first. */
export const sumByModel = (lines: readonly InvoiceLine[]): ModelSum[] => {
  const sums = new Map<string, ModelSum>()
  for (const { date: _, ...line } of lines) {
    const sum = sums.get(line.model_name)
    if (sum) for (const name of figures) sum[name] += line[name]
    else sums.set(line.model_name, { ...line })
  }
  return [...sums.values()].toSorted((one, other) => other.quota - one.quota)
}
