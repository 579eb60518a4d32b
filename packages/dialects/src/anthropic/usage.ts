import { countOf } from '../counts.ts'
import { noUsage, type Usage } from '../usage.ts'

type Json = Record<string, unknown>

/**
 * This dialect counts cached tokens beside the input, as canon does; thinking inside the output. What a compaction or an
 * advisor used stands in `iterations` only, outside the sums. `broken` where a figure is no count.
 * https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isObject(value)) return 'broken'
  const usage = ownSums(value)
  if (!usage || !Array.isArray(value.iterations)) return usage ?? 'broken'
  for (const each of value.iterations) {
    if (!isObject(each) || !outside.has(String(each.type))) continue
    const more = ownSums(each)
    if (!more) return 'broken'
    for (const name of ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const)
      usage[name] += more[name]
  }
  return usage
}

const outside = new Set(['compaction', 'advisor_message'])

const ownSums = (value: Json): Usage | undefined => {
  const input = countOf(value.input_tokens)
  const output = countOf(value.output_tokens)
  const byTime = detailsOf(value.cache_creation)
  const hour = countOf(byTime.ephemeral_1h_input_tokens) ?? 0
  const minutes = countOf(byTime.ephemeral_5m_input_tokens) ?? 0
  // The later events of a stream tell the sum again, and not what it is made of.
  const written = countOf(value.cache_creation_input_tokens) ?? hour + minutes
  const read = countOf(value.cache_read_input_tokens) ?? 0
  const thought = countOf(detailsOf(value.output_tokens_details).thinking_tokens) ?? 0
  const searches = countOf(detailsOf(value.server_tool_use).web_search_requests) ?? 0
  if (input === undefined && output === undefined) return undefined
  const figures = [input ?? 0, output ?? 0, hour, minutes, written, read, thought, searches]
  if (figures.some(Number.isNaN)) return undefined
  const cacheWrite1h = Math.min(hour, written)
  const reasoning = Math.min(thought, output ?? 0)
  return {
    ...noUsage(),
    input: input ?? 0,
    cacheRead: read,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: (output ?? 0) - reasoning,
    reasoning,
    tools: searches > 0 ? { web_search: searches } : {},
  }
}

export const encodeUsage = (usage: Usage) => {
  const { web_search: searches } = usage.tools
  return {
    input_tokens: usage.input + usage.audioInput + usage.imageInput,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput,
    ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
    ...(searches !== undefined ? { server_tool_use: { web_search_requests: searches } } : {}),
  }
}

/** The figures of a stream are sums so far: a later one takes the place of an earlier one, never is added. */
export const laterUsage = (before: Json, after: Json): Json => {
  const merged = { ...before }
  for (const key in after) if (after[key] !== null) merged[key] = after[key]
  return merged
}

const detailsOf = (value: unknown): Json => (isObject(value) ? value : {})

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
