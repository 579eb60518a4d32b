import type { AvailableModel, Group } from '@hub/contract'
import { multiplyRatio } from '../../domain/index.ts'

export type ModelRow = AvailableModel & { model: string }

export type ModelFilters = {
  keyword: string
  owner: string
  type: string
  /** The group whose prices are shown. */
  group: string
  /** Show only models that this group may use. */
  only: boolean
}

const includesText = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** The models that match the filters, sorted by owner type and name. */
export const rowsOf = (models: Record<string, AvailableModel>, filters: ModelFilters): ModelRow[] =>
  Object.entries(models)
    .map(([model, each]) => ({ model, ...each }))
    .filter(
      row =>
        (includesText(row.model, filters.keyword) || includesText(row.owned_by, filters.keyword)) &&
        (filters.owner === '' || row.owned_by === filters.owner) &&
        (filters.type === '' || row.price.type === filters.type) &&
        (!filters.only || row.groups.includes(filters.group)),
    )
    .toSorted((a, b) => a.price.channel_type - b.price.channel_type || (a.model < b.model ? -1 : 1))

/** A price ratio multiplied by the group ratio, exact. */
export const groupPrice = (ratio: number, group: Pick<Group, 'ratio'> | undefined): string =>
  multiplyRatio(ratio, group?.ratio ?? 1)
