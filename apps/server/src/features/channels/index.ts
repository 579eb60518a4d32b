import {
  type ChannelChange,
  type ChannelCheck,
  contract,
  Fault,
  type ModelTest,
} from '@hub/contract'
import {
  checkChannel,
  lastBatchRuns,
  startBatchRun,
  testChannelOrThrow,
  updateBalance,
} from '../../channel-tests/index.ts'
import { nowSeconds } from '../../core/app.ts'
import { mapPage } from '../../core/crud.ts'
import { type Handlers, implement } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as changes from '../../db/queries/channel-changes.ts'
import { findCheck, listModelTests } from '../../db/queries/channel-checks.ts'
import * as rows from '../../db/queries/channels.ts'
import * as owners from '../../db/queries/owners.ts'
import * as prices from '../../db/queries/prices.ts'
import { listOf } from '../../relay/channels/channel.ts'
import { auditedChannels } from './audited.ts'
import { channelBatches } from './batch.ts'
import { changeChannels, fingerprintKeys, getChannel, parseKeys } from './channel.ts'
import { channelCosts } from './costs/index.ts'
import { copyChannel, createChannels } from './create.ts'
import { readChannelCache, readFigures, readHealth } from './figures.ts'
import { channelKeys } from './keys.ts'
import { readRouting } from './routing/index.ts'
import { channelTags } from './tags.ts'
import { channelTransfer } from './transfer/index.ts'
import { updateChannel } from './update.ts'
import { readBalanceHistory, readBalances } from './upstream/balances.ts'
import { channelUpstream } from './upstream/index.ts'

/** As the summary of the endpoint says. */
const changesMax = 200

const handlers: Handlers<typeof contract.channels.endpoints> = {
  ...channelBatches,
  ...channelTags,
  ...channelTransfer,
  ...channelKeys,
  ...channelUpstream,
  ...channelCosts,
  list: (app, _caller, { key, ...input }) => {
    const filter = { ...input, ...(key && { keyHash: fingerprintKeys(app, parseKeys(key)) }) }
    return mapPage(rows.list(app.db, filter), rows.asChannel)
  },
  models: async app => ({ object: 'list' as const, data: await pricedModels(app.db) }),
  get: async (app, _caller, { id }) => rows.asChannel(await getChannel(app.db, id)),
  create: (app, caller, input) => createChannels(app, caller, input),
  update: (app, caller, input) => updateChannel(app, caller, input),
  copy: (app, caller, { id }) => copyChannel(app, caller, id),
  removeDisabled: app => changeChannels(app, tx => rows.removeDisabled(tx, nowSeconds(app))),
  removeMany: (app, _caller, { ids }) =>
    changeChannels(app, tx => rows.removeMany(tx, ids, nowSeconds(app))),
  remove: async (app, _caller, { id }) => {
    const removed = await changeChannels(app, tx => rows.removeMany(tx, [id], nowSeconds(app)))
    if (removed === 0) throw new Fault('resource.missing')
    return null
  },
  test: (app, _caller, { id, ...params }) => testChannelOrThrow(app, id, params),
  testAll: app => startBatchRun(app, 'test'),
  updateBalance: async (app, _caller, { id }) => {
    const { amount, currency } = await updateBalance(app, id)
    return { balance: Number(amount), currency }
  },
  balances: (app, _caller, { ids }) => readBalances(app, listOf(ids).map(Number)),
  balanceHistory: (app, _caller, input) => readBalanceHistory(app, input),
  updateBalances: app => startBatchRun(app, 'balance'),
  rounds: app => lastBatchRuns(app),
  changes: async (app, _caller, { id }) => {
    await getChannel(app.db, id)
    const found = await changes.list(app.db, id, changesMax)
    return found.map(({ channel_id, ...change }) => change as ChannelChange)
  },
  figures: (app, _caller, input) => readFigures(app, input),
  cache: (app, _caller, { id }) => readChannelCache(app, id),
  health: (app, _caller, { ids }) => readHealth(app, listOf(ids).map(Number)),
  routing: (app, _caller, { id }) => readRouting(app, id),
  modelTests: async (app, _caller, { id }) => {
    await getChannel(app.db, id)
    return (await listModelTests(app.db, id)) as ModelTest[]
  },
  check: (app, _caller, { id, models, features }) =>
    checkChannel(app, id, { models: listOf(models), features }),
  lastCheck: async (app, _caller, { id }) => {
    await getChannel(app.db, id)
    const { at = 0, results = '[]' } = (await findCheck(app.db, id)) ?? {}
    return { at, results: JSON.parse(results) as ChannelCheck['results'] }
  },
  leaveTag: async (app, caller, { id }) => {
    await updateChannel(app, caller, { id, tag: '' })
    return null
  },
}

export const channels = implement(contract.channels, handlers, auditedChannels)

/** The fixed creation time that One Hub reports for every model. */
const oneHubCreatedAt = 1_677_649_963

const pricedModels = async (db: Database) => {
  const names = new Map((await owners.listAll(db)).map(owner => [owner.id, owner.name]))
  return (await prices.listAll(db)).map(price => ({
    id: price.model,
    object: 'model' as const,
    created: oneHubCreatedAt,
    owned_by: names.get(price.channel_type) ?? '',
  }))
}
