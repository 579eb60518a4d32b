import type { Json } from '../json/json.ts'
import { type FieldsFilter, listIn, type StateFilter, textIn } from './filter.ts'
import { filterGoogle } from './gemini.ts'

/** Proofs of thoughts are in `reasoning_details`, as at OpenRouter. Their text is in `reasoning_content` too. */
export const filterMessages: FieldsFilter = ({ messages }, filter, dropped) =>
  Array.isArray(messages)
    ? {
        messages: messages.map(message =>
          message?.role === 'assistant' ? filterMessage(message, filter, dropped) : message,
        ),
      }
    : {}

const filterMessage = (given: Json, filter: StateFilter, dropped: Set<string>): Json => {
  const message = { ...filterGoogle(given, filter, dropped) }
  if (Array.isArray(message.tool_calls))
    message.tool_calls = message.tool_calls.map((call: Json) => filterGoogle(call, filter, dropped))
  if (!Array.isArray(message.reasoning_details)) return message
  const details = listIn(message.reasoning_details)
  const kept = details.filter(({ signature, data }) => {
    const proof = textIn(signature ?? data)
    return proof === '' || !filter.isForeign(proof)
  })
  if (kept.length < details.length) dropped.add('reasoning_details')
  if (kept.length > 0) message.reasoning_details = kept
  else delete message.reasoning_details
  return message
}
