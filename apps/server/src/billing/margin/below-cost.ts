import { createHash } from 'node:crypto'
import type { MarginRow, Problem } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import * as failures from '../../db/queries/service-failures.ts'
import { parseDecimal, powerOfTen, rescale } from '../../lib/decimal.ts'
import { makeCalendar, makeDayFormatter } from '../../lib/time/calendar.ts'
import { formatCost } from '../costs/call-cost.ts'
import { costDigits } from '../costs/cost-terms.ts'
import { marginReport } from './report.ts'

export const belowCostDays = 7
/** Smaller losses are left alone: a cent in the days that are looked at. */
const lossMin = powerOfTen(costDigits) / 100n
const problemsMax = 5
/** Models that were reported have a row of this name among the failing services until they recover. */
const noted = 'below_cost'

export type BelowCost = { row: MarginRow; loss: string }

/** The models of channels that cost more in the last days than users were charged for them, the largest loss first. */
export const findBelowCost = async (app: App): Promise<BelowCost[]> => {
  const { TimeZone } = app.settings().site
  const calendar = makeCalendar(TimeZone)
  const dayOf = makeDayFormatter(TimeZone)
  let { begin } = calendar.day(nowSeconds(app))
  for (let day = 1; day < belowCostDays; day += 1) ({ begin } = calendar.day(begin - 1))
  const { rows } = await marginReport(app, {
    ...{ from: dayOf(begin), to: dayOf(nowSeconds(app)) },
    ...{ by: ['model', 'channel'], sort: 'margin', order: 'asc' },
  })
  return rows.flatMap(row => {
    const loss = -rescale(parseDecimal(row.margin)!, costDigits)
    return row.calls > 0 && loss >= lossMin ? [{ row, loss: formatCost(loss) }] : []
  })
}

/** For administrators: `id` is the channel, `name` the model, and `detail` the loss in US dollars. */
export const belowCostProblems = async (app: App): Promise<Problem[]> =>
  (await findBelowCost(app)).slice(0, problemsMax).map(({ row, loss }) => ({
    ...{ kind: 'below_cost', id: row.channel_id, name: row.model, keys: [row.channel] },
    ...{ code: '', detail: dollars(loss), since: 0, failures: 0 },
  }))

/** Reports each model once until none of its channels loses any more. */
export const reportBelowCost = async (app: App): Promise<void> => {
  const { db } = app
  const models = Map.groupBy(await findBelowCost(app), ({ row }) => row.model)
  const known = (await failures.listAll(db)).filter(({ service }) => service === noted)
  for (const { subject, detail } of known)
    if (!models.has(detail)) await failures.remove(db, { service: noted, subject })
  for (const [model, [worst]] of models) {
    if (!worst || known.some(({ detail }) => detail === model)) continue
    const now = nowSeconds(app)
    const row = { service: noted, subject: subjectOf(model), code: '', detail: model, now }
    const { since } = await failures.add(db, row)
    await emit(app, db, {
      event: 'model.below_cost',
      key: `model.below_cost:${model}:${since}`,
      userIds: [administrators],
      facts: {
        ...{ model, channel: worst.row.channel, days: belowCostDays, loss: dollars(worst.loss) },
        ...{ revenue: dollars(worst.row.revenue), cost: dollars(worst.row.cost) },
      },
    })
  }
}

/** 13 hexadecimal digits are a safe integer. */
const subjectOf = (model: string): number =>
  Number.parseInt(createHash('sha256').update(model).digest('hex').slice(0, 13), 16)

const dollars = (amount: string): string => Number(amount).toFixed(2)
