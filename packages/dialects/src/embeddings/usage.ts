import { tokenCountOf } from '../decode-values.ts'
import { noUsage, type Usage } from '../usage.ts'

/**
 * Decodes input tokens; there is no output. Some vendors report only the total, or a prompt of 0 with a total.
 * https://platform.openai.com/docs/api-reference/embeddings/object
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (typeof value !== 'object' || value === null) return 'broken'
  const encoded = value as Record<string, unknown>
  const prompt = tokenCountOf(encoded.prompt_tokens)
  const total = tokenCountOf(encoded.total_tokens)
  const input = prompt || (total ?? prompt)
  if (input === undefined || Number.isNaN(input + (prompt ?? 0))) return 'broken'
  return { ...noUsage(), input }
}
