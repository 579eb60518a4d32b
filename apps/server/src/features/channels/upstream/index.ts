import { type ChannelUpstream, type contract, Fault, type UpstreamGroup } from '@hub/contract'
import { providerOf } from '@hub/providers'
import { upstreamGroupOf } from '../../../billing/costs/upstream-list.ts'
import {
  changeIn,
  changeModels,
  fetchDraftGroups,
  fetchModels,
  ignoreModels,
  isPriced,
  proposalOf,
  readUpstreamNow,
} from '../../../channel-tests/index.ts'
import type { App } from '../../../core/app.ts'
import type { Handlers } from '../../../core/implement.ts'
import * as watches from '../../../db/queries/channel-watches.ts'
import type { ChannelRow } from '../../../db/queries/channels.ts'
import * as failures from '../../../db/queries/service-failures.ts'
import * as ratios from '../../../db/queries/upstream-ratios.ts'
import { listOf } from '../../../relay/channels/channel.ts'
import { getChannel } from '../channel.ts'
import { readAccount } from './account.ts'

/** As the contract says. */
const historyMax = 50

const readUpstream = async (app: App, id: number): Promise<ChannelUpstream> => {
  const row = await getChannel(app.db, id)
  const provider = providerOf(row.type)
  return {
    models: provider?.modelListPath === undefined ? null : await readModels(app, row),
    ratio: provider?.groupRatios ? await readRatio(app, row) : null,
  }
}

const readModels = async (app: App, row: ChannelRow): Promise<ChannelUpstream['models']> => {
  const watch = await watches.find(app.db, row.id)
  const { mode, ignored, added, removed } = proposalOf(row, watch)
  const failure = await failures.find(app.db, { service: 'model_list', subject: row.id })
  const groups = listOf(row.group)
  return {
    ...{ mode, ignored, removed },
    checked_at: watch?.checked_at ?? 0,
    read_at: watch?.read_at ?? 0,
    failure: failure?.detail ?? '',
    added: added.map(model => ({ model, is_priced: isPriced(app, groups, model) })),
  }
}

const readRatio = async (app: App, row: ChannelRow): Promise<ChannelUpstream['ratio']> => {
  const group = upstreamGroupOf({ options: JSON.parse(row.plugin || '{}') })
  const found = await ratios.findGroups(app.db, row.id)
  const groups = JSON.parse(found?.groups ?? '[]') as UpstreamGroup[]
  const changes = await ratios.listChanges(app.db, row.id, historyMax)
  return {
    ...{ group, groups, change: changeIn(changes) },
    ratio: groups.find(each => each.group === group)?.ratio ?? null,
    checked_at: found?.checked_at ?? 0,
    read_at: found?.read_at ?? 0,
    history: changes.map(({ group, ratio, valid_from }) => ({ group, ratio, valid_from })),
  }
}

/** Throws unless the watch proposes each of the names. */
const requireProposed = (field: string, names: readonly string[], proposed: readonly string[]) => {
  const unknown = names.find(each => !proposed.includes(each))
  if (unknown === undefined) return
  const hint = `\`${field}\`: the watch does not propose “${unknown}” any more; read the list again.`
  throw new Fault('request.invalid', { hint })
}

type Endpoint =
  | 'upstream'
  | 'readUpstream'
  | 'applyModels'
  | 'ignoreModels'
  | 'confirmRatio'
  | 'fetchModels'
  | 'fetchGroups'

export const channelUpstream: Pick<Handlers<typeof contract.channels.endpoints>, Endpoint> = {
  upstream: (app, _caller, { id }) => readUpstream(app, id),
  readUpstream: async (app, _caller, { id }) => {
    await readUpstreamNow(app, id)
    return readUpstream(app, id)
  },
  applyModels: async (app, _caller, { id, add, remove }) => {
    await changeModels(app, id, ({ added, removed }) => {
      requireProposed('add', add, added)
      requireProposed('remove', remove, removed)
      return { add, remove }
    })
    return readUpstream(app, id)
  },
  ignoreModels: async (app, _caller, { id, models }) => {
    await ignoreModels(app, id, models)
    return readUpstream(app, id)
  },
  confirmRatio: async (app, _caller, { id }) => {
    await getChannel(app.db, id)
    await ratios.confirm(app.db, id)
    return null
  },
  fetchModels: async (app, _caller, input) => fetchModels(app, await readAccount(app, input)),
  fetchGroups: async (app, _caller, input) => {
    const draft = await readAccount(app, input)
    if (providerOf(draft.type)?.groupRatios) return fetchDraftGroups(app, draft)
    throw new Fault('request.invalid', { hint: '`type`: this channel type has no groups.' })
  },
}
