import type { ChannelBalanceHistory, ChannelBalances } from '@hub/contract'
import { balanceWarningOf, providerOf } from '@hub/providers'
import { hasBalance, readForecast } from '../../../channel-tests/index.ts'
import { type App, nowSeconds } from '../../../core/app.ts'
import * as balances from '../../../db/queries/channel-balances.ts'
import type { ChannelBalanceStatesTable } from '../../../db/tables/channel-balances.ts'
import { getChannel } from '../channel.ts'

const daySeconds = 86_400
const weekSeconds = 7 * daySeconds
/** As the contract says. */
const weekPoints = 28
const historyPoints = 180

type BalanceState = Pick<ChannelBalanceHistory, 'kind' | 'until' | 'warning'>

/** The tables have no other kinds and warnings than the contract. */
const stateOf = (row: ChannelBalanceStatesTable | undefined): BalanceState => ({
  kind: (row?.kind ?? '') as BalanceState['kind'],
  until: row?.lasts_until || null,
  warning: (row?.warning ?? '') as BalanceState['warning'],
})

/** Reads the last week of several channels for their list. */
export const readBalances = async (app: App, ids: readonly number[]): Promise<ChannelBalances> => {
  const sample = { since: nowSeconds(app) - weekSeconds, step: weekSeconds / weekPoints }
  const readings = Map.groupBy(
    await balances.listSampled(app.db, ids, sample),
    each => each.channel_id,
  )
  const states = await balances.listStates(app.db)
  const channels = ids.map(id => {
    const own = readings.get(id) ?? []
    const points = own.slice(-weekPoints).map(({ amount }) => Number(amount))
    return { id, points, ...stateOf(states.get(id)) }
  })
  return { channels }
}

export const readBalanceHistory = async (
  app: App,
  { id, days }: { id: number; days: number },
): Promise<ChannelBalanceHistory> => {
  const row = await getChannel(app.db, id)
  const seconds = days * daySeconds
  const sample = { since: nowSeconds(app) - seconds, step: seconds / historyPoints }
  const readings = await balances.listSampled(app.db, [id], sample)
  const last = await balances.findLast(app.db, id)
  const state = await balances.findState(app.db, id)
  return {
    is_offered: hasBalance(providerOf(row.type), { baseUrl: row.base_url }),
    checked_at: state?.checked_at ?? 0,
    ...stateOf(state),
    per_day: last ? (await readForecast(app.db, id, last)).perDay : null,
    below: balanceWarningOf(JSON.parse(row.plugin || '{}')),
    readings: readings.slice(-historyPoints).map(({ channel_id, kind, ...reading }) => ({
      ...reading,
      kind: kind as BalanceState['kind'],
    })),
  }
}
