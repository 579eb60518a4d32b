import type { FormatId } from '../dialect-id.ts'
import { decodeAsciiEscapes } from '../json/escapes.ts'
import { fileText, referenceFields, referenceItems } from './table.ts'

/** Common words count as keys of a value that could be a reference. */
const valueStart = { ids: '', object: '"\\s*:\\s*\\{', 'ids-or-object': '"\\s*:\\s*["[{]' }

/** An item whose type is left out: https://developers.openai.com/api/reference/resources/responses/methods/create */
const bareItem = /\{\s*"(?:id"|type"\s*:\s*null)/

/** One search for all of them, from a quote on, costs less than one for each. */
const patternOf = (format: FormatId): RegExp => {
  const fields = referenceFields.filter(each => !each.formats || each.formats.includes(format))
  const words = fields.flatMap(({ names, shape }) => names.map(name => name + valueStart[shape]))
  const items = referenceItems.map(each => each.prefix ?? `${each.type}"`)
  const texts = format === 'openai-chat' ? [`(?:\\s|\\\\[nrt])*${fileText}`] : []
  return new RegExp(`"(?:${[...words, ...items, ...texts, 'projects/'].join('|')})`)
}

const patterns = new Map<FormatId, RegExp>()

/** Whether a JSON body may name something at its vendor's account. Most do not, and are not parsed. */
export const mayHaveReferences = (body: Buffer, format: FormatId): boolean => {
  const pattern = patterns.get(format) ?? patternOf(format)
  patterns.set(format, pattern)
  const isNamed = (text: string) =>
    pattern.test(text) || (format === 'openai-responses' && bareItem.test(text))
  if (isNamed(body.toString('latin1'))) return true
  const decoded = decodeAsciiEscapes(body)
  return decoded !== undefined && isNamed(decoded)
}
