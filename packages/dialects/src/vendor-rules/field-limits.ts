import { createHash } from 'node:crypto'
import type { ChatRequest } from '../canon.ts'
import type { WarningCollector } from '../warnings.ts'

/** The longest values that a vendor accepts in fields which another dialect may fill. Absent: any length. */
export type FieldLimits = {
  /** Characters of `user`, or of what the vendor calls so. */
  user?: number
  safetyId?: number
  cacheKey?: number
  metadata?: { pairs: number; key: number; value: number }
  /** The number of stop sequences. */
  stops?: number
}

/**
 * Fields of OpenAI's dialects at any vendor: an id within OpenAI's limits is within those of others too.
 * `user` and `safety_identifier`: https://developers.openai.com/api/reference/resources/responses/methods/create
 * `prompt_cache_key`: "string too long. Expected a string with maximum length 64"
 * https://github.com/theopenco/llmgateway/pull/3110
 */
export const commonFieldLimits: FieldLimits = {
  user: 64,
  safetyId: 64,
  cacheKey: 64,
  metadata: { pairs: 16, key: 64, value: 512 },
}

/** "Invalid 'stop': array too long. Expected an array with maximum length 4" https://github.com/continuedev/continue/issues/2461 */
export const openaiFieldLimits: FieldLimits = { ...commonFieldLimits, stops: 4 }

/** OpenAI's models keep its rules at the address of a gateway or a resource. */
export const isOpenaiModel = (model: string): boolean => /(^|\/)(o\d|gpt-\d)/.test(model)

/** `metadata.user_id`, which has one of both ids: https://platform.claude.com/docs/en/api/messages#metadata */
export const claudeFieldLimits: FieldLimits = { user: 256, safetyId: 256 }

/** "The number of stop_sequences must not exceed 5." https://github.com/continuedev/continue/issues/2702 */
export const geminiFieldLimits: FieldLimits = { stops: 5 }

/** The request with fields that the vendor accepts; the request itself where it accepts them already. */
export const limitFields = (
  request: ChatRequest,
  limits: FieldLimits,
  warnings: WarningCollector,
): ChatRequest => {
  const changes: Partial<ChatRequest> = {}
  for (const name of ['user', 'safetyId', 'cacheKey'] as const) {
    const value = request[name]
    const max = limits[name]
    if (max !== undefined && typeof value === 'string' && value.length > max)
      changes[name] = shortId(value, max)
  }
  const { stop, metadata } = request
  if (limits.stops !== undefined && stop && stop.length > limits.stops) {
    warnings.warnDropped(`stop beyond ${limits.stops}`)
    changes.stop = stop.slice(0, limits.stops)
  }
  if (limits.metadata && metadata) {
    const accepted = acceptedPairs(metadata, limits.metadata)
    if (accepted !== metadata) {
      warnings.warnDropped('metadata')
      changes.metadata = accepted
    }
  }
  for (const _ in changes) return { ...request, ...changes }
  return request
}

const acceptedPairs = (
  metadata: Record<string, unknown>,
  { pairs, key, value: valueMax }: NonNullable<FieldLimits['metadata']>,
): Record<string, unknown> => {
  const entries = Object.entries(metadata)
  const accepted = entries
    .filter(
      ([name, value]) =>
        name.length <= key && !(typeof value === 'string' && value.length > valueMax),
    )
    .slice(0, pairs)
  return accepted.length === entries.length ? metadata : Object.fromEntries(accepted)
}

/** 128 bits, so that no two ids of one operator become the same. */
const hashLength = 32
/** A shorter beginning tells nothing. */
const prefixMin = 8

/** A stable stand-in for an id that a vendor refuses: the id's beginning if the limit allows it, and a hash of all of it. */
export const shortId = (id: string, max: number): string => {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, hashLength)
  const prefixMax = max - hashLength - 1
  if (prefixMax < prefixMin) return hash.slice(0, max)
  // Some vendors accept letters, digits, underscores and dashes only.
  const readable = id.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, prefixMax)
  return `${readable}-${hash}`
}
