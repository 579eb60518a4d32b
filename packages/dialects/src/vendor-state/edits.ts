import type { SharedDialectId } from '../dialect-id.ts'
import type { Json } from '../json/json.ts'
import type { Edits, ParsedRequest } from '../parsed-request.ts'
import { filterMessages as filterAnthropic } from './anthropic.ts'
import { filterMessages as filterChat } from './chat.ts'
import { filterMessages as filterConverse } from './converse.ts'
import type { FieldsFilter, FilteredState, StateFilter } from './filter.ts'
import { filterContents } from './gemini.ts'
import { filterInput } from './responses.ts'

/** The fields that a filter reads, and the filter, by the dialect of the request that leaves. */
const filters: Readonly<
  Record<SharedDialectId, { reads: readonly string[]; filter: FieldsFilter }>
> = {
  anthropic: { reads: ['messages', 'thinking'], filter: filterAnthropic },
  'openai-responses': { reads: ['input'], filter: filterInput },
  'openai-chat': { reads: ['messages'], filter: filterChat },
  gemini: { reads: ['contents'], filter: filterContents },
  converse: { reads: ['messages'], filter: filterConverse },
}

/**
 * The edits that leave out of a request what its vendor would refuse as not its own. `edits` are those made before. All
 * that is the vendor's own keeps its bytes, but for numbers that JSON's readers round.
 */
export const stateEdits = (
  dialect: string,
  { body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  edits: Edits,
  filter: StateFilter,
): FilteredState => {
  const dropped = new Set<string>()
  const known = Object.hasOwn(filters, dialect) ? filters[dialect as SharedDialectId] : undefined
  if (!known) return { edits: {}, dropped }
  const fields: Json = {}
  for (const name of known.reads) {
    const range = fieldRanges.get(name)
    if (name in edits) fields[name] = edits[name]
    else if (range) fields[name] = JSON.parse(body.toString('utf8', range.start, range.end))
  }
  const filtered = known.filter(fields, filter, dropped)
  return { edits: dropped.size > 0 ? filtered : {}, dropped }
}
