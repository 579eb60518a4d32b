import figures from '../defaults/reasoning.json' with { type: 'json' }

type Pattern = string

const isOf = (pattern: Pattern, model: string): boolean =>
  pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern

/** The name of a model without the path that an upstream gateway puts in front of it. */
const lastName = (model: string): string => model.slice(model.lastIndexOf('/') + 1)

/** The tokens that a model typically reasons without showing it, where it reasons unasked; undefined for any other. */
export const typicalReasoning = (model: string): number | undefined => {
  const name = lastName(model)
  if (figures.onlyAsked.some(each => isOf(each, name))) return undefined
  return figures.models.find(each => isOf(each.model, name))?.tokens
}

/** Assumed where a model reasons and has no figure. */
export const unknownReasoning: number = figures.default
