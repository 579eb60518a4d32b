import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import { listPricesAndOwners } from '../../db/queries/relay-channels.ts'
import { identify } from '../auth/identify.ts'
import { type CachedToken, groupCache, requireGroup } from '../auth/token-cache.ts'
import { chatDialect, type RequestContext } from '../context.ts'
import { writeJson } from '../response/write.ts'
import { channelIndex, findCandidates, listModels } from '../routing/channel-index.ts'
import { formats, type ListedModel } from './formats.ts'
import { pricingOf } from './pricing.ts'

/** The owner of each model, from the price list. */
const ownersByModel = cachedQuery(['prices', 'owners'], async app => {
  const { prices, owners } = await listPricesAndOwners(app.callDb)
  const names = new Map(owners.map(each => [each.id, each.name]))
  return new Map(prices.map(each => [each.model, names.get(each.type) ?? '']))
})

/** Finds the token of a group that its owner may use: a call is refused by the same check. */
const identifyWithGroup = async (app: App, context: RequestContext) => {
  const identity = await identify(app, context)
  requireGroup(await groupCache(app).get(), identity.token.caller)
  return identity
}

/** Lists the models that the token may use: those of its group, within its own list. */
export const listModelsHandler = async (app: App, context: RequestContext): Promise<void> => {
  const { token } = await identifyWithGroup(app, context)
  const index = await channelIndex(app).get()
  const owners = await ownersByModel(app).get()
  const models = listModels(index, token.caller.group)
    .filter(each => isAllowed(token, each))
    .map(each => toListedModel(app, token, each, owners))
  const query = new URLSearchParams(context.query)
  writeJson(context, formats[chatDialect(context).id].list(models, query))
}

export const showModelHandler = async (app: App, context: RequestContext): Promise<void> => {
  const { token } = await identifyWithGroup(app, context)
  const name = modelIn(context.path)
  const candidates = findCandidates(await channelIndex(app).get(), token.caller.group, name)
  if (!candidates || !isAllowed(token, name))
    throw new Fault('model.unknown', { hint: `Model: ${name.slice(0, 200)}.` })
  const model = toListedModel(app, token, name, await ownersByModel(app).get())
  writeJson(context, formats[chatDialect(context).id].one(model))
}

const isAllowed = ({ models }: CachedToken, model: string) => models?.has(model) ?? true

const toListedModel = (
  app: App,
  { caller }: CachedToken,
  id: string,
  owners: ReadonlyMap<string, string>,
): ListedModel => ({
  id,
  owner: owners.get(id) || 'unknown',
  pricing: pricingOf(app, id, caller.group),
})

const modelIn = (path: string) => {
  const name = path.slice(path.indexOf('/models/') + '/models/'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    throw new Fault('request.invalid', { hint: 'The name of the model cannot be read.' })
  }
}
