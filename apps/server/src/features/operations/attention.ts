import type { AttentionReason, OperationsAttention } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { readCurrentUsage } from '../../core/usage/current-usage.ts'
import { quarterOf } from '../../core/usage/store-sums.ts'
import { listHealth } from '../../db/queries/channels.ts'
import { daySeconds, type UsageFigures } from '../../db/queries/usage-sums.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { type Cooldown, runningCooldown } from '../../relay/routing/cooldown.ts'

const channelsMax = 20
const codesMax = 10
const modelsMax = 5
/** In the currency of the vendor. A balance that was never read is not low. */
const lowBalance = 5

export const attention = async (app: App): Promise<OperationsAttention> => {
  const now = nowSeconds(app)
  const since = quarterOf(now - daySeconds)
  const { byId } = await channelIndex(app).get()
  const rows = await listHealth(app.db)
  const channels = rows.flatMap(row => {
    const channel = byId.get(row.id)
    const reasons = reasonsOf(row, channel && runningCooldown(app, channel))
    return reasons.length > 0 ? [{ id: row.id, name: row.name, reasons }] : []
  })
  const usage = await readCurrentUsage(app, since)
  return {
    channels: channels
      .toSorted((a, b) => severityOf(a.reasons) - severityOf(b.reasons) || a.id - b.id)
      .slice(0, channelsMax),
    channel_count: channels.length,
    disabled_by_hand: rows.filter(({ status }) => status === 2).length,
    errors_since: since,
    errors: mostFrequent(await usage.quarterHoursByKey('code', { begin: since, end: now + 1 })),
  }
}

type HealthRow = Awaited<ReturnType<typeof listHealth>>[number]

/** A channel that was disabled by hand needs nothing. */
const reasonsOf = (row: HealthRow, cooldown: Cooldown | undefined): AttentionReason[] => {
  const { status, status_reason, test_error, test_time, balance_currency } = row
  if (status === 2) return []
  const isLow = row.balance_updated_time > 0 && row.balance < lowBalance
  return [
    ...(status === 3 ? [{ kind: 'disabled' as const, detail: status_reason }] : []),
    ...(cooldown ? [cooldownReason(cooldown)] : []),
    ...(test_error && status === 1
      ? [{ kind: 'test' as const, detail: test_error, at: test_time }]
      : []),
    ...(isLow
      ? [{ kind: 'balance' as const, balance: row.balance, currency: balance_currency }]
      : []),
  ]
}

const cooldownReason = ({ models, milliseconds }: Cooldown): AttentionReason => ({
  kind: 'cooldown',
  models: models.slice(0, modelsMax),
  seconds: Math.ceil(milliseconds / 1_000),
})

const order = ['disabled', 'cooldown', 'test', 'balance'] as const
const severityOf = ([first]: readonly AttentionReason[]) => order.indexOf(first!.kind)

const mostFrequent = (codes: ReadonlyMap<string, UsageFigures>) =>
  [...codes]
    .map(([code, { failed }]) => ({ code, count: failed }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, codesMax)
