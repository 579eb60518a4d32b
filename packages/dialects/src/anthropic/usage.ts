import { isEmpty, tokenCountOf } from '../decode-values.ts'
import type { JsonObject } from '../json/json.ts'
import { cachedTokens, costOfUsage, noUsage, servedOf, type Usage } from '../usage.ts'

/**
 * Cached tokens are outside the input, as in canon; thinking tokens are inside the output. The sums exclude compaction
 * and advisor calls, which only `iterations` reports. Returns `broken` if a figure is not a count.
 * https://platform.claude.com/docs/en/build-with-claude/compaction#understanding-usage
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isObject(value)) return 'broken'
  const usage = sumsOf(value)
  // https://platform.claude.com/docs/en/api/messages: tier, speed and region stand in the usage.
  const { service_tier: tier, speed, inference_geo: region } = value
  const served = usage && servedOf({ tier, speed, region })
  if (served) usage.served = served
  if (usage) Object.assign(usage, costOfUsage(value))
  if (!usage || !Array.isArray(value.iterations)) return usage ?? 'broken'
  const models = new Set<string>()
  for (const each of value.iterations) {
    if (!isObject(each) || !outsideSums.has(String(each.type))) continue
    const more = sumsOf(each)
    if (!more) return 'broken'
    for (const name of ['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'] as const)
      usage[name] += more[name]
    // The advisor's own model: https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
    if (typeof each.model === 'string') models.add(each.model.slice(0, 100))
  }
  return models.size > 0 ? { ...usage, otherModels: [...models] } : usage
}

const outsideSums = new Set(['compaction', 'advisor_message'])

const sumsOf = (value: JsonObject): Usage | undefined => {
  const input = tokenCountOf(value.input_tokens)
  const output = tokenCountOf(value.output_tokens)
  const byTime = detailsOf(value.cache_creation)
  const hour = tokenCountOf(byTime.ephemeral_1h_input_tokens) ?? 0
  const fiveMinutes = tokenCountOf(byTime.ephemeral_5m_input_tokens) ?? 0
  // Later events of a stream repeat the sum without its breakdown by duration.
  const written = tokenCountOf(value.cache_creation_input_tokens) ?? hour + fiveMinutes
  const read = tokenCountOf(value.cache_read_input_tokens) ?? 0
  const thought = tokenCountOf(detailsOf(value.output_tokens_details).thinking_tokens) ?? 0
  const searches = tokenCountOf(detailsOf(value.server_tool_use).web_search_requests) ?? 0
  if (input === undefined && output === undefined) return undefined
  const figures = [input ?? 0, output ?? 0, hour, fiveMinutes, written, read, thought, searches]
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

/** Returns whether a block is the result of a search that is billed: one that failed is free. */
export const isSoldSearch = (block: unknown): boolean =>
  isObject(block) && block.type === searchResult && Array.isArray(block.content)

// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
export const searchResult = 'web_search_tool_result'

export const encodeUsage = (usage: Usage) => {
  const { web_search } = usage.tools
  return {
    input_tokens: usage.input + usage.audioInput + usage.imageInput,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: cachedTokens(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    output_tokens: usage.output + usage.reasoning + usage.audioOutput + usage.imageOutput,
    ...(usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}),
    ...(web_search !== undefined ? { server_tool_use: { web_search_requests: web_search } } : {}),
  }
}

/** Usage in a stream is cumulative: later figures replace earlier ones. */
export const laterUsage = (before: JsonObject, after: JsonObject): JsonObject => {
  const merged = { ...before }
  for (const key in after)
    if (!isEmpty(after[key]) || merged[key] === undefined) merged[key] = after[key]
  return merged
}

const detailsOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
