import { Fault, type Price, type SyncMode } from '@hub/contract'
import { columnsOf } from '../../billing/prices/columns.ts'
import { type PriceWriter, writePrices } from '../../billing/prices/write-prices.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as undoRows from '../../db/queries/price-undo.ts'
import * as rows from '../../db/queries/prices.ts'
import type { PricesTable } from '../../db/tables/prices.ts'
import { isSame, type Plan, type PlannedChange, planSync } from './plan.ts'

type BulkAction = 'multiple' | 'delete' | SyncMode

type ListToApply = {
  prices: Price[]
  digest?: string | undefined
  /** Other changes are planned, but not written. */
  isAllowed?: (change: PlannedChange) => boolean
}

/** Applies a price list. With a digest, it refuses when the plan differs from the one that the preview showed. */
export const applyList = (
  app: App,
  writer: PriceWriter,
  mode: SyncMode,
  { prices, digest, isAllowed = () => true }: ListToApply,
): Promise<Plan> =>
  writePrices(app, writer, async tx => {
    const plan = planSync(await rows.listAll(tx), prices.map(columnsOf), mode)
    if (digest !== undefined && digest !== plan.digest) throw new Fault('price.changed')
    const actor = writer === 'system' ? writer : writer.username
    await writeChanges(app, tx, actor, mode, plan.changes.filter(isAllowed))
    return plan
  })

type PriceForMany = { original_models: string[]; models: string[]; price: Price }

/** Sets one price for many models. Models that the administrator names are changed even when locked. */
export const setMultiple = (app: App, caller: SignedInUser, input: PriceForMany): Promise<void> =>
  writePrices(app, caller, async tx => {
    const stored = await storedByModel(tx)
    const originals = new Set(input.original_models)
    const columns = columnsOf(input.price)
    const taken = input.models.find(model => stored.has(model) && !originals.has(model))
    if (taken) throw new Fault('resource.exists', { hint: `Model: ${taken}.` })
    const named = new Set(input.models)
    const changes: PlannedChange[] = [...named].map(model => ({
      model,
      ...beforeState(stored.get(model)),
      after: { ...columns, model },
    }))
    for (const model of originals)
      if (!named.has(model)) changes.push({ model, ...beforeState(stored.get(model)) })
    await writeChanges(app, tx, caller.username, 'multiple', changes)
  })

export const removeMultiple = (app: App, caller: SignedInUser, models: string[]): Promise<void> =>
  writePrices(app, caller, async tx => {
    const stored = await storedByModel(tx)
    const missing = models.find(model => !stored.has(model))
    if (missing) throw new Fault('resource.missing', { hint: `Model: ${missing}.` })
    const changes = models.map(model => ({ model, ...beforeState(stored.get(model)) }))
    await writeChanges(app, tx, caller.username, 'delete', changes)
  })

/** Restores the prices before the last bulk change. Throws when one of them has changed since. */
export const undo = (app: App, caller: SignedInUser): Promise<void> =>
  writePrices(app, caller, async tx => {
    const last = await undoRows.take(tx)
    if (!last) throw new Fault('resource.missing')
    const [before, after] = [parseRows(last.before), parseRows(last.after)]
    const stored = await storedByModel(tx)
    const left = new Map(after.map(row => [row.model, row]))
    const models = new Set([...before, ...after].map(row => row.model))
    const changedSince = [...models].find(model => !isSame(stored.get(model), left.get(model)))
    if (changedSince) throw new Fault('price.changed', { hint: `Model: ${changedSince}.` })
    await rows.removeAll(tx, [...models])
    await rows.upsert(tx, before)
  })

/** Writes the changes together with the previous rows, so that they can be undone. */
const writeChanges = async (
  app: App,
  tx: Database,
  actor: string,
  action: BulkAction,
  all: PlannedChange[],
) => {
  const changes = all.filter(({ before, after }) => !isSame(before, after))
  if (changes.length === 0) return
  const before = changes.flatMap(each => each.before ?? [])
  const after = changes.flatMap(each => each.after ?? [])
  const left = new Set(after.map(row => row.model))
  await rows.removeAll(
    tx,
    before.map(row => row.model).filter(model => !left.has(model)),
  )
  await rows.upsert(tx, after)
  await undoRows.remember(tx, {
    at: nowSeconds(app),
    actor_name: actor,
    what: action,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  })
}

const storedByModel = async (tx: Database) =>
  new Map((await rows.listAll(tx)).map(row => [row.model, row]))

const parseRows = (text: string) => JSON.parse(text) as PricesTable[]

const beforeState = (row: PricesTable | undefined): Pick<PlannedChange, 'before'> =>
  row ? { before: row } : {}
