import type { Citation } from '../canon.ts'
import { listOf, stringOf } from '../extra.ts'
import type { Json } from '../json.ts'

/** Its places are those of the source, not of the answer: they stay in the vendor's own object. */
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
