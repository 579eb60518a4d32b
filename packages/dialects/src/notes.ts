import type { Extra, Note } from './canon.ts'
import type { DialectId } from './dialect.ts'

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
export const kindOf = (value: unknown): string => {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : (Object.keys(value ?? {})[0] ?? 'opaque')
}

/** Gathers what an encoder could not say; each name once. */
export type Noting = {
  notes: Note[]
  drop(name: string): void
  /** The fields of another dialect, by their names. */
  dropForeign(extra: Extra | undefined): void
}

export const noting = (by: DialectId): Noting => {
  const notes: Note[] = []
  const drop = (dropped: string): void => {
    if (!notes.some(each => each.dropped === dropped)) notes.push({ dropped, by })
  }
  return {
    notes,
    drop,
    dropForeign: extra => {
      if (extra && extra.dialect !== by)
        for (const name of Object.keys(extra.fields))
          if (!meant[extra.dialect]?.has(name)) drop(name)
    },
  }
}
