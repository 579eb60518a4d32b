import type { Price } from '@hub/contract'
import { builtInPrices } from '../../billing/prices/built-in.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import { emit } from '../../core/notifications/emit.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import { asPrice } from '../../db/queries/prices.ts'
import { sha256 } from '../../lib/random.ts'
import { fetchList } from '../../relay/upstream/fetch-text.ts'
import { applyList } from './bulk.ts'
import { type PlannedChange, percent } from './plan.ts'
import { readPriceList } from './read-with-owners.ts'

const lastKey = 'prices:last-update'
const waitingKey = 'prices:waiting'
const daySeconds = 86_400

/**
 * Updates the prices when the interval is over: from the list of the settings, or without an address from the shipped one.
 * Idempotent: a second run changes nothing.
 */
export const updatePricesIfDue = async (app: App): Promise<void> => {
  const { priceUpdates, money } = app.settings()
  const minutes = priceUpdates.AutoPriceUpdateMinutes
  if (minutes === 0) return
  const now = nowSeconds(app)
  const last = await app.state.recall(lastKey)
  if (last !== undefined && now - Number(last) < minutes * 60) return
  // A list that cannot be read is asked for again after the interval, not every minute.
  await app.state.remember(lastKey, String(now), minutes * 60 + daySeconds)
  const prices = await readDueList(app, money.UpdatePriceService)
  const max = priceUpdates.AutoPriceUpdateApprovalPercent
  const isAllowed = (change: PlannedChange) => isSmall(change, max)
  const plan = await applyList(app, 'system', priceUpdates.AutoPriceUpdateMode, {
    prices,
    isAllowed,
  })
  const models = plan.changes.filter(each => !isAllowed(each)).map(each => each.model)
  if (models.length > 0) {
    app.log.warn({ models }, 'price changes wait for an administrator')
    await emitWaiting(app, models)
  }
  await app.state.remember(waitingKey, JSON.stringify({ at: now, models }), 30 * daySeconds)
}

const readDueList = async (app: App, address: string): Promise<Price[]> => {
  if (address === '') return builtInPrices().map(asPrice)
  try {
    const { prices } = await readPriceList(app, await fetchList(app, address))
    await reportSuccess(app, { service: 'price_list' })
    return prices
  } catch (error) {
    await reportFailure(app, { service: 'price_list' }, error)
    throw error
  }
}

const modelsShown = 20

/** Once per set of models: the same changes are found at each update until they are approved. */
const emitWaiting = (app: App, models: readonly string[]) => {
  const rest = models.length > modelsShown ? ', …' : ''
  return emit(app, app.db, {
    event: 'price.waiting',
    key: `price.waiting:${sha256(JSON.stringify(models.toSorted())).slice(0, 32)}`,
    userIds: [administrators],
    facts: { count: models.length, models: models.slice(0, modelsShown).join(', ') + rest },
  })
}

export const waitingChanges = async (
  app: App,
): Promise<{ at: number; models: string[] } | null> => {
  const text = await app.state.recall(waitingKey)
  const waiting = text === undefined ? null : (JSON.parse(text) as { at: number; models: string[] })
  return waiting && waiting.models.length > 0 ? waiting : null
}

/** New prices are added without approval; a price that disappears, changes its kind or an extra never is. */
const isSmall = ({ before, after }: PlannedChange, max: number): boolean => {
  if (!before) return true
  if (!after || before.type !== after.type || otherPartsOf(before) !== otherPartsOf(after))
    return false
  return [percent(before.input, after.input), percent(before.output, after.output)].every(
    each => each !== null && Math.abs(each) <= max,
  )
}

const otherPartsOf = (row: NonNullable<PlannedChange['before']>): string => {
  const { extra_ratios, tiers, tool_prices } = asPrice(row)
  return JSON.stringify([extra_ratios, tiers, tool_prices])
}
