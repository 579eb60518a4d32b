import type { ModelInfo, VendorInfo } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'

/** The description that an administrator wrote for a model, with its lists parsed, and what the vendor's documents add. */
export type ModelDescription = Pick<
  ModelInfo,
  'model' | 'name' | 'description' | 'context_length' | 'max_tokens'
> & {
  inputs: readonly string[]
  outputs: readonly string[]
  tags: readonly string[]
  /** Only http and https addresses. */
  links: readonly string[]
  /** The source of figures that no administrator wrote. */
  source?: { address: string; date: string }
}

/** Parses the text of a JSON array. A text that is no JSON, such as one bare address, is its only entry. */
export const parseList = (text: string): string[] => {
  if (text.trim() === '') return []
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.map(String) : [String(parsed)]
  } catch {
    return [text]
  }
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export const describeModel = (info: ModelInfo): ModelDescription => ({
  model: info.model,
  name: info.name,
  description: info.description,
  context_length: info.context_length,
  max_tokens: info.max_tokens,
  inputs: parseList(info.input_modalities),
  outputs: parseList(info.output_modalities),
  tags: parseList(info.tags),
  links: parseList(info.support_url).filter(isWebAddress),
})

/** An administrator’s own words win, field by field. */
export const withVendorInfo = (
  model: string,
  written: ModelDescription | undefined,
  info: VendorInfo | undefined,
): ModelDescription | undefined => {
  if (!info) return written
  const own = written ?? undescribed(model)
  const added = {
    ...(own.context_length === 0 && { context_length: info.context_length }),
    ...(own.max_tokens === 0 && { max_tokens: info.max_tokens }),
    ...(own.inputs.length === 0 && { inputs: info.input_modalities }),
    ...(own.outputs.length === 0 && { outputs: info.output_modalities }),
  }
  if (Object.keys(added).length === 0) return own
  return { ...own, ...added, source: { address: info.source, date: info.date } }
}

const undescribed = (model: string): ModelDescription => ({
  ...{ model, name: model, description: '', context_length: 0, max_tokens: 0 },
  ...{ inputs: [], outputs: [], tags: [], links: [] },
})

const byModel = (list: readonly ModelInfo[]): ReadonlyMap<string, ModelDescription> =>
  new Map(list.map(info => [info.model, describeModel(info)]))

/** The descriptions of models, by the name that callers use. */
export const useModelDescriptions = () =>
  useQuery({ ...query(api['model-info'].list), select: byModel })
