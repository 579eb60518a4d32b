import { isJsonObject } from '../json/json.ts'
import { weightedCharsInText } from '../meter.ts'

/** Fields whose values are no text for the model: names of the protocol, and base64. */
const silentFields: ReadonlySet<string> = new Set([
  ...['type', 'role', 'id', 'event_id', 'item_id', 'response_id', 'previous_item_id', 'call_id'],
  ...['audio', 'image_url', 'data', 'inlineData', 'inline_data', 'mimeType', 'mime_type'],
  ...['model', 'voice', 'modalities', 'output_modalities', 'responseModalities', 'format'],
])

/** Definitions of tools reach the model with their keys. */
const definitions: ReadonlySet<string> = new Set(['tools', 'parameters'])

/** Tokens of the texts in a message, without the syntax around them. */
export const sentTextTokens = (message: unknown): number => weightOf(message) / 4

const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return weightedCharsInText(value)
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weightOf(each), 0)
  if (!isJsonObject(value)) return 0
  let weight = 0
  for (const [key, each] of Object.entries(value)) {
    if (definitions.has(key)) weight += weightedCharsInText(JSON.stringify(each))
    else if (!silentFields.has(key)) weight += weightOf(each)
  }
  return weight
}
