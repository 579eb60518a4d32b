import { listOf, tokenCountOf } from '../decode-values.ts'
import type { JsonObject } from '../json/json.ts'
import { noUsage, type Usage } from '../usage.ts'

/**
 * Cached tokens are outside the input, as in canon; thinking tokens are inside the output. Returns `broken` if a figure
 * is not a count. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'broken'
  const usage = value as JsonObject
  const input = tokenCountOf(usage.inputTokens)
  const output = tokenCountOf(usage.outputTokens)
  if (input === undefined && output === undefined) return 'broken'
  const hours = listOf(usage.cacheDetails).filter(each => each?.ttl === '1h')
  const hour = hours.reduce((sum, each) => sum + (tokenCountOf(each.inputTokens) ?? 0), 0)
  const written = tokenCountOf(usage.cacheWriteInputTokens) ?? hour
  const read = tokenCountOf(usage.cacheReadInputTokens) ?? 0
  if ([input ?? 0, output ?? 0, hour, written, read].some(Number.isNaN)) return 'broken'
  const cacheWrite1h = Math.min(hour, written)
  return {
    ...noUsage(),
    input: input ?? 0,
    cacheRead: read,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: output ?? 0,
  }
}
