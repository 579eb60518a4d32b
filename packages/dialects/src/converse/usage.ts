import { countOf } from '../counts.ts'
import { listOf } from '../extra.ts'
import { noUsage, type Usage } from '../usage.ts'

type Json = Record<string, unknown>

/**
 * What was read from a cache or written to it is counted beside the input, as in canon; thinking inside the output.
 * `broken` where a figure is no count. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'broken'
  const told = value as Json
  const input = countOf(told.inputTokens)
  const output = countOf(told.outputTokens)
  if (input === undefined && output === undefined) return 'broken'
  const hours = listOf(told.cacheDetails).filter(each => each?.ttl === '1h')
  const hour = hours.reduce((sum, each) => sum + (countOf(each.inputTokens) ?? 0), 0)
  const written = countOf(told.cacheWriteInputTokens) ?? hour
  const read = countOf(told.cacheReadInputTokens) ?? 0
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
