import type { Part } from '../../canon.ts'
import type { Json } from '../../json/json.ts'

/** The open item, and its parts as far as they were emitted. */
export type OpenItem = {
  index: number
  item: Json
  parts: Part[]
  /** A text opened it, before the event that announces it, if there is one. */
  isUnannounced?: true
}

/** The open item as the last event repeats it. */
export const completeItem = ({ item, index }: OpenItem, output: readonly Json[]): Json => {
  const sameId = output.find(each => each?.id !== undefined && each.id === item.id)
  return sameId ?? (output[index]?.type === item.type ? output[index] : item)
}

/** The item as if the piece were its only content. */
export const withPiece = (item: Json, piece: Json): Json => {
  if (item.type === 'message') return { ...item, content: [piece] }
  return piece.type === 'summary_text'
    ? { ...item, summary: [piece], content: [], encrypted_content: undefined }
    : { ...item, summary: [], content: [piece], encrypted_content: undefined }
}

/** Content and summaries of reasoning have separate indexes. */
export const hasPiece = ({ parts }: OpenItem, type: string, at: number): boolean => {
  const contents = parts.filter(part => part.unknownFields?.fields.of === 'content').length
  return (type === 'reasoning_text' ? contents : parts.length - contents) > at
}

export const pieceFieldsOf = ({
  type,
  text,
  refusal,
  annotations,
  logprobs,
  ...fields
}: Json): Json => fields

/** Only the first part of an item carries the fields of the item. */
export const withoutItemFields = ({ type, role, content, summary }: Json): Json =>
  type === 'message' ? { type, role, content } : { type, summary, content }

/** The fields of `after` that differ from `before`. */
export const changedFields = (before: Json, after: Json): Json =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
    ),
  )
