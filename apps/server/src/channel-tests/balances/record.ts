import { type AccountBalance, balanceWarningOf } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import type { Database } from '../../db/index.ts'
import * as balances from '../../db/queries/channel-balances.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import { recordBalance } from '../../db/queries/relay-channels.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { reportEmptyAccount } from '../../relay/channels/status.ts'
import { type BalanceReading, type Forecast, forecast, forecastSeconds } from './forecast.ts'
import { type BalanceLimits, levelOf, warningOf } from './warning.ts'

/** A balance that stays the same gets a row after this time. */
const unchangedSeconds = 3_600
/** The forecast needs no more readings than these of a week. */
const sampleSeconds = 900

type RecordedChannel = Pick<Channel, 'id' | 'name' | 'options'>

/**
 * Records a reading with its forecast. Administrators are notified once when the balance becomes low and once when it is
 * empty, and again after it has recovered. The channel is written first: that locks its row, so that of two nodes the
 * second sees what the first has notified of.
 */
export const recordReading = (
  app: App,
  channel: RecordedChannel,
  balance: AccountBalance,
): Promise<void> =>
  app.db.transaction().execute(async tx => {
    const at = nowSeconds(app)
    const { id } = channel
    const { amount, currency } = balance
    await recordBalance(tx, id, { at, amount: Number(amount), currency })
    const reading: BalanceReading = { at, ...balance }
    const last = await balances.findLast(tx, id)
    if (!last || needsRow(last, reading)) await balances.append(tx, { channel_id: id, ...reading })
    await updateState(app, tx, channel, reading)
  })

/** A node whose clock is late adds no row before those that exist. */
const needsRow = (last: BalanceReading, reading: BalanceReading): boolean =>
  reading.at >= last.at &&
  (last.amount !== reading.amount ||
    last.currency !== reading.currency ||
    last.kind !== reading.kind ||
    reading.at - last.at >= unchangedSeconds)

/** Until when this reading lasts, by those of the week before it. */
export const readForecast = async (
  db: Database,
  id: number,
  reading: BalanceReading,
): Promise<Forecast> => {
  const sample = { since: reading.at - forecastSeconds, step: sampleSeconds }
  const earlier = (await balances.listSampled(db, [id], sample)).filter(
    each => each.at < reading.at,
  )
  return forecast([...earlier, reading])
}

const updateState = async (
  app: App,
  tx: Database,
  channel: RecordedChannel,
  reading: BalanceReading,
): Promise<void> => {
  const { id } = channel
  const { at, kind } = reading
  const { until } = await readForecast(tx, id, reading)
  const before = await balances.findState(tx, id)
  const limits = {
    below: balanceWarningOf(channel.options),
    days: app.settings().channels.BalanceWarningDays,
  }
  const balance = { amount: Number(reading.amount), kind, until }
  const warning = warningOf(balance, limits, { before: before?.warning ?? '', now: at })
  const notified = before?.notified ?? 0
  const level = levelOf(warning)
  await balances.storeState(tx, {
    ...{ channel_id: id, checked_at: at, lasts_until: until ?? 0, kind, warning },
    notified: level === 0 ? 0 : Math.max(level, notified),
  })
  if (level <= notified) return
  if (warning === 'empty')
    await reportEmptyAccount(app, channel, `balance ${reading.amount} ${reading.currency}`, tx)
  else await reportLow(app, tx, channel, { reading, warning, limits })
}

const reportLow = (
  app: App,
  tx: Database,
  { id, name }: RecordedChannel,
  { reading, warning, limits }: { reading: BalanceReading; warning: string; limits: BalanceLimits },
): Promise<void> =>
  emit(app, tx, {
    event: 'channel.balance',
    key: `channel.balance:${id}:${reading.at}`,
    userIds: [administrators],
    facts: {
      ...{ channel_id: id, channel: name, warning, days: limits.days, below: limits.below },
      ...{ amount: reading.amount, currency: reading.currency },
    },
  })
