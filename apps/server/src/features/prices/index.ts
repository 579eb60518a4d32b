import { contract, Fault, type Price, type SyncMode } from '@hub/contract'
import { builtInPrices } from '../../billing/prices/built-in.ts'
import { columnsOf } from '../../billing/prices/columns.ts'
import { withDefaultModes } from '../../billing/prices/default-modes.ts'
import { writePrices } from '../../billing/prices/write-prices.ts'
import type { App } from '../../core/app.ts'
import { type Handlers, implement, type SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as channels from '../../db/queries/channels.ts'
import * as undoRows from '../../db/queries/price-undo.ts'
import * as rows from '../../db/queries/prices.ts'
import { fetchList } from '../../relay/upstream/fetch-text.ts'
import { auditedPrices } from './audited.ts'
import { waitingChanges } from './auto-update.ts'
import { applyList, removeMultiple, setMultiple, undo } from './bulk.ts'
import { planSync, toPricePlan } from './plan.ts'
import { readPriceList } from './read-with-owners.ts'
import { listScheduled, schedule, unschedule } from './schedule.ts'
import { suggestPrices } from './suggest.ts'

const handlers: Handlers<typeof contract.prices.endpoints> = {
  list: async (app, caller, { type }) => {
    if (!caller && !app.settings().site.PublicPricesEnabled) throw new Fault('session.missing')
    return type === 'default'
      ? builtInPrices().map(rows.asPrice)
      : (await rows.listAll(app.db)).map(row => withDefaultModes(rows.asPrice(row)))
  },
  models: async app => {
    const priced = (await rows.listAll(app.db)).map(price => price.model)
    const offered = (await channels.listOffers(app.db)).flatMap(({ models }) => models.split(','))
    return [...new Set([...priced, ...offered])].sort()
  },
  create: (app, caller, price) =>
    changePrice(app, caller, price.model, async tx => {
      if (!(await rows.insert(tx, columnsOf(price)))) throw new Fault('resource.exists')
    }),
  update: (app, caller, { name, ...price }) =>
    changePrice(app, caller, price.model, async tx => {
      const isTaken = name !== price.model && (await rows.find(tx, price.model)) !== undefined
      if (isTaken) throw new Fault('resource.exists')
      if (!(await rows.update(tx, name, columnsOf(price)))) throw new Fault('resource.missing')
    }),
  remove: async (app, caller, { name }) => {
    await writePrices(app, caller, async tx => {
      if (!(await rows.remove(tx, name))) throw new Fault('resource.missing')
    })
    return null
  },
  multiple: (app, caller, input) => setMultiple(app, caller, input).then(toNull),
  removeMultiple: (app, caller, { models }) => removeMultiple(app, caller, models).then(toNull),
  source: app => app.settings().money.UpdatePriceService,
  read: async (app, _caller, { address, text }) =>
    readPriceList(app, address === undefined ? text! : await fetchList(app, address)),
  suggest: (app, _caller, input) => suggestPrices(app, input),
  preview: async (app, _caller, { mode, prices }) =>
    toPricePlan(planSync(await rows.listAll(app.db), prices.map(columnsOf), mode)),
  sync: async (app, caller, { updateMode, ...list }) => {
    const mode: SyncMode = updateMode === 'system' ? 'add' : updateMode
    return toPricePlan(await applyList(app, caller, mode, list))
  },
  waiting: app => waitingChanges(app),
  lastChange: async app => {
    const last = await undoRows.find(app.db)
    if (!last) return null
    const { at, actor_name } = last
    const models = [...JSON.parse(last.before), ...JSON.parse(last.after)].map(row => row.model)
    return { at, actor_name, what: last.what as SyncMode, count: new Set(models).size }
  },
  undo: (app, caller) => undo(app, caller).then(toNull),
  scheduled: app => listScheduled(app),
  schedule: (app, caller, input) => schedule(app, caller, input).then(toNull),
  unschedule: (app, _caller, { model, at }) => unschedule(app, model, at).then(toNull),
}

export const prices = implement(contract.prices, handlers, auditedPrices)

const toNull = () => null

const changePrice = async (
  app: App,
  caller: SignedInUser,
  model: string,
  work: (tx: Database) => Promise<void>,
): Promise<Price> => {
  await writePrices(app, caller, work)
  const price = await rows.find(app.db, model)
  if (!price) throw new Fault('resource.missing')
  return rows.asPrice(price)
}
