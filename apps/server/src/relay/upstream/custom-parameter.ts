import type { Ask, Edits } from '@hub/dialects'

/** What an operator merges into every body of a channel. */
export type CustomParameter = Readonly<Record<string, unknown>>

const controlKeys = new Set(['overwrite', 'per_model', 'pre_add'])
/** What is billed and how it is delivered was decided before a channel was chosen. */
const fixedKeys = new Set(['model', 'stream'])

/** Fills in what the body lacks; with `overwrite` also replaces. `per_model`: the object under the model's name. */
export const customEdits = (
  parameter: CustomParameter | undefined,
  ask: Ask,
  sentModel: string,
): Edits => {
  if (!parameter) return {}
  const values = parameter.per_model ? (parameter[sentModel] ?? parameter[ask.model]) : parameter
  if (typeof values !== 'object' || values === null) return {}
  const edits: Edits = {}
  for (const [key, value] of Object.entries(values)) {
    if (controlKeys.has(key) || fixedKeys.has(key)) continue
    if (parameter.overwrite || !ask.places.has(key)) edits[key] = value
  }
  return edits
}
