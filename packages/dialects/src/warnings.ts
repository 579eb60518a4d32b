import type { UnknownFields, Warning } from './canon.ts'
import type { DialectId } from './dialect-id.ts'

/**
 * Unknown fields whose loss needs no warning. Canon carries their meaning in other fields, or they mean nothing outside
 * their dialect: ids, item states, and the request parameters that a response repeats.
 */
const insignificantFields: Readonly<Partial<Record<DialectId, ReadonlySet<string>>>> = {
  'openai-chat': new Set([
    ...['cache_control', 'top_k', 'type'],
    ...['reasoning', 'thinking', 'enable_thinking', 'thinking_budget'],
  ]),
  'openai-responses': new Set(['type', 'temperature', 'top_p', 'echo', 'item', 'of']),
  anthropic: new Set(['effort', 'thinking']),
}

/** Names a block or tool of another dialect in a warning: its type, or else its first key. */
export const typeNameOf = (value: unknown): string => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : (Object.keys(value ?? {})[0] ?? 'opaque')
}

/** Collects what an encoder could not express; each name once. */
export type WarningCollector = {
  list: Warning[]
  warnDropped(name: string): void
  /** Warns for each significant field of another dialect. */
  warnForeignFields(unknownFields: UnknownFields | undefined): void
}

export const warningCollector = (dialect: DialectId): WarningCollector => {
  const list: Warning[] = []
  const warnDropped = (dropped: string): void => {
    if (!list.some(each => each.dropped === dropped)) list.push({ dropped, dialect })
  }
  return {
    list,
    warnDropped,
    warnForeignFields: unknownFields => {
      if (unknownFields && unknownFields.dialect !== dialect)
        for (const name of Object.keys(unknownFields.fields))
          if (!insignificantFields[unknownFields.dialect]?.has(name)) warnDropped(name)
    },
  }
}
