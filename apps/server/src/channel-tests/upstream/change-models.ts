import { ChannelFields, Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as watches from '../../db/queries/channel-watches.ts'
import * as rows from '../../db/queries/channels.ts'
import { listOf } from '../../relay/channels/channel.ts'
import { type Proposal, proposalOf } from './proposal.ts'

export type Selection = { add: readonly string[]; remove: readonly string[] }

/** Changes the models of a channel by a part of what its watch proposes at this moment. Returns that part. */
export const changeModels = (
  app: App,
  id: number,
  select: (proposal: Proposal, row: rows.ChannelRow) => Selection,
): Promise<Selection> =>
  app.db.transaction().execute(async tx => {
    const row = await lockedRow(tx, id)
    const selection = select(proposalOf(row, await watches.find(tx, id)), row)
    if (selection.add.length + selection.remove.length === 0) return selection
    await rows.update(tx, id, columnsOf(row, selection))
    await announceChange(tx)
    return selection
  })

/** Adds names to the ignored ones, which are an option of the channel. */
export const ignoreModels = (app: App, id: number, names: readonly string[]): Promise<void> =>
  app.db.transaction().execute(async tx => {
    const row = await lockedRow(tx, id)
    const plugin = JSON.parse(row.plugin || '{}') as Record<string, Record<string, unknown>>
    const before = listOf(String(plugin.watch?.ignored ?? ''))
    const ignored = listOf([...before, ...names].join()).join(', ')
    await rows.update(tx, id, {
      plugin: JSON.stringify({ ...plugin, watch: { ...plugin.watch, ignored } }),
    })
    await announceChange(tx)
  })

const lockedRow = async (tx: Database, id: number): Promise<rows.ChannelRow> => {
  await rows.lockMany(tx, [id])
  const row = await rows.find(tx, id)
  if (!row) throw new Fault('resource.missing')
  return row
}

/** A removed model takes its mapping along, and the test of a model that the channel no longer serves. */
const columnsOf = (row: rows.ChannelRow, { add, remove }: Selection) => {
  const removed = new Set(remove)
  const kept = listOf(row.models).filter(each => !removed.has(each))
  const models = ChannelFields.shape.models.safeParse([...kept, ...add].join())
  if (!models.success)
    throw new Fault('request.invalid', { hint: `\`models\`: ${models.error.issues[0]!.message}.` })
  const mapping = Object.entries(JSON.parse(row.model_mapping || '{}')).filter(
    ([model]) => !removed.has(model),
  )
  return {
    models: models.data,
    model_mapping: mapping.length > 0 ? JSON.stringify(Object.fromEntries(mapping)) : '',
    test_model: removed.has(row.test_model) ? '' : row.test_model,
  }
}
