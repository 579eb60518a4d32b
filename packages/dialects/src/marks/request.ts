import type { ChatRequest, Citation, Part, Signature } from '../canon.ts'
import type { Json } from '../json/json.ts'
import { type Mark, unmarkCallId } from './mark.ts'

/**
 * Takes the marks from a request that is translated. A signature that its vendor made is that vendor's own again, and what
 * the gateway made itself is gone; texts stay.
 */
export const unmarkRequest = (request: ChatRequest, mark: Mark): ChatRequest => ({
  ...request,
  messages: request.messages.map(message => ({
    ...message,
    parts: message.parts.flatMap(part => unmarked(part, mark) ?? []),
  })),
})

const unmarked = (part: Part, mark: Mark): Part | undefined => {
  switch (part.type) {
    case 'tool-call':
    case 'tool-result':
      return { ...withoutProof(withoutId(part, mark), mark), id: unmarkCallId(part.id, mark) }
    case 'thinking': {
      const thought = withoutProof(withoutId(part, mark), mark)
      return thought.redacted && !thought.signature ? undefined : thought
    }
    case 'text':
      return withoutSources(withoutProof(withoutId(part, mark), mark), mark)
    case 'opaque':
      return withoutOpaqueId(part, mark)
    case 'media':
      return withoutId(part, mark)
  }
}

const withoutProof = <P extends Part>(part: P, mark: Mark): P => {
  const { signature, ...rest } = part as P & { signature?: Signature }
  const at = signature ? signature.text.indexOf(mark) : -1
  if (!signature || at < 0) return part
  const text = signature.text.slice(0, at) + signature.text.slice(at + mark.length)
  if (text === '' || text === ':') return rest as unknown as P
  return { ...part, signature: { ...signature, text } }
}

/** An item of the Responses API is told by its id. One of ours is a new item to any vendor. */
const withoutId = <P extends Part>(part: P, mark: Mark): P => {
  const { unknownFields } = part
  const item: Json = unknownFields?.dialect === 'openai-responses' && unknownFields.fields.item
  if (!unknownFields || !isMarkedId(item?.id, mark)) return part
  const { id, ...rest } = item
  const fields: Record<string, unknown> = { ...unknownFields.fields, item: rest }
  // A thought with fields of an item counts as the vendor's own.
  if (part.type === 'thinking') delete fields.item
  return { ...part, unknownFields: { ...unknownFields, fields } }
}

const withoutOpaqueId = (part: Part & { type: 'opaque' }, mark: Mark): Part | undefined => {
  const value = part.value as Json
  if (part.dialect !== 'openai-responses' || !isMarkedId(value?.id, mark)) return part
  if (value.type === 'reasoning') return undefined
  const { id, ...rest } = value
  return { ...part, value: rest }
}

const isMarkedId = (id: unknown, mark: Mark): boolean => typeof id === 'string' && id.includes(mark)

const withoutSources = (part: Part & { type: 'text' }, mark: Mark): Part => {
  const { citations } = part
  if (!citations?.some(each => isMarked(each, mark))) return part
  return {
    ...part,
    citations: citations.map(each => {
      if (!isMarked(each, mark)) return each
      const { raw, ...rest } = each
      return rest
    }),
  }
}

const isMarked = ({ raw }: Citation, mark: Mark): boolean =>
  (raw?.value as Json)?.encrypted_index === mark
