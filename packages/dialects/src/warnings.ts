import type { UnknownFields, Warning } from './canon.ts'
import type { DialectId } from './dialect-id.ts'

/**
 * Fields of a dialect whose meaning canon carries beside them, or that mean nothing outside it: what an answer repeats of
 * its request, ids and states of items.
 */
const meant: Readonly<Partial<Record<DialectId, ReadonlySet<string>>>> = {
  'openai-chat': new Set([
    ...['cache_control', 'top_k', 'type'],
    ...['reasoning', 'thinking', 'enable_thinking', 'thinking_budget'],
  ]),
  'openai-responses': new Set(['type', 'temperature', 'top_p', 'echo', 'item', 'of']),
  anthropic: new Set(['effort', 'thinking']),
}

/** What a block or tool of another dialect is called: its type, or where it has none its one field. */
export const typeNameOf = (value: unknown): string => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : (Object.keys(value ?? {})[0] ?? 'opaque')
}

/** Gathers what an encoder could not say; each name once. */
export type WarningCollector = {
  list: Warning[]
  warnDropped(name: string): void
  /** The fields of another dialect, by their names. */
  warnForeignFields(unknownFields: UnknownFields | undefined): void
}

export const warningCollector = (by: DialectId): WarningCollector => {
  const warnings: Warning[] = []
  const drop = (dropped: string): void => {
    if (!warnings.some(each => each.dropped === dropped)) warnings.push({ dropped, dialect: by })
  }
  return {
    list: warnings,
    warnDropped: drop,
    warnForeignFields: unknownFields => {
      if (unknownFields && unknownFields.dialect !== by)
        for (const name of Object.keys(unknownFields.fields))
          if (!meant[unknownFields.dialect]?.has(name)) drop(name)
    },
  }
}
