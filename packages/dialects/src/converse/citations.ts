import type { Citation } from '../canon.ts'
import { listOf, stringOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'

/** Offsets refer to the source document, not to the answer, so they stay in `raw`. */
export const decodeCitation = (citation: Json): Citation => {
  const { title, source, sourceContent, location } = citation ?? {}
  const url = stringOf(location?.web?.url) || (isAddress(source) ? source : '')
  const quote = listOf(sourceContent)
    .map(each => stringOf(each?.text))
    .join('')
  return {
    ...(url === '' ? {} : { url }),
    ...(typeof title === 'string' ? { title } : {}),
    ...(quote === '' ? {} : { quote }),
    raw: { dialect: 'converse', value: citation },
  }
}

const isAddress = (source: unknown): boolean =>
  typeof source === 'string' && /^https?:\/\//.test(source)
