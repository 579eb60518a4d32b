import { type ChannelBatchRun, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { App } from '../core/app.ts'
import { listTestable } from '../db/queries/relay-channels.ts'
import { disable, enable, reportEmptyAccount } from '../relay/channels/status.ts'
import { updateBalance } from './balance.ts'
import { testChannel } from './test-channel.ts'
import { type KeyRun, testDisabledKeys } from './test-keys.ts'

type Kind = ChannelBatchRun['kind']
type ListedChannel = Awaited<ReturnType<typeof listTestable>>[number]

/** A run must end before its lock does. The next run begins with the channels that are left. */
const runMaxMs = 45 * 60_000
const lockSeconds = 3_600
const storedSeconds = 7 * 86_400
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
    runBatch(app, kind, resolve).then(
      hasRun => {
        if (!hasRun) reject(new Fault('channel.round_running'))
      },
      error => {
        app.log.error({ err: error, kind }, 'a batch run of all channels failed')
        reject(error)
      },
    )
  })

/** Runs the whole batch if the last one started at least this many minutes ago and none is running; 0 disables it. */
export const runDueBatch = async (app: App, kind: Kind, everyMinutes: number): Promise<void> => {
  if (everyMinutes === 0) return
  const last = await recall(app, kind)
  if (last && secondsOf(app) - last.started_at < everyMinutes * 60) return
  await runBatch(app, kind, () => {})
}

/** Runs through the channels one after the other. Resolves with false when a run is active already. */
const runBatch = (
  app: App,
  kind: Kind,
  onStart: (run: ChannelBatchRun) => void,
): Promise<boolean> =>
  app.state.lock(keyOf(kind), lockSeconds, async () => {
    const listed = await listFromReached(app, kind)
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
        await runChannel(app, run, channel)
        await publish()
        await app.state.remember(reachedKeyOf(kind), String(channel.id), storedSeconds)
      }
    } finally {
      run.ended_at = secondsOf(app)
      await publish()
    }
  })

/** The channels by id, from the one after the last that was reached: of too many for one run, each has its turn. */
const listFromReached = async (app: App, kind: Kind): Promise<ListedChannel[]> => {
  const listed = (await listTestable(app.db)).filter(each => isIncluded(kind, each))
  const reached = Number((await app.state.recall(reachedKeyOf(kind))) ?? 0)
  return [...listed.filter(each => each.id > reached), ...listed.filter(each => each.id <= reached)]
}

const secondsOf = (app: App) => Math.floor(app.now() / 1_000)

const isIncluded = (kind: Kind, { type, status }: ListedChannel): boolean => {
  const provider = providerOf(type)
  return kind === 'test' ? provider !== undefined : Boolean(provider?.balance) && status === 1
}

/** Handles one channel; its failure must not end the run. */
const runChannel = async (
  app: App,
  run: ChannelBatchRun,
  channel: ListedChannel,
): Promise<void> => {
  try {
    await (run.kind === 'test' ? testOne : balanceOne)(app, run, channel)
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

const balanceOne = async (
  app: App,
  run: ChannelBatchRun,
  channel: ListedChannel,
): Promise<void> => {
  const { amount, currency } = await updateBalance(app, channel.id)
  if (Number(amount) > 0) return
  const reason = `balance ${amount} ${currency}`
  recordFailure(run, channel, reason)
  await reportEmptyAccount(app, channel, reason)
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  if (await disable(app, channel, { cause: 'automatic', reason })) run.disabled += 1
}
