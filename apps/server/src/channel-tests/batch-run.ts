import { type ChannelBatchRun, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { App } from '../core/app.ts'
import { listTestable } from '../db/queries/relay-channels.ts'
import { disable, enable } from '../relay/channels/status.ts'
import { updateBalance } from './balance.ts'
import { tryChannel } from './test-channel.ts'

type Kind = ChannelBatchRun['kind']
type ListedChannel = Awaited<ReturnType<typeof listTestable>>[number]

/** A run must end before its lock does; channels that are left wait for the next run. */
const runMaxMs = 45 * 60_000
const lockSeconds = 3_600
const storedSeconds = 7 * 86_400
const failedMax = 100

const keyOf = (kind: Kind) => `channel-round:${kind}`

/** The last run of each kind, finished or not. All nodes see it where Redis is configured. */
export const lastBatchRuns = async (app: App): Promise<ChannelBatchRun[]> => {
  const texts = await Promise.all((['test', 'balance'] as const).map(kind => recall(app, kind)))
  return texts.filter(each => each !== undefined)
}

const recall = async (app: App, kind: Kind): Promise<ChannelBatchRun | undefined> => {
  const text = await app.state.recall(keyOf(kind))
  return text === undefined ? undefined : JSON.parse(text)
}

/** Starts a run in the background. Throws `channel.round_running` where one runs on any node. */
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

/** Starts a run if the last one onStart at least this many minutes ago; 0 disables it. */
export const runDueBatch = async (app: App, kind: Kind, everyMinutes: number): Promise<void> => {
  if (everyMinutes === 0) return
  const last = await recall(app, kind)
  if (last && secondsOf(app) - last.started_at < everyMinutes * 60) return
  await runBatch(app, kind, () => {})
}

/** Runs through the channels one after the other. Resolves with false where a run is active already. */
const runBatch = (
  app: App,
  kind: Kind,
  onStart: (round: ChannelBatchRun) => void,
): Promise<boolean> =>
  app.state.lock(keyOf(kind), lockSeconds, async () => {
    const listed = (await listTestable(app.db)).filter(each => isIncluded(kind, each))
    const round: ChannelBatchRun = {
      kind,
      started_at: secondsOf(app),
      ended_at: 0,
      total: listed.length,
      done: 0,
      disabled: 0,
      enabled: 0,
      failed: [],
    }
    const publish = () => app.state.remember(keyOf(kind), JSON.stringify(round), storedSeconds)
    await publish()
    onStart({ ...round, failed: [] })
    const deadline = app.monotonic() + runMaxMs
    try {
      for (const channel of listed) {
        if (app.stopping() || app.monotonic() > deadline) break
        await runChannel(app, round, channel)
        await publish()
      }
    } finally {
      round.ended_at = secondsOf(app)
      await publish()
    }
  })

const secondsOf = (app: App) => Math.floor(app.now() / 1_000)

const isIncluded = (kind: Kind, { type, status }: ListedChannel): boolean => {
  const provider = providerOf(type)
  return kind === 'test' ? provider !== undefined : Boolean(provider?.balance) && status === 1
}

/** Handles one channel; its failure must not end the run. */
const runChannel = async (
  app: App,
  round: ChannelBatchRun,
  channel: ListedChannel,
): Promise<void> => {
  try {
    await (round.kind === 'test' ? testOne : balanceOne)(app, round, channel)
  } catch (error) {
    if (!(error instanceof Fault))
      app.log.error({ err: error, channel: channel.id }, 'a channel failed in a batch run')
    recordFailure(round, channel, error instanceof Fault ? error.message : 'Something failed.')
  }
  round.done += 1
}

const recordFailure = (round: ChannelBatchRun, { id, name }: ListedChannel, reason: string) => {
  if (round.failed.length < failedMax) round.failed.push({ id, name, reason })
}

const testOne = async (app: App, round: ChannelBatchRun, channel: ListedChannel): Promise<void> => {
  const { ChannelDisableThreshold, AutomaticEnableChannelEnabled, AutomaticDisableChannelEnabled } =
    app.settings().channels
  const tested = await tryChannel(app, channel.id)
  if (!tested.ok) {
    recordFailure(round, channel, tested.reason)
    if (tested.isRefused && AutomaticDisableChannelEnabled && channel.status === 1)
      round.disabled += 1
    return
  }
  const seconds = tested.ms / 1_000
  const isSlow = ChannelDisableThreshold > 0 && seconds > ChannelDisableThreshold
  if (isSlow) {
    const reason = `test: ${seconds.toFixed(1)} s, allowed are ${ChannelDisableThreshold} s`
    recordFailure(round, channel, reason.slice(6))
    if (await disable(app, channel, reason)) round.disabled += 1
    return
  }
  if (channel.status === 3 && AutomaticEnableChannelEnabled)
    if (await enable(app, channel, `test: ${seconds.toFixed(1)} s`)) round.enabled += 1
}

const balanceOne = async (
  app: App,
  round: ChannelBatchRun,
  channel: ListedChannel,
): Promise<void> => {
  const { amount, currency } = await updateBalance(app, channel.id)
  if (amount > 0) return
  const reason = `failure: balance ${amount} ${currency}`
  recordFailure(round, channel, reason.slice(9))
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  if (await disable(app, channel, reason)) round.disabled += 1
}
