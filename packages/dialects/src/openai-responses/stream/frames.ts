import { isJsonObject, type Json } from '../../json/json.ts'

export const pieceTypes: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'output_text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_summary_text.delta': 'summary_text',
  'response.reasoning_text.delta': 'reasoning_text',
}
export const callDeltas = new Set([
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
])
export const pieceStarts = new Set([
  'response.content_part.added',
  'response.reasoning_summary_part.added',
])
export const closingTypes = new Set([
  'response.completed',
  'response.incomplete',
  'response.cancelled',
])

/** The frame announces, extends or ends an item of the output. */
export const isItemFrame = (type: string): boolean =>
  type.startsWith('response.output_item.') ||
  pieceTypes[type] !== undefined ||
  callDeltas.has(type) ||
  pieceStarts.has(type)

/** Proxies send an error without type. The official client throws on any frame with an `error`. */
export const isBareError = (frame: Json): boolean =>
  frame?.type === undefined && isJsonObject(frame?.error)

/** Checks the fields that decoding relies on. */
export const isValidFrame = (frame: Json): boolean => {
  const { type } = frame ?? {}
  if (typeof type !== 'string') return false
  if (type.startsWith('response.output_item.')) return isJsonObject(frame.item)
  if (pieceTypes[type] || callDeltas.has(type)) return typeof frame.delta === 'string'
  if (pieceStarts.has(type)) return typeof frame.part?.type === 'string'
  return !closingTypes.has(type) || isJsonObject(frame.response)
}
