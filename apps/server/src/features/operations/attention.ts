import { type AttentionReason, emptyAnswer, type OperationsAttention } from '@hub/contract'
import { balanceWarningOf } from '@hub/providers'
import { countProposals, findChange } from '../../channel-tests/index.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { type CurrentUsage, readCurrentUsage } from '../../core/usage/current-usage.ts'
import { readFailedAttempts } from '../../core/usage/failed-attempts.ts'
import { quarterOf } from '../../core/usage/store-sums.ts'
import * as balances from '../../db/queries/channel-balances.ts'
import { listHealth } from '../../db/queries/channels.ts'
import { listUnconfirmed } from '../../db/queries/upstream-ratios.ts'
import { daySeconds, type UsageFigures } from '../../db/queries/usage-sums.ts'
import type { ChannelBalanceStatesTable } from '../../db/tables/channel-balances.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { type Cooldown, runningCooldown } from '../../relay/routing/cooldown.ts'
import { findNewRules } from './new-rules.ts'
import { findProblems } from './problems.ts'

const channelsMax = 20
const codesMax = 10
const modelsMax = 5
const hourSeconds = 3_600
/** The least failures that tell something, and their least share of the attempts. */
const failuresMin = 3
const failingShare = 0.1
/** In the currency of the vendor, of a balance that nothing else judges. */
const lowBalance = 5

export const attention = async (app: App): Promise<OperationsAttention> => {
  const now = nowSeconds(app)
  const since = quarterOf(now - daySeconds)
  const { byId } = await channelIndex(app).get()
  const rows = await listHealth(app.db)
  const usage = await readCurrentUsage(app, since)
  const failing = await findFailing(app, usage)
  const upstream = await readUpstreamReasons(app)
  const balanceStates = await balances.listStates(app.db)
  const channels = rows.flatMap(row => {
    const channel = byId.get(row.id)
    const cooldown = channel && runningCooldown(app, channel)
    // A channel that was disabled by hand needs nothing.
    const noted = upstream.get(row.id) ?? []
    const found = { cooldown, failing: failing.get(row.id), balance: balanceStates.get(row.id) }
    const reasons = row.status === 2 ? [] : [...reasonsOf(row, found), ...noted]
    return reasons.length > 0 ? [{ id: row.id, name: row.name, reasons }] : []
  })
  return {
    problems: await findProblems(app),
    new_rules: await findNewRules(app, usage),
    channels: channels
      .toSorted((a, b) => severityOf(a.reasons) - severityOf(b.reasons) || a.id - b.id)
      .slice(0, channelsMax),
    channel_count: channels.length,
    disabled_by_hand: rows.filter(({ status }) => status === 2).length,
    errors_since: since,
    errors: mostFrequent(await usage.quarterHoursByKey('code', { begin: since, end: now + 1 })),
  }
}

/** Multipliers that changed, and models that were proposed. */
const readUpstreamReasons = async (app: App): Promise<Map<number, AttentionReason[]>> => {
  const reasons = new Map<number, AttentionReason[]>()
  for (const id of await listUnconfirmed(app.db)) {
    const change = await findChange(app.db, id)
    if (change) reasons.set(id, [{ kind: 'ratio', ...change }])
  }
  for (const [id, counts] of await countProposals(app))
    reasons.set(id, [...(reasons.get(id) ?? []), { kind: 'models', ...counts }])
  return reasons
}

/** Channels of whose attempts of the last hour too many failed. */
const findFailing = async (app: App, usage: CurrentUsage) => {
  const now = nowSeconds(app)
  const range = { begin: quarterOf(now - hourSeconds), end: now + 1 }
  const { attempts } = await readFailedAttempts(app.db, range)
  const failed = new Map<number, number>()
  // An answer without content was delivered; the health of the channel shows it apart.
  for (const { channel_id, count } of attempts.filter(each => each.code !== emptyAnswer))
    failed.set(channel_id, (failed.get(channel_id) ?? 0) + count)
  const answered = await usage.quarterHoursByKey('channel', range)
  const reasons = new Map<number, AttentionReason>()
  for (const [id, count] of failed) {
    const requests = answered.get(String(id))?.requests ?? 0
    if (count >= failuresMin && count >= (count + requests) * failingShare)
      reasons.set(id, { kind: 'failing', requests, failed: count })
  }
  return reasons
}

type HealthRow = Awaited<ReturnType<typeof listHealth>>[number]

type Found = {
  cooldown: Cooldown | undefined
  failing: AttentionReason | undefined
  balance: ChannelBalanceStatesTable | undefined
}

const reasonsOf = (row: HealthRow, { cooldown, failing, balance }: Found): AttentionReason[] => {
  const { status, status_reason, test_error, test_time } = row
  return [
    ...(status === 3 ? [{ kind: 'disabled' as const, detail: status_reason }] : []),
    ...(cooldown ? [cooldownReason(cooldown)] : []),
    ...(failing && status === 1 ? [failing] : []),
    ...(test_error && status === 1
      ? [{ kind: 'test' as const, detail: test_error, at: test_time }]
      : []),
    ...balanceReasons(row, balance),
  ]
}

/** A balance that was never read is not low, and a window of a subscription refills by itself. */
const balanceReasons = (
  row: HealthRow,
  state: ChannelBalanceStatesTable | undefined,
): AttentionReason[] => {
  const { balance, balance_currency: currency } = row
  if (row.balance_updated_time === 0) return []
  const below = balanceWarningOf(JSON.parse(row.plugin || '{}'))
  const until = state?.lasts_until || null
  const isJudged = below > 0 || until !== null || state?.kind === 'window'
  const warning = state?.warning || (!isJudged && balance < lowBalance ? 'low' : '')
  if (warning === '') return []
  return [{ kind: 'balance', balance, currency, until, below, warning: warning as Warning }]
}

type Warning = Extract<AttentionReason, { kind: 'balance' }>['warning']

const cooldownReason = ({ models, milliseconds }: Cooldown): AttentionReason => ({
  kind: 'cooldown',
  models: models.slice(0, modelsMax),
  seconds: Math.ceil(milliseconds / 1_000),
})

const order = ['disabled', 'cooldown', 'failing', 'test', 'ratio', 'balance', 'models'] as const
const severityOf = ([first]: readonly AttentionReason[]) => order.indexOf(first!.kind)

const mostFrequent = (codes: ReadonlyMap<string, UsageFigures>) =>
  [...codes]
    .map(([code, { failed }]) => ({ code, count: failed }))
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
    .slice(0, codesMax)
