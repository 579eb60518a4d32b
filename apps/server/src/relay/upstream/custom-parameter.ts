import type { Edits, ParsedRequest } from '@hub/dialects'
import type { CustomParameter } from '../channels/channel.ts'

const controlKeys = new Set(['overwrite', 'per_model', 'pre_add', 'rules'])
/** Billing and delivery depend on these and were decided before. */
const fixedKeys = new Set(['model', 'stream', 'stream_options'])

/** Adds missing fields; `overwrite` also replaces existing ones. `per_model` selects the object under the model's name. */
export const customParameterEdits = (
  parameter: CustomParameter,
  parsed: ParsedRequest,
  upstreamModel: string,
): Edits => {
  const values = parameter.per_model
    ? (own(parameter, upstreamModel) ?? own(parameter, parsed.model))
    : parameter
  if (typeof values !== 'object' || values === null) return {}
  const edits: Edits = {}
  for (const [key, value] of Object.entries(values)) {
    if (controlKeys.has(key) || fixedKeys.has(key)) continue
    if (parameter.overwrite || !parsed.fieldRanges.has(key)) edits[key] = value
  }
  return edits
}

/** Models may be called `constructor` or `__proto__`. */
const own = (parameter: CustomParameter, key: string): unknown =>
  Object.hasOwn(parameter, key) ? parameter[key] : undefined
