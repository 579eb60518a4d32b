import { splitCount, tokenCountOf } from '../decode-values.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import {
  cachedTokens,
  costOfUsage,
  inputTokens,
  noUsage,
  outputTokens,
  type Usage,
  uncachedOf,
} from '../usage.ts'

/**
 * The dialect includes cached, written, image and reasoning tokens in its sums, like chat. This subtracts them, so that
 * the classes are disjoint and add up to the upstream's totals. Returns `broken` if a value is no token count.
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  const inDetails = detailsOf(value.input_tokens_details)
  const outDetails = detailsOf(value.output_tokens_details)
  const prompt = tokenCountOf(value.input_tokens)
  const completion = tokenCountOf(value.output_tokens)
  const total = tokenCountOf(value.total_tokens)
  if (prompt === undefined && completion === undefined) return 'broken'
  const inside = [
    tokenCountOf(inDetails.cached_tokens) ?? 0,
    tokenCountOf(inDetails.cache_write_tokens) ?? 0,
    tokenCountOf(inDetails.audio_tokens) ?? 0,
    tokenCountOf(inDetails.image_tokens) ?? 0,
  ]
  const reasoning = tokenCountOf(outDetails.reasoning_tokens) ?? 0
  const audio = tokenCountOf(outDetails.audio_tokens) ?? 0
  const image = tokenCountOf(outDetails.image_tokens) ?? 0
  const parts = [prompt, completion, total, ...inside, reasoning, audio, image]
  if (parts.some(Number.isNaN)) return 'broken'

  const cachedAbovePrompt = inside[0]! - (prompt ?? 0)
  const input = splitCount(prompt ?? 0, inside)
  // Some vendors exclude reasoning from the output and count it in the total only.
  const beside = Math.max(0, (total ?? 0) - (prompt ?? 0) - (completion ?? 0))
  const thought = beside > 0 ? Math.max(0, reasoning - beside) : reasoning
  const output = splitCount(completion ?? 0, [thought, audio, image])
  return {
    ...noUsage(),
    input: input.remainder,
    cacheRead: input.parts[0]!,
    cacheWrite5m: input.parts[1]!,
    audioInput: input.parts[2]!,
    imageInput: input.parts[3]!,
    output: output.remainder,
    reasoning: output.parts[0]! + beside,
    audioOutput: output.parts[1]!,
    imageOutput: output.parts[2]!,
    ...(cachedAbovePrompt > 0 && { cachedAbovePrompt }),
    ...uncachedOf([inDetails.cached_tokens], [inDetails.cache_write_tokens]),
    ...costOfUsage(value),
  }
}

/** Encodes usage for a caller of this dialect. */
export const encodeUsage = (usage: Usage) => {
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  const input = inputTokens(usage)
  const output = outputTokens(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cachedTokens(usage),
      ...some('cache_write_tokens', written),
      ...some('audio_tokens', usage.audioInput + usage.cacheReadAudio),
      ...some('image_tokens', usage.imageInput + usage.cacheReadImage),
    },
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...some('audio_tokens', usage.audioOutput),
      ...some('image_tokens', usage.imageOutput),
    },
    total_tokens: input + output,
  }
}

const some = (key: string, count: number): Record<string, number> =>
  count > 0 ? { [key]: count } : {}

/** Items of tools that are billed per call. */
const sold: Readonly<Record<string, string>> = {
  web_search_call: 'web_search',
  x_search_call: 'x_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
}

/** The types of the items that `countTool` counts. */
export const soldItemTypes: readonly string[] = Object.keys(sold)

/** Counts the billed tool of a finished item, if any. Opening a page from a search is free. */
export const countTool = (counts: Map<string, number>, item: unknown): void => {
  const kind = soldToolOf(item)
  if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** Counts the billed tools of a list of finished items. */
export const countTools = (items: unknown): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of Array.isArray(items) ? items : []) countTool(counts, item)
  return counts
}

const soldToolOf = (item: unknown): string | undefined => {
  if (!isJsonObject(item) || typeof item.type !== 'string') return undefined
  const action = detailsOf(item.action)
  const isSearch = action.type === undefined || action.type === 'search'
  if (!isSearch || !Object.hasOwn(sold, item.type)) return undefined
  return item.type === 'image_generation_call' ? imageKindOf(item) : sold[item.type]
}

/** An image costs by its quality and size, which its item says. Without one of them it has the dearest price. */
const imageKindOf = ({ status, quality, size }: JsonObject): string | undefined => {
  if (status === 'failed') return undefined
  const isKnown = isWordOf(quality, /^[a-z]{1,20}$/) && isWordOf(size, /^\d{1,5}x\d{1,5}$/)
  return isKnown ? `image_generation:${quality}-${size}` : 'image_generation'
}

const isWordOf = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value)

/**
 * Adds the calls of tools to a usage: by the upstream's own count of searches if it sends one, else by the finished items.
 * Images whose tokens the usage reports are sold by these.
 */
export const addTools = (
  usage: Usage,
  counts: ReadonlyMap<string, number>,
  searches: unknown,
): void => {
  for (const [kind, calls] of counts)
    if (!(usage.imageOutput > 0 && kind.startsWith('image_generation'))) usage.tools[kind] = calls
  if (!Number.isSafeInteger(searches) || Number(searches) < 0) return
  if (searches === 0) delete usage.tools.web_search
  else usage.tools.web_search = Number(searches)
}

const detailsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
