import { type BatchRefusal, type contract, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { Updateable } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Handlers } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/channels.ts'
import type { ChannelsTable } from '../../db/tables/channels.ts'
import { listOf } from '../../relay/channels/channel.ts'
import { recordManualChange } from '../../relay/channels/status.ts'
import { changeChannels, requireGroups } from './channel.ts'

type Reason = BatchRefusal['reason']
/** The changed columns, or why the channel refuses. No column: it stays as it is. */
type ChannelDecision = Updateable<ChannelsTable> | Reason

/** The size that the schema of a single channel allows. */
const modelsMax = 50_000
const groupsMax = 1_000

/** Handlers that change chosen channels in one transaction. */
export const channelBatches = {
  setApiVersions: (app, _caller, { ids, value }) =>
    changeAll(app, ids, ({ type, other }) => {
      if (providerOf(type)?.freeField !== 'api_version') return 'no_api_version'
      return other === value ? {} : { other: value }
    }),
  removeModel: (app, _caller, { ids, value }) =>
    changeAll(app, ids, changeModels('remove', [value])),
  setModels: (app, _caller, { ids, action, models }) =>
    changeAll(app, ids, changeModels(action, listOf(models))),
  setGroups: async (app, _caller, { ids, action, group }) => {
    if (action !== 'remove') await requireGroups(app.db, group)
    return changeAll(app, ids, changeGroups(action, listOf(group)))
  },
  setStatuses: (app, { username: actor }, { ids, status }) =>
    changeAll(
      app,
      ids,
      channel => {
        if (status === 1 && channel.key_count === 0) return 'no_key'
        return channel.status === status ? {} : { status, status_reason: '' }
      },
      (tx, channelIds) => recordManualChange(app, tx, { channelIds, status, actor }),
    ),
} satisfies Partial<Handlers<typeof contract.channels.endpoints>>

type Action = 'add' | 'remove' | 'replace'

const changeModels = (action: Action, names: readonly string[]) => (channel: rows.ChannelRow) => {
  const models = changeList(listOf(channel.models), action, names)
  if (models.length === 0) return 'last_model'
  const text = models.join(',')
  if (text.length > modelsMax) return 'too_long'
  return text === channel.models ? {} : { models: text }
}

const changeGroups = (action: Action, names: readonly string[]) => (channel: rows.ChannelRow) => {
  const groups = changeList(listOf(channel.group), action, names)
  if (groups.length === 0) return 'last_group'
  const text = groups.join(',')
  if (text.length > groupsMax) return 'too_long'
  return text === channel.group ? {} : { group: text }
}

const changeList = (
  before: readonly string[],
  action: Action,
  names: readonly string[],
): readonly string[] => {
  if (action === 'replace') return names
  if (action === 'remove') return before.filter(each => !names.includes(each))
  return [...new Set([...before, ...names])]
}

/** Changes all of the channels or, where one of them refuses, none. Returns the number of changed channels. */
const changeAll = (
  app: App,
  ids: readonly number[],
  decide: (channel: rows.ChannelRow) => ChannelDecision,
  afterwards?: (tx: Database, changedIds: number[]) => Promise<void>,
): Promise<number> =>
  changeChannels(app, async tx => {
    const channels = await lockChannels(tx, ids)
    const outcomes = [...new Set(ids)].map(id => {
      const channel = channels.get(id)
      return { id, name: channel?.name ?? '', outcome: channel ? decide(channel) : 'missing' }
    })
    const refused = outcomes.flatMap(({ id, name, outcome }) =>
      typeof outcome === 'string' ? [{ id, name, reason: outcome as Reason }] : [],
    )
    requireNone(refused)
    const changed = outcomes.filter(({ outcome }) => Object.keys(outcome).length > 0)
    for (const { id, outcome } of changed)
      await rows.update(tx, id, outcome as Updateable<ChannelsTable>)
    await afterwards?.(
      tx,
      changed.map(({ id }) => id),
    )
    return changed.length
  })

/** Reads the channels after it has locked their rows, in one order, so that changes of one list follow each other. */
const lockChannels = async (tx: Database, ids: readonly number[]) => {
  await rows.lockMany(tx, ids)
  return new Map((await rows.listByIds(tx, ids)).map(each => [each.id, each]))
}

const sentences: Record<Reason, string> = {
  missing: 'there is no such channel',
  last_model: 'it would have no model',
  last_group: 'it would have no group',
  too_long: 'its list would become too long',
  no_api_version: 'its type has no API version',
  no_key: 'it has no key',
}

/** Throws `channel.batch_refused`, with every channel that refuses and its reason, unless the list is empty. */
export const requireNone = (refused: readonly BatchRefusal[]): void => {
  if (refused.length === 0) return
  const clauses = refused.map(({ id, name, reason }) =>
    [`#${id}`, name && ` ${name}`, `: ${sentences[reason]}`].join(''),
  )
  throw new Fault('channel.batch_refused', { hint: `${clauses.join('; ')}.`, data: refused })
}
