import type { ModelInfo } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'

/** The description that an administrator wrote for a model, with its lists parsed. */
export type ModelDescription = Pick<
  ModelInfo,
  'model' | 'name' | 'description' | 'context_length' | 'max_tokens'
> & {
  inputs: readonly string[]
  outputs: readonly string[]
  tags: readonly string[]
  /** Only http and https addresses. */
  links: readonly string[]
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

const byModel = (list: readonly ModelInfo[]): ReadonlyMap<string, ModelDescription> =>
  new Map(list.map(info => [info.model, describeModel(info)]))

/** The descriptions of models, by the name that callers use. */
export const useModelDescriptions = () =>
  useQuery({ ...query(api['model-info'].list), select: byModel })
