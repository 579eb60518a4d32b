import type { Json } from '../json/json.ts'
import { summaryIn, summaryText } from '../openai-responses/compact/summary.ts'
import { type FieldsFilter, listIn, type StateFilter, textIn } from './filter.ts'

/**
 * "The encrypted content … could not be verified.", code `invalid_encrypted_content`:
 * https://github.com/openai/codex/issues/8145. "Item with id 'rs_…' not found.": https://github.com/earendil-works/pi/issues/5059.
 * "Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item":
 * https://github.com/omnigent-ai/omnigent/issues/5066
 */
export const filterInput: FieldsFilter = ({ input }, filter, dropped) =>
  Array.isArray(input)
    ? { input: listIn(input).flatMap(item => filterItem(item, filter, dropped)) }
    : {}

const filterItem = (item: Json, filter: StateFilter, dropped: Set<string>): Json[] => {
  const { type, id } = item ?? {}
  const isForeign = filter.isForeign(textIn(id))
  if (type === 'compaction') return filterCompaction(item, filter, dropped)
  if (type === 'reasoning') {
    if (!isForeign && !filter.isForeign(textIn(item.encrypted_content))) return [item]
    dropped.add('reasoning')
    return filter.keepsTexts ? summaryOf(item) : []
  }
  // A reference is nothing but its id.
  if (!isForeign || typeof id !== 'string' || type === 'item_reference') return [item]
  // An image is told by its id, so that one of ours is none to the vendor, and its own one stays.
  if (type === 'image_generation_call' && filter.keepsTexts) return [item]
  dropped.add(type === 'image_generation_call' ? 'images' : 'item ids')
  const { id: _, ...rest } = item
  return type === 'image_generation_call' ? [] : [rest]
}

/** A summary that the gateway made is a message to any vendor. Another vendor's is left out. */
const filterCompaction = (item: Json, filter: StateFilter, dropped: Set<string>): Json[] => {
  const summary = summaryIn(item)
  if (summary === undefined && !filter.isForeign(textIn(item.encrypted_content))) return [item]
  dropped.add('compaction')
  const text = summary === undefined ? undefined : summaryText(summary)
  return text === undefined
    ? []
    : [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }]
}

const summaryOf = ({ summary, content }: Json): Json[] => {
  const text = [...listIn(summary), ...listIn(content)]
    .map(each => textIn(each?.text))
    .filter(each => each.trim() !== '')
    .join('\n\n')
  if (text === '') return []
  return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
}
