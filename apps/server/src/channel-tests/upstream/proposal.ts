import type { WatchMode } from '@hub/contract'
import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import * as watches from '../../db/queries/channel-watches.ts'
import type { ChannelWatchesTable } from '../../db/tables/channels.ts'
import { listOf } from '../../relay/channels/channel.ts'
import { compareModels, type ModelChange } from './compare.ts'

/** The columns of a channel that decide what the watch proposes. */
export type WatchRow = { models: string; model_mapping: string; plugin: string }

export type Proposal = ModelChange & { mode: WatchMode; ignored: string[] }

type WatchOptions = { watch?: { models?: WatchMode; ignored?: string } }

/** In the mode `apply` the removal of a model is proposed only after as many equal lists in a row. */
const equalReadsMin = 2

export const watchOptionsOf = ({ plugin }: Pick<WatchRow, 'plugin'>) => {
  const { watch = {} } = JSON.parse(plugin || '{}') as WatchOptions
  return { mode: watch.models ?? ('off' as const), ignored: listOf(watch.ignored ?? '') }
}

/** Compares the last list with the models that the channel has now. Nothing while the watch is off. */
export const proposalOf = (
  row: WatchRow,
  watch: Pick<ChannelWatchesTable, 'offered' | 'equal_reads'> | undefined,
): Proposal => {
  const { mode, ignored } = watchOptionsOf(row)
  if (mode === 'off' || !watch || watch.equal_reads === 0)
    return { mode, ignored, added: [], removed: [] }
  const mapping = new Map(Object.entries(JSON.parse(row.model_mapping || '{}')))
  const compared = { models: listOf(row.models), mapping: mapping as Map<string, string>, ignored }
  const change = compareModels(compared, JSON.parse(watch.offered))
  const isSure = mode === 'propose' || watch.equal_reads >= equalReadsMin
  return { mode, ignored, added: change.added, removed: isSure ? change.removed : [] }
}

/** The numbers of what is proposed for each enabled channel that watches its vendor's list. */
export const countProposals = async (
  app: Pick<App, 'db'>,
): Promise<Map<number, { added: number; removed: number }>> => {
  const counts = new Map<number, { added: number; removed: number }>()
  for (const row of await watches.listRead(app.db)) {
    const { added, removed } = proposalOf(row, row)
    if (added.length + removed.length > 0)
      counts.set(row.id, { added: added.length, removed: removed.length })
  }
  return counts
}

/** The model has a price of its own in a group of the channel; the price for all models without one does not count. */
export const isPriced = (app: App, groups: readonly string[], model: string): boolean =>
  groups.some(group => (priceCache(app).find(model, group)?.model ?? '*') !== '*')
