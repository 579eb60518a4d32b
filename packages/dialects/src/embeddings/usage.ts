import { countOf } from '../counts.ts'
import { noUsage, type Usage } from '../usage.ts'

/**
 * What was read; nothing is written. Some vendors tell the sum only, and some tell an answer of no tokens beside it.
 * https://platform.openai.com/docs/api-reference/embeddings/object
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (typeof value !== 'object' || value === null) return 'broken'
  const told = value as Record<string, unknown>
  const prompt = countOf(told.prompt_tokens)
  const total = countOf(told.total_tokens)
  const input = prompt || (total ?? prompt)
  if (input === undefined || Number.isNaN(input + (prompt ?? 0))) return 'broken'
  return { ...noUsage(), input }
}
