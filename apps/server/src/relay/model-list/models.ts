import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import { listPricesAndOwners } from '../../db/queries/relay-channels.ts'
import { identify } from '../auth/identify.ts'
import { type CachedToken, groupCache, requireGroup } from '../auth/token-cache.ts'
import { findVirtualModel } from '../channels/virtual-models.ts'
import { chatDialect, type RequestContext } from '../context.ts'
import { writeJson } from '../response/write.ts'
import {
  describeVirtualModel,
  type ListedVirtualModel,
  listVirtualModels,
} from '../virtual-models/list.ts'
import { callableModels } from './callable.ts'
import { formats, type ListedModel } from './formats.ts'
import { pricingOf, pricingRangeOf } from './pricing.ts'

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

/** Lists the models that the token may call: those of its groups with a price, within its own list. */
export const listModelsHandler = async (app: App, context: RequestContext): Promise<void> => {
  const { token } = await identifyWithGroup(app, context)
  const callable = await callableModels(app, token.caller)
  const owners = await ownersByModel(app).get()
  const { group } = token.caller
  const virtual = (await listVirtualModels(app, group)).map(each => toListedVirtual(app, each))
  const names = new Set(virtual.map(each => each.id))
  const models = callable
    .names()
    .filter(each => !names.has(each))
    .map(each => toListedModel(app, callable.groupOf(each)!, each, owners))
    .concat(virtual)
    .filter(each => isAllowed(token, each.id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const query = new URLSearchParams(context.query)
  writeJson(context, formats[chatDialect(context).id].list(models, query))
}

export const showModelHandler = async (app: App, context: RequestContext): Promise<void> => {
  const { token } = await identifyWithGroup(app, context)
  const name = modelIn(context.path)
  const model = isAllowed(token, name) ? await findListed(app, token, name) : undefined
  if (!model) throw new Fault('model.unknown', { hint: `Model: ${name.slice(0, 200)}.` })
  writeJson(context, formats[chatDialect(context).id].one(model))
}

/** Undefined where the token may call neither a model nor a virtual model of this name. */
const findListed = async (
  app: App,
  token: CachedToken,
  name: string,
): Promise<ListedModel | undefined> => {
  const { group } = token.caller
  const virtual = findVirtualModel(app, name)
  if (virtual) {
    const described = await describeVirtualModel(app, virtual, group)
    return described && toListedVirtual(app, described)
  }
  const serving = (await callableModels(app, token.caller)).groupOf(name)
  return serving === undefined
    ? undefined
    : toListedModel(app, serving, name, await ownersByModel(app).get())
}

/** The gateway itself owns a virtual model, whose candidates are not shown. */
const toListedVirtual = (app: App, { name, prices }: ListedVirtualModel): ListedModel => ({
  ...{ id: name, owner: 'virtual' },
  ...pricingRangeOf(app, prices),
})

const isAllowed = ({ models }: CachedToken, model: string) => models?.has(model) ?? true

const toListedModel = (
  app: App,
  group: string,
  id: string,
  owners: ReadonlyMap<string, string>,
): ListedModel => ({
  id,
  owner: owners.get(id) || 'unknown',
  pricing: pricingOf(app, id, group),
})

const modelIn = (path: string) => {
  const name = path.slice(path.indexOf('/models/') + '/models/'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    throw new Fault('request.invalid', { hint: 'The name of the model cannot be read.' })
  }
}
