import { lostSignature } from '../gemini/parts.ts'
import type { Json } from '../json/json.ts'
import { type FieldsFilter, type StateFilter, textIn } from './filter.ts'

/**
 * "Function call is missing a thought_signature in functionCall parts.":
 * https://github.com/nanbingxyz/5ire/issues/405. A placeholder stands for one that is lost.
 */
export const filterContents: FieldsFilter = ({ contents }, filter, dropped) =>
  Array.isArray(contents)
    ? {
        contents: contents.flatMap(content => {
          if (!Array.isArray(content?.parts)) return [content]
          const parts = content.parts.flatMap((part: Json) => filterPart(part, filter, dropped))
          return parts.length === 0 && content.parts.length > 0 ? [] : [{ ...content, parts }]
        }),
      }
    : {}

const signatureNames = ['thoughtSignature', 'thought_signature']
const callNames = ['functionCall', 'function_call']

const filterPart = (part: Json, filter: StateFilter, dropped: Set<string>): Json[] => {
  const isCall = callNames.some(each => part?.[each])
  const name = signatureNames.find(each => typeof part?.[each] === 'string') ?? 'thoughtSignature'
  const signature = textIn(part?.[name])
  if (signature === lostSignature || (signature === '' && !isCall)) return [part]
  if (!filter.isForeign(signature)) return [part]
  dropped.add('signature')
  if (isCall) return [{ ...part, [name]: lostSignature }]
  const { [name]: _, ...rest } = part
  if (!rest.thought) return [rest]
  return filter.keepsTexts && textIn(rest.text) !== '' ? [rest] : []
}

/** The signatures of Gemini in the dialect of chat, as its own compatible address and relays take them. */
export const filterGoogle = (object: Json, filter: StateFilter, dropped: Set<string>): Json => {
  const text = object?.extra_content?.google?.thought_signature
  if (typeof text !== 'string' || !filter.isForeign(text)) return object
  dropped.add('signature')
  const { extra_content, ...rest } = object
  if (!/gemini/i.test(filter.model)) return rest
  const thought_signature = filter.restore?.(text) ?? lostSignature
  return { ...rest, extra_content: { google: { thought_signature } } }
}
