import type { MarginAttribute, MarginQuery, MarginReport, MarginRow } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { readCurrentCosts } from '../../core/usage/current-costs.ts'
import { namedDays, type PeriodDay } from '../../core/usage/period-days.ts'
import * as channels from '../../db/queries/channels.ts'
import { chunks } from '../../db/queries/chunks.ts'
import type { CostAttribute, CostFilter, CostSum } from '../../db/queries/cost-sums.ts'
import * as users from '../../db/queries/users.ts'
import {
  type Amounts,
  addTally,
  amountsOf,
  figuresOf,
  makeConverter,
  noTally,
  type Tally,
} from './tally.ts'

/** All of these are shown at once. */
const rowsMax = 1_000

/** The attributes of the sums that rows of a kind are parted by. */
const attributesOf: Record<MarginAttribute, readonly CostAttribute[]> = {
  day: [],
  channel: ['channel_id'],
  model: ['model'],
  user: ['user_id'],
  group: ['group_name'],
  key: ['user_id', 'token_name'],
}

/** The tally of one row before it has names. */
type Summed = Pick<CostSum, CostAttribute> & { day: string; tally: Tally; amounts: Amounts }

export const marginReport = async (app: App, query: MarginQuery): Promise<MarginReport> => {
  const { site, logs } = app.settings()
  const days = namedDays(query.from, query.to, site.TimeZone).filter(
    ({ begin }) => begin <= nowSeconds(app),
  )
  const by = [...new Set(query.by.flatMap(each => attributesOf[each]))]
  const costs = await readCurrentCosts(app, days, { by, filter: filterOf(query) })
  const converter = makeConverter(app)
  const rows = sumRows(costs.rows, { days, isByDay: query.by.includes('day'), converter })
  const summed = [...rows.values()].map(row => ({
    ...row,
    amounts: amountsOf(row.tally, site.QuotaPerUnit),
  }))
  const total = summed.reduce((sum, { tally }) => addTally(sum, tally), noTally)
  const shown = summed.toSorted(comparator(query)).slice(0, rowsMax)
  return {
    ...{ from: query.from, to: query.to, complete: costs.isComplete },
    logging: logs.LogConsumeEnabled,
    totals: figuresOf(total, amountsOf(total, site.QuotaPerUnit)),
    rows: await withNames(app, shown, by),
    left_off: summed.length - shown.length,
    rates: converter
      .used()
      .toSorted((a, b) => (`${a.currency}${a.day}` < `${b.currency}${b.day}` ? -1 : 1)),
  }
}

const filterOf = ({ channel, model, user, group, key }: MarginQuery): CostFilter => ({
  ...(channel !== undefined && { channel_id: channel }),
  ...(model !== undefined && { model }),
  ...(user !== undefined && { user_id: user }),
  ...(group !== undefined && { group_name: group }),
  ...(key !== undefined && { token_name: key }),
})

type Summing = {
  days: readonly PeriodDay[]
  isByDay: boolean
  converter: ReturnType<typeof makeConverter>
}

/** Adds up the costs of each row, after the conversion of each day. */
const sumRows = (costs: readonly CostSum[], { days, isByDay, converter }: Summing) => {
  const dayOf = new Map(days.map(day => [day.begin, day]))
  const rows = new Map<string, Omit<Summed, 'amounts'>>()
  for (const cost of costs) {
    const day = dayOf.get(cost.at)
    if (!day) continue
    const { channel_id, model, user_id, group_name, token_name } = cost
    const attributes = { channel_id, model, user_id, group_name, token_name }
    const row = { day: isByDay ? day.name : '', ...attributes }
    const name = JSON.stringify(Object.values(row))
    const tally = converter.tallyOf({ ...cost, day: day.name })
    rows.set(name, { ...row, tally: addTally(rows.get(name)?.tally ?? noTally, tally) })
  }
  return rows
}

const comparator = ({ sort, order }: MarginQuery) => {
  const sign = order === 'asc' ? -1 : 1
  const sortValue = ({ day, tally, amounts }: Summed): bigint | string => {
    switch (sort) {
      case 'day':
        return day
      case 'calls':
        return tally.calls
      case 'cost':
        return tally.cost
      case 'revenue':
        return amounts.revenue
      case 'margin':
        return amounts.margin
      case 'margin_percent':
        // Without any known revenue a cost is the worst of all.
        return amounts.percent ?? (tally.cost > 0n ? -(10n ** 30n) : 10n ** 30n)
    }
  }
  return (a: Summed, b: Summed): number => {
    const [first, second] = [sortValue(a), sortValue(b)]
    if (first !== second) return first < second ? sign : -sign
    return a.amounts.revenue > b.amounts.revenue ? -1 : 1
  }
}

const withNames = async (
  app: App,
  rows: readonly Summed[],
  by: readonly CostAttribute[],
): Promise<MarginRow[]> => {
  const channelName = await namesOf(
    by.includes('channel_id') ? rows.map(r => r.channel_id) : [],
    ids => channels.listNames(app.db, ids),
  )
  const userName = await namesOf(by.includes('user_id') ? rows.map(r => r.user_id) : [], ids =>
    users.listNames(app.db, ids),
  )
  return rows.map(({ tally, amounts, day, model, ...row }) => ({
    ...{ day, channel_id: row.channel_id, channel: channelName(row.channel_id), model },
    ...{ user_id: row.user_id, user: userName(row.user_id), group: row.group_name },
    key: row.token_name,
    ...figuresOf(tally, amounts),
  }))
}

type NameOfId = { id: number; name: string }

/** Finds the names of ids. One that was deleted for good has its id, and 0 none. */
const namesOf = async (ids: readonly number[], list: (ids: number[]) => Promise<NameOfId[]>) => {
  const names = new Map<number, string>()
  for (const part of chunks([...new Set(ids)].filter(id => id !== 0)))
    for (const { id, name } of await list(part)) names.set(id, name)
  return (id: number) => names.get(id) ?? (id === 0 ? '' : `#${id}`)
}
