import { type ChannelBatchRun, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { App } from '../core/app.ts'
import { listChecked } from '../db/queries/channel-balances.ts'
import { listTestable } from '../db/queries/relay-channels.ts'
import { disable, enable } from '../relay/channels/status.ts'
import { hasBalance, updateBalance } from './balances/update.ts'
import { testChannel } from './test-channel.ts'
import { type KeyRun, testDisabledKeys } from './test-keys.ts'

type Kind = ChannelBatchRun['kind']
type ListedChannel = Pick<
  Awaited<ReturnType<typeof listTestable>>[number],
  'id' | 'name' | 'status'
>
type Batch = { kind: Kind; list: () => Promise<ListedChannel[]>; onSchedule: boolean }

/** A run must end before its lock does. The next run begins with the channels that are left. */
const runMaxMs = 45 * 60_000
const lockSeconds = 3_600
const minuteSeconds = 60
const daySeconds = 86_400
const storedSeconds = 7 * daySeconds
const failedMax = 100

const keyOf = (kind: Kind) => `channel-round:${kind}`
/** The id of the channel that the last run reached. */
const reachedKeyOf = (kind: Kind) => `channel-round-reached:${kind}`

/** The last run of each kind, finished or not. All nodes see it when Redis is configured. */
export const lastBatchRuns = async (app: App): Promise<ChannelBatchRun[]> => {
  const texts = await Promise.all((['test', 'balance'] as const).map(kind => recall(app, kind)))
  return texts.filter(each => each !== undefined)
}

const recall = async (app: App, kind: Kind): Promise<ChannelBatchRun | undefined> => {
  const text = await app.state.recall(keyOf(kind))
  return text === undefined ? undefined : { untested: 0, enabled_keys: 0, ...JSON.parse(text) }
}

/**
 * Starts a run in the background, and resolves with its initial state. Rejects with `channel.round_running` while one
 * runs; a failure after the start is only logged.
 */
export const startBatchRun = (app: App, kind: Kind): Promise<ChannelBatchRun> =>
  new Promise((resolve, reject) => {
    runBatch(app, { kind, list: () => listIncluded(app, kind), onSchedule: false }, resolve).then(
      hasRun => {
        if (!hasRun) reject(new Fault('channel.round_running'))
      },
      error => {
        app.log.error({ err: error, kind }, 'a batch run of all channels failed')
        reject(error)
      },
    )
  })

/** Tests all channels if the last run started at least this many minutes ago and none is running; 0 disables it. */
export const runDueTests = async (app: App, everyMinutes: number): Promise<void> => {
  if (everyMinutes === 0) return
  const last = await recall(app, 'test')
  if (last && secondsOf(app) - last.started_at < everyMinutes * minuteSeconds) return
  const list = () => listIncluded(app, 'test')
  await runBatch(app, { kind: 'test', list, onSchedule: true }, () => {})
}

/** Reads the balances that are due, by the time of the last attempt that each channel has in the database; 0 disables it. */
export const runDueBalances = async (app: App, everyMinutes: number): Promise<void> => {
  if (everyMinutes === 0) return
  const list = () => listDueBalances(app, everyMinutes)
  if ((await list()).length === 0) return
  await runBatch(app, { kind: 'balance', list, onSchedule: true }, () => {})
}

/** Runs through the channels one after the other. Resolves with false when a run is active already. */
const runBatch = (
  app: App,
  { kind, list, onSchedule }: Batch,
  onStart: (run: ChannelBatchRun) => void,
): Promise<boolean> =>
  app.state.lock(keyOf(kind), lockSeconds, async () => {
    const listed = await fromReached(app, kind, await list())
    const run: ChannelBatchRun = {
      kind,
      started_at: secondsOf(app),
      ended_at: 0,
      total: listed.length,
      done: 0,
      disabled: 0,
      enabled: 0,
      enabled_keys: 0,
      untested: 0,
      failed: [],
    }
    const publish = () => app.state.remember(keyOf(kind), JSON.stringify(run), storedSeconds)
    await publish()
    onStart({ ...run, failed: [] })
    const deadline = app.monotonic() + runMaxMs
    try {
      for (const channel of listed) {
        if (app.stopping() || app.monotonic() > deadline) break
        await runChannel(app, run, channel, onSchedule)
        await publish()
        await app.state.remember(reachedKeyOf(kind), String(channel.id), storedSeconds)
      }
    } finally {
      run.ended_at = secondsOf(app)
      await publish()
    }
  })

const listIncluded = async (app: App, kind: Kind): Promise<ListedChannel[]> =>
  (await listTestable(app.db)).filter(({ type, status, base_url }) => {
    const provider = providerOf(type)
    if (kind === 'test') return provider !== undefined
    return status === 1 && hasBalance(provider, { baseUrl: base_url })
  })

/**
 * The enabled channels whose balance is to be read at this interval. A new one waits for an interval too. A server that
 * showed no balance at the first attempt is asked once a day.
 */
const listDueBalances = async (app: App, everyMinutes: number): Promise<ListedChannel[]> => {
  const now = secondsOf(app)
  const seconds = everyMinutes * minuteSeconds
  return (await listChecked(app.db)).filter(row => {
    if (!hasBalance(providerOf(row.type), { baseUrl: row.base_url })) return false
    const last = Math.max(row.checked_at ?? 0, row.balance_updated_time, row.created_time)
    const isMute = row.checked_at !== null && row.balance_updated_time === 0
    return now - last >= (isMute ? Math.max(seconds, daySeconds) : seconds)
  })
}

/** The channels by id, from the one after the last that was reached: of too many for one run, each has its turn. */
const fromReached = async (
  app: App,
  kind: Kind,
  listed: readonly ListedChannel[],
): Promise<ListedChannel[]> => {
  const reached = Number((await app.state.recall(reachedKeyOf(kind))) ?? 0)
  return [...listed.filter(each => each.id > reached), ...listed.filter(each => each.id <= reached)]
}

const secondsOf = (app: App) => Math.floor(app.now() / 1_000)

/** Handles one channel; its failure must not end the run. */
const runChannel = async (
  app: App,
  run: ChannelBatchRun,
  channel: ListedChannel,
  onSchedule: boolean,
): Promise<void> => {
  try {
    if (run.kind === 'test') await testOne(app, run, channel)
    else await balanceOne(app, run, channel, onSchedule)
  } catch (error) {
    if (!(error instanceof Fault))
      app.log.error({ err: error, channel: channel.id }, 'a channel failed in a batch run')
    recordFailure(run, channel, error instanceof Fault ? error.message : 'Something failed.')
  }
  run.done += 1
}

const recordFailure = (run: ChannelBatchRun, { id, name }: ListedChannel, reason: string) => {
  if (run.failed.length < failedMax) run.failed.push({ id, name, reason })
}

const testOne = async (app: App, run: ChannelBatchRun, channel: ListedChannel): Promise<void> => {
  const { ChannelDisableThreshold, AutomaticEnableChannelEnabled, AutomaticDisableChannelEnabled } =
    app.settings().channels
  const tested = await testChannel(app, channel.id)
  if (!tested.ok) {
    recordFailure(run, channel, tested.reason)
    if (!tested.isRefused || channel.status !== 1) return
    if (AutomaticDisableChannelEnabled) run.disabled += 1
    if (AutomaticEnableChannelEnabled) await testKeys(app, run, channel)
    return
  }
  if (tested.kind === 'none') {
    run.untested += 1
    return
  }
  const seconds = tested.ms / 1_000
  const isSlow = ChannelDisableThreshold > 0 && seconds > ChannelDisableThreshold
  if (isSlow) {
    const reason = `${seconds.toFixed(1)} s, allowed are ${ChannelDisableThreshold} s`
    recordFailure(run, channel, reason)
    const evidence = { cause: 'test' as const, reason, model: tested.model }
    if (await disable(app, channel, evidence)) run.disabled += 1
    return
  }
  if (!AutomaticEnableChannelEnabled) return
  const { isWithoutKeys } = await testKeys(app, run, channel)
  if (channel.status !== 3 || isWithoutKeys) return
  const evidence = {
    cause: 'test' as const,
    reason: tested.kind === 'call' ? `${seconds.toFixed(1)} s` : `read: ${tested.kind}`,
    model: tested.model,
  }
  if (await enable(app, channel, evidence)) run.enabled += 1
}

const testKeys = async (app: App, run: ChannelBatchRun, { id }: ListedChannel): Promise<KeyRun> => {
  const keys = await testDisabledKeys(app, id)
  run.enabled_keys += keys.enabled
  return keys
}

/** A window of a subscription that is used up refills by itself. */
const balanceOne = async (
  app: App,
  run: ChannelBatchRun,
  channel: ListedChannel,
  onSchedule: boolean,
): Promise<void> => {
  const { amount, currency, kind } = await updateBalance(app, channel.id, { onSchedule })
  if (Number(amount) > 0 || kind === 'window') return
  const reason = `balance ${amount} ${currency}`
  recordFailure(run, channel, reason)
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  if (await disable(app, channel, { cause: 'automatic', reason })) run.disabled += 1
}
