import { Fault, type Price, type SyncMode } from '@hub/contract'
import { columnsOf } from '../../billing/prices/columns.ts'
import type { App } from '../../core/app.ts'
import type { SignedIn } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as undoRows from '../../db/queries/price-undo.ts'
import * as rows from '../../db/queries/prices.ts'
import type { PricesTable } from '../../db/tables/trade.ts'
import { type Change, isSame, type Plan, planSync } from './plan.ts'
import { writing } from './writing.ts'

type What = 'multiple' | 'delete' | SyncMode

/** Applies a list. With a digest only what its preview showed: anything else in between is refused. */
export const sync = (
  app: App,
  caller: SignedIn,
  mode: SyncMode,
  { prices, digest }: { prices: Price[]; digest?: string | undefined },
): Promise<Plan> =>
  writing(app, async tx => {
    const plan = planSync(await rows.all(tx), prices.map(columnsOf), mode)
    if (digest !== undefined && digest !== plan.digest) throw new Fault('price.changed')
    await write(app, tx, caller, mode, plan.changes)
    return plan
  })

type Multiple = { original_models: string[]; models: string[]; price: Price }

/** One price for many models. What an administrator names is changed, locked or not. */
export const setMultiple = (app: App, caller: SignedIn, asked: Multiple): Promise<void> =>
  writing(app, async tx => {
    const stored = await storedByModel(tx)
    const originals = new Set(asked.original_models)
    const columns = columnsOf(asked.price)
    const taken = asked.models.find(model => stored.has(model) && !originals.has(model))
    if (taken) throw new Fault('resource.exists', { hint: `Model: ${taken}.` })
    const kept = new Set(asked.models)
    const changes: Change[] = [...kept].map(model => ({
      model,
      ...foundAs(stored.get(model)),
      after: { ...columns, model },
    }))
    for (const model of originals)
      if (!kept.has(model)) changes.push({ model, ...foundAs(stored.get(model)) })
    await write(app, tx, caller, 'multiple', changes)
  })

export const removeMultiple = (app: App, caller: SignedIn, models: string[]): Promise<void> =>
  writing(app, async tx => {
    const stored = await storedByModel(tx)
    const missing = models.find(model => !stored.has(model))
    if (missing) throw new Fault('resource.missing', { hint: `Model: ${missing}.` })
    const changes = models.map(model => ({ model, ...foundAs(stored.get(model)) }))
    await write(app, tx, caller, 'delete', changes)
  })

/** Puts back what the last change of many found. Refused where a price of it is not as that change left it. */
export const undo = (app: App): Promise<void> =>
  writing(app, async tx => {
    const last = await undoRows.take(tx)
    if (!last) throw new Fault('resource.missing')
    const [before, after] = [listOf(last.before), listOf(last.after)]
    const stored = await storedByModel(tx)
    const left = new Map(after.map(row => [row.model, row]))
    const models = new Set([...before, ...after].map(row => row.model))
    const touched = [...models].find(model => !isSame(stored.get(model), left.get(model)))
    if (touched) throw new Fault('price.changed', { hint: `Model: ${touched}.` })
    await rows.removeAll(tx, [...models])
    await rows.put(tx, before)
  })

/** Writes the changes, and what they found, so that they can be taken back. */
const write = async (app: App, tx: Database, caller: SignedIn, what: What, all: Change[]) => {
  const changes = all.filter(({ before, after }) => !isSame(before, after))
  if (changes.length === 0) return
  const before = changes.flatMap(each => each.before ?? [])
  const after = changes.flatMap(each => each.after ?? [])
  const left = new Set(after.map(row => row.model))
  await rows.removeAll(
    tx,
    before.map(row => row.model).filter(model => !left.has(model)),
  )
  await rows.put(tx, after)
  await undoRows.remember(tx, {
    at: Math.floor(app.now() / 1000),
    actor_name: caller.username,
    what,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  })
}

const storedByModel = async (tx: Database) =>
  new Map((await rows.all(tx)).map(row => [row.model, row]))

const listOf = (text: string) => JSON.parse(text) as PricesTable[]

const foundAs = (row: PricesTable | undefined): Pick<Change, 'before'> =>
  row ? { before: row } : {}
