import type { AvailableModel, Group } from '@hub/contract'
import { multiplyRatio } from '../../domain/index.ts'
import {
  type ModelDescription,
  sortModalities,
  sortTags,
  withVendorInfo,
} from '../../domain/model-info/index.ts'

export type ModelRow = AvailableModel & {
  model: string
  /** Absent: no administrator described the model, and the shipped list does not have it. */
  description?: ModelDescription
}

export type AvailableModels = Record<string, AvailableModel>
export type Descriptions = ReadonlyMap<string, ModelDescription>

export type ModelFilters = {
  keyword: string
  owner: string
  type: string
  /** A type of input or output, such as `image`. */
  modality: string
  tag: string
  /** The group whose prices are shown. */
  group: string
  /** Show only models that this group may use. */
  only: boolean
}

/** The models that match the filters, sorted by owner type and name. */
export const rowsOf = (
  models: AvailableModels,
  descriptions: Descriptions,
  filters: ModelFilters,
): ModelRow[] =>
  describedRows(models, descriptions)
    .filter(
      row =>
        textOf(row).includes(filters.keyword.toLowerCase()) &&
        (filters.owner === '' || row.owned_by === filters.owner) &&
        (filters.type === '' || row.price.type === filters.type) &&
        (filters.modality === '' || modalitiesOf(row).includes(filters.modality)) &&
        (filters.tag === '' || row.description?.tags.includes(filters.tag)) &&
        (!filters.only || row.groups.includes(filters.group)),
    )
    .toSorted((a, b) => a.price.channel_type - b.price.channel_type || (a.model < b.model ? -1 : 1))

/** One model, whatever the filters are. */
export const rowOf = (
  models: AvailableModels,
  descriptions: Descriptions,
  name: string | undefined,
): ModelRow | undefined => {
  const model = name === undefined ? undefined : models[name]
  return model && describedRows({ [name as string]: model }, descriptions)[0]
}

const describedRows = (models: AvailableModels, descriptions: Descriptions): ModelRow[] =>
  Object.entries(models).map(([model, each]) => {
    const description = withVendorInfo(model, descriptions.get(model), each.vendor_info)
    return { model, ...each, ...(description && { description }) }
  })

/** The text that the keyword is searched in. */
const textOf = ({ model, owned_by, description }: ModelRow): string =>
  [model, owned_by, description?.name, description?.description].join('\n').toLowerCase()

const modalitiesOf = ({ description }: ModelRow): readonly string[] =>
  description ? [...description.inputs, ...description.outputs] : []

/** The modalities and tags of the listed models, to filter by. */
export const choicesOf = (models: AvailableModels, descriptions: Descriptions) => {
  const rows = describedRows(models, descriptions)
  return {
    modalities: sortModalities(rows.flatMap(modalitiesOf)),
    tags: sortTags(rows.flatMap(row => row.description?.tags ?? [])),
  }
}

/** A price ratio multiplied by the group ratio, exact. */
export const groupPrice = (ratio: number, group: Pick<Group, 'ratio'> | undefined): string =>
  multiplyRatio(ratio, group?.ratio ?? 1)
