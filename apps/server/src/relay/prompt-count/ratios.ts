import { usualRatioOf } from '@hub/dialects/prompt-count'
import { type App, nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { answerInTime } from '../../core/timers.ts'
import * as promptRatios from '../../db/queries/prompt-ratios.ts'
import { type Lru, makeLru } from '../../lib/lru.ts'

/**
 * The vendor's count of a model's texts by ours. It is the median over users, one figure of each, so that nobody's
 * calls weigh more than another's; a caller's own figure does not count for him.
 */
export const ratioOf = async (app: App, model: string, userId: number): Promise<number> => {
  const rows = await figuresOf(app, model)
  const usual = usualRatioOf(model)
  const others = rows.filter(each => each.user_id !== userId)
  const isShared = others.length >= othersMin
  const known = isShared ? others : rows
  if (known.length === 0) return usual
  const bound = isShared ? sharedBound : ownBound
  return Math.min(usual * bound, Math.max(usual / bound, medianOf(known)))
}

/** So many other users make a figure that no caller bends for himself. */
const othersMin = 3
const sharedBound = 2
/** Fewer users, the caller among them, move the ratio by this at most. */
const ownBound = 1.2

const medianOf = (rows: readonly promptRatios.PromptRatio[]): number => {
  const sorted = rows.map(each => each.permille).toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
  return median / 1_000
}

type Figures = { rows: readonly promptRatios.PromptRatio[]; readAt: number }

const modelsMax = 2_000
/** Other nodes write figures too. */
const keptMs = 60_000
const figures = appScoped((): Lru<string, Figures> => makeLru(modelsMax))

const figuresOf = async (app: App, model: string): Promise<Figures['rows']> => {
  const known = figures(app).get(model)
  if (known && app.monotonic() - known.readAt < keptMs) return known.rows
  const rows = await answerInTime(app, promptRatios.list(app.callDb, model))
  if (!rows) return known?.rows ?? []
  figures(app).set(model, { rows, readAt: app.monotonic() })
  return rows
}

/** A user's figure is renewed after this. */
const freshSeconds = 3_600

export const hasFreshFigure = async (app: App, model: string, userId: number): Promise<boolean> => {
  const rows = await figuresOf(app, model)
  const own = rows.find(each => each.user_id === userId)
  return own !== undefined && own.counted_at > nowSeconds(app) - freshSeconds
}

/** A figure beyond these is an error of one side, and none of the tokenizer. */
const permilleMin = 250
const permilleMax = 4_000

export const saveFigure = async (
  app: App,
  { model, userId, ratio }: { model: string; userId: number; ratio: number },
): Promise<void> => {
  const permille = Math.round(ratio * 1_000)
  const isPlausible = permille >= permilleMin && permille <= permilleMax
  if (!isPlausible) return
  await promptRatios.save(app.callDb, {
    ...{ model, user_id: userId, permille },
    counted_at: nowSeconds(app),
  })
  figures(app).delete(model)
}
