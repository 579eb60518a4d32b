import type { Citation } from '../canon.ts'
import type { Json } from '../json/json.ts'

const dialectId = 'anthropic'

/** Responses may carry signatures and citations of other vendors; requests may not, since this vendor verifies them. */
export type Target = 'request' | 'answer'

/** Offsets refer to the source document, not to the answer, so they stay in `raw`. */
export const decodeCitation = (citation: Json): Citation => {
  const title = citation?.title ?? citation?.document_title
  return {
    ...(typeof citation?.url === 'string' ? { url: citation.url } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof citation?.cited_text === 'string' ? { quote: citation.cited_text } : {}),
    raw: { dialect: dialectId, value: citation },
  }
}

/** Sources from other vendors appear in responses only: this vendor verifies the citations of a request. */
export const encodeCitation = ({ url, title, quote, raw }: Citation, target: Target): Json => {
  if (raw?.dialect === dialectId) {
    const value = raw.value as Json
    return target === 'request' && value?.encrypted_index === '' ? undefined : value
  }
  if (target === 'request' || url === undefined) return undefined
  return {
    type: 'web_search_result_location',
    cited_text: quote ?? '',
    url,
    title: title ?? url,
    encrypted_index: '',
  }
}
