import type { ChatRequest } from '../canon.ts'
import type { RulesOfModel } from './rule.ts'
import { shortId } from './short-id.ts'

/** The fields of a request that a rule replaces, and the names of what is lost. */
export type Change = { fields: Partial<ChatRequest>; notes: string[] }

/** Shortens ids, and leaves out stop sequences and metadata beyond what the vendor takes. */
export const limitFields = (request: ChatRequest, rules: RulesOfModel): Change => {
  const fields: Partial<ChatRequest> = {}
  const notes: string[] = []
  const { lengths, stops, metadata: limits } = rules
  for (const name of ['user', 'safetyId', 'cacheKey'] as const) {
    const value = request[name]
    const max = lengths?.[name]
    if (max !== undefined && typeof value === 'string' && value.length > max)
      fields[name] = shortId(value, max)
  }
  const { stop, metadata, outputMax } = request
  if (stops && stop && stop.length > stops.max) {
    notes.push(`stop beyond ${stops.max}`)
    fields.stop = stop.slice(0, stops.max)
  }
  if (limits && metadata) {
    const accepted = acceptedPairs(metadata, limits)
    if (accepted !== metadata) {
      notes.push('metadata')
      fields.metadata = accepted
    }
  }
  const min = rules['output-min']?.min
  if (min !== undefined && outputMax !== undefined && outputMax < min) fields.outputMax = min
  return { fields, notes }
}

const acceptedPairs = (
  metadata: Record<string, unknown>,
  { pairs, key, value: valueMax }: NonNullable<RulesOfModel['metadata']>,
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
