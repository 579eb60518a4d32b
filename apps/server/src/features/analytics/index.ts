import {
  type AnalyticsFigures,
  type AnalyticsPeriod,
  type AnalyticsTotals,
  contract,
  minorDigits,
} from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import { dayNames, daysOf, type PeriodDay, rangeOf } from '../../core/usage/period-days.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import * as totals from '../../db/queries/site-totals.ts'
import { csvFile } from '../../lib/csv.ts'
import { compareUsers } from './compare-users.ts'
import { comparedCsv, seriesCsv } from './csv.ts'
import { dailySeries } from './series.ts'

export const analytics = implement(contract.analytics, {
  statistics: app => siteTotals(app),
  period: (app, _caller, period) => figuresOf(app, period),
  export: async (app, _caller, period) => {
    const days = periodDays(app, period)
    const { rows } = await dailySeries(app, period, days)
    return csvFile(`analytics_${days[0]?.name}_${days.at(-1)?.name}`, seriesCsv(rows))
  },
  users: (app, _caller, period) => compareUsers(app, period),
  exportUsers: async (app, _caller, period) => {
    const { data } = await compareUsers(app, period)
    const name = `multi_user_stats_${period.start_time}_${period.end_time}`
    return csvFile(name, comparedCsv(data))
  },
})

/** The days up to today. */
const periodDays = (app: App, { start_timestamp, end_timestamp }: AnalyticsPeriod): PeriodDay[] => {
  const last = Math.min(end_timestamp, nowSeconds(app))
  return daysOf(Math.min(start_timestamp, last), last, app.settings().site.TimeZone)
}

const inUnits = (minor: number, currency: string) => minor / 10 ** minorDigits(currency)

const siteTotals = async (app: App): Promise<AnalyticsTotals> => {
  const { users, channels, redemptions, orders } = await withDeadline(app.db, async db => ({
    users: await totals.sumUsers(db),
    channels: await totals.countChannels(db),
    redemptions: await totals.sumRedemptions(db),
    orders: await totals.sumOrders(db),
  }))
  return {
    user_statistics: {
      total_quota: users.balance,
      total_used_quota: users.used,
      total_user: users.users,
      total_inviter_user: users.invited,
    },
    channel_statistics: channels.map(({ status, channels: count }) => ({
      ...{ status, total_channels: count },
    })),
    // Disabled codes (2) can bring nothing.
    redemption_statistic: redemptions
      .filter(({ status }) => status !== 2)
      .map(({ status, codes, points }) => ({ status, count: codes, quota: points })),
    order_statistics: orders.map(({ currency, points, paid }) => ({
      ...{ order_currency: currency, quota: points, money: inUnits(paid, currency) },
    })),
  }
}

const figuresOf = async (app: App, period: AnalyticsPeriod): Promise<AnalyticsFigures> => {
  const days = periodDays(app, period)
  const range = rangeOf(days)
  const dayOf = dayNames(days)
  const { rows, isComplete } = await dailySeries(app, period, days)
  const { signUps, redeemed, orders } = await withDeadline(app.db, async db => ({
    signUps: await totals.listSignUps(db, range),
    redeemed: await totals.listRedeemed(db, range),
    orders: await totals.listCreditedOrders(db, range),
  }))
  return {
    days: days.map(({ name }) => name),
    complete: isComplete,
    channel_statistics: rows,
    user_statistics: byDay(signUps, each => dayOf(each.at)).map(([date, each]) => ({
      date,
      user_count: sum(each, ({ users }) => users),
      inviter_user_count: sum(each, ({ users, isInvited }) => (isInvited ? users : 0)),
    })),
    redemption_statistics: byDay(redeemed, each => dayOf(each.at)).map(([date, each]) => ({
      date,
      quota: sum(each, ({ points }) => points),
      user_count: new Set(each.map(({ userId }) => userId)).size,
    })),
    order_statistics: byDay(orders, each => `${dayOf(each.at)} ${each.currency}`).map(
      ([name, each]) => {
        const [date = '', order_currency = ''] = name.split(' ')
        const paid = sum(each, row => row.paid)
        const quota = sum(each, ({ points }) => points)
        return { date, order_currency, order_amount: inUnits(paid, order_currency), quota }
      },
    ),
  }
}

const byDay = <T>(rows: readonly T[], nameOf: (row: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>()
  for (const row of rows) groups.set(nameOf(row), [...(groups.get(nameOf(row)) ?? []), row])
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const sum = <T>(rows: readonly T[], numberOf: (row: T) => number): number =>
  rows.reduce((total, row) => total + numberOf(row), 0)
