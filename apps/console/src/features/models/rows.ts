import type { AvailableModel, Group } from '@hub/contract'
import { timesRatio } from '../../ui/index.ts'

export type Row = AvailableModel & { model: string }

export type Wanted = {
  keyword: string
  owner: string
  type: string
  /** The group whose prices are shown. */
  group: string
  /** Only models that this group may use. */
  only: boolean
}

const has = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase())

/** What is looked for, by owner and then by name. */
export const rowsOf = (models: Record<string, AvailableModel>, wanted: Wanted): Row[] =>
  Object.entries(models)
    .map(([model, each]) => ({ model, ...each }))
    .filter(
      row =>
        (has(row.model, wanted.keyword) || has(row.owned_by, wanted.keyword)) &&
        (wanted.owner === '' || row.owned_by === wanted.owner) &&
        (wanted.type === '' || row.price.type === wanted.type) &&
        (!wanted.only || row.groups.includes(wanted.group)),
    )
    .toSorted((a, b) => a.price.channel_type - b.price.channel_type || (a.model < b.model ? -1 : 1))

/** A multiplier as a group pays it. */
export const paid = (ratio: number, group: Pick<Group, 'ratio'> | undefined): string =>
  timesRatio(ratio, group?.ratio ?? 1)
