import { Fault } from '@hub/contract'
import type { Dialect } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { listModelOwners } from '../../db/queries/relay-channels.ts'
import type { KnownToken } from '../callers/token-book.ts'
import { findServing, listModels, roster } from '../channels/roster.ts'
import { type Exchange, writeJson } from '../exchange.ts'
import { identify } from '../identify.ts'
import { watched } from '../watched.ts'
import { pricingOf } from './pricing.ts'
import { type Listed, shapes } from './shapes.ts'

/** Owners by model name, from the price list. */
const ownerBook = watched(['prices', 'owners'], async app => {
  const { prices, owners } = await listModelOwners(app.db)
  const names = new Map(owners.map(each => [each.id, each.name]))
  return new Map(prices.map(each => [each.model, names.get(each.type) ?? '']))
})

/** What this key may use: the models of its group, within its own list. */
export const relayModels = async (app: App, exchange: Exchange, { id }: Dialect): Promise<void> => {
  const { token } = await identify(app, exchange)
  const known = await roster(app).get()
  const owners = await ownerBook(app).get()
  const models = listModels(known, token.caller.group)
    .filter(each => isAllowed(token, each))
    .map(each => listed(app, token, each, owners))
  writeJson(exchange, shapes[id].list(models, new URLSearchParams(exchange.query)))
}

export const relayModel = async (app: App, exchange: Exchange, { id }: Dialect): Promise<void> => {
  const { token } = await identify(app, exchange)
  const name = modelOf(exchange.path)
  const serving = findServing(await roster(app).get(), token.caller.group, name)
  if (!serving || !isAllowed(token, name))
    throw new Fault('model.unknown', { hint: `Model: ${name.slice(0, 200)}.` })
  writeJson(exchange, shapes[id].one(listed(app, token, name, await ownerBook(app).get())))
}

const isAllowed = ({ models }: KnownToken, model: string) => models?.has(model) ?? true

const listed = (
  app: App,
  { caller }: KnownToken,
  id: string,
  owners: ReadonlyMap<string, string>,
): Listed => ({
  id,
  owner: owners.get(id) || 'unknown',
  pricing: pricingOf(app, id, caller.group),
})

const modelOf = (path: string) => {
  const name = path.slice(path.indexOf('/models/') + '/models/'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    throw new Fault('request.invalid', { hint: 'The name of the model cannot be read.' })
  }
}
