import { type ChannelCosts, type CostList, type contract, Fault } from '@hub/contract'
import { hasListPrices } from '@hub/providers'
import { costCache } from '../../../billing/costs/cost-cache.ts'
import type { App } from '../../../core/app.ts'
import type { Handlers } from '../../../core/implement.ts'
import { lockMany } from '../../../db/queries/channels.ts'
import * as rows from '../../../db/queries/costs.ts'
import { findChannel } from '../../../db/queries/relay-channels.ts'
import { decodeChannel, unusableProvider } from '../../../relay/channels/channel.ts'
import { getChannel } from '../channel.ts'
import { modelCosts } from './model-costs.ts'
import { requireCostBase, storeCosts } from './store.ts'

/** As the contract says. */
const historyMax = 50

const readCosts = async (app: App, id: number): Promise<ChannelCosts> => {
  const row = await findChannel(app.db, id)
  if (!row) throw new Fault('resource.missing')
  const channel = decodeChannel(app, row)
  if (!channel) throw unusableProvider(row.type)
  const cache = costCache(app)
  const history = await rows.listOfChannel(app.db, id, historyMax)
  const isListed = hasListPrices(channel.provider, channel.baseUrl)
  const defaultList = cache.defaultListOf({ channelId: id, hasListPrices: isListed })
  return {
    list: cache.listOf(id) ?? null,
    default_base: defaultList?.base ?? 'none',
    has_upstream: channel.provider.groupRatios !== undefined,
    upstream_ratio: cache.upstreamRatioOf(id) ?? null,
    history: history.map(({ body, created_by_name, ...each }) => ({
      ...each,
      list: body === null ? null : (JSON.parse(body) as CostList),
      created_by_name: created_by_name ?? '',
    })),
    models: modelCosts(app, channel, isListed),
  }
}

type CostEndpoint = 'costs' | 'setCosts'

export const channelCosts: Pick<Handlers<typeof contract.channels.endpoints>, CostEndpoint> = {
  costs: (app, _caller, { id }) => readCosts(app, id),
  setCosts: async (app, { userId }, { id, list }) => {
    await app.db.transaction().execute(async tx => {
      await lockMany(tx, [id])
      requireCostBase('list.base', (await getChannel(tx, id)).type, list)
      await storeCosts(app, tx, { channelId: id, list, userId })
    })
    // The response shows the terms that are in force now.
    await app.changes.sync()
    return readCosts(app, id)
  },
}
