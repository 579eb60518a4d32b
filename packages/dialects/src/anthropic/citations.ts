import type { Citation } from '../canon.ts'
import type { Json } from '../json.ts'
import type { Place } from './content-blocks.ts'

const own = 'anthropic'

/** Its places are those of the source, not of the answer: they stay in its own object. */
export const decodeCitation = (citation: Json): Citation => {
  const title = citation?.title ?? citation?.document_title
  return {
    ...(typeof citation?.url === 'string' ? { url: citation.url } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof citation?.cited_text === 'string' ? { quote: citation.cited_text } : {}),
    raw: { dialect: own, value: citation },
  }
}

/** A source that another vendor found can be told, but not sent back: the vendor checks where it has it from. */
export const encodeCitation = ({ url, title, quote, raw }: Citation, place: Place): Json => {
  if (raw?.dialect === own) {
    const value = raw.value as Json
    return place === 'request' && value?.encrypted_index === '' ? undefined : value
  }
  if (place === 'request' || url === undefined) return undefined
  return {
    type: 'web_search_result_location',
    cited_text: quote ?? '',
    url,
    title: title ?? url,
    encrypted_index: '',
  }
}
