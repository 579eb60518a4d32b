import { splitNames } from '../../../ui/form/names.ts'

/** One Hub stores lists as comma-separated text and maps as JSON text; the form edits names and rows. */

export const joinNames = (names: string[]): string => splitNames(names.join(',')).join(',')

export type MapEntry = { key: string; value: string }

/** The entries of a stored map; undefined if the text is not a JSON object of strings. */
export const readMap = (text: string): MapEntry[] | undefined => {
  if (text.trim() === '') return []
  const map = readObject(text)
  if (!map || !Object.values(map).every(value => typeof value === 'string')) return undefined
  return Object.entries(map).map(([key, value]) => ({ key, value: String(value) }))
}

/** Skips rows without a name, which are still being typed. The last of two equal names wins. */
export const writeMap = (entries: MapEntry[]): string => {
  const named = entries.flatMap(({ key, value }) =>
    key.trim() ? [[key.trim(), value.trim()]] : [],
  )
  return named.length ? JSON.stringify(Object.fromEntries(named)) : ''
}

/** Names that appear in more than one row. */
export const duplicateKeys = (entries: MapEntry[]): string[] => {
  const keys = entries.map(entry => entry.key.trim()).filter(Boolean)
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))]
}

/** Undefined if the text is not a JSON object. */
export const readObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export const prettyJson = (text: string): string => {
  const value = readObject(text)
  return value ? JSON.stringify(value, null, 2) : text
}

/** Adds mapped model names that the list does not cover, because only listed models can be requested. */
export const addMappedModels = (models: string, mapping: string): string => {
  const mapped = (readMap(mapping) ?? []).map(entry => entry.key)
  return joinNames([...splitNames(models), ...mapped.filter(key => !isServed(models, key))])
}

type Lists = { models: string; model_mapping: string }

/** Each model with the name whose price applies. A target that begins with `+` is billed as the requested model. */
export const billedModels = ({ models, model_mapping }: Lists) => {
  const targets = new Map((readMap(model_mapping) ?? []).map(({ key, value }) => [key, value]))
  return splitNames(addMappedModels(models, model_mapping)).map(model => {
    const target = targets.get(model) ?? ''
    const billedAs = target === '' || target.startsWith('+') ? model : target
    return { model, billedAs, target: target.replace(/^\+/, '') }
  })
}

/** The lists without some models. Their mapping goes too, because mapped models are added to the list. */
export const withoutModels = (
  { models, model_mapping }: Lists,
  names: readonly string[],
): Lists => {
  const entries = readMap(model_mapping) ?? []
  const kept = entries.filter(({ key }) => !names.includes(key))
  return {
    models: splitNames(models)
      .filter(each => !names.includes(each))
      .join(','),
    model_mapping: kept.length < entries.length ? writeMap(kept) : model_mapping,
  }
}

/** The list names the model, or has a pattern that covers it. */
export const isServed = (models: string, model: string): boolean =>
  splitNames(models).some(each =>
    each.endsWith('*') ? model.startsWith(each.slice(0, -1)) : each === model,
  )
