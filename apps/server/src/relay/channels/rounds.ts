import { type ChannelRound, Fault } from '@hub/contract'
import { providerOf } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { listTestable } from '../../db/queries/relay-channels.ts'
import { updateBalance } from './balance.ts'
import { disable, enable } from './disable.ts'
import { tryChannel } from './test-channel.ts'

type Kind = ChannelRound['kind']
type Listed = Awaited<ReturnType<typeof listTestable>>[number]

/** What does not fit in is left for the next round: a round must end before its lock does. */
const roundMaxMs = 45 * 60_000
const lockSeconds = 3_600
const keptSeconds = 7 * 86_400
const failedMax = 100

const keyOf = (kind: Kind) => `channel-round:${kind}`

/** The last round of each kind, finished or not. Known to all nodes where Redis is; forgotten, it is only not shown. */
export const lastRounds = async (app: App): Promise<ChannelRound[]> => {
  const texts = await Promise.all((['test', 'balance'] as const).map(kind => recall(app, kind)))
  return texts.filter(each => each !== undefined)
}

const recall = async (app: App, kind: Kind): Promise<ChannelRound | undefined> => {
  const text = await app.state.recall(keyOf(kind))
  return text === undefined ? undefined : JSON.parse(text)
}

/** Begins a round in the background; a fault where one is running on any node. */
export const startRound = (app: App, kind: Kind): Promise<ChannelRound> =>
  new Promise((resolve, reject) => {
    runRound(app, kind, resolve).then(
      isDone => {
        if (!isDone) reject(new Fault('channel.round-running'))
      },
      error => {
        app.log.error({ err: error, kind }, 'a round of all channels failed')
        reject(error)
      },
    )
  })

/** For the job: a round when the last one began so many minutes ago. */
export const runDueRound = async (app: App, kind: Kind, everyMinutes: number): Promise<void> => {
  if (everyMinutes === 0) return
  const last = await recall(app, kind)
  if (last && secondsOf(app) - last.started_at < everyMinutes * 60) return
  await runRound(app, kind, () => {})
}

/** One channel after the other. False: a round is running already. */
const runRound = (app: App, kind: Kind, began: (round: ChannelRound) => void): Promise<boolean> =>
  app.state.lock(keyOf(kind), lockSeconds, async () => {
    const listed = (await listTestable(app.db)).filter(each => concerns(kind, each))
    const round: ChannelRound = {
      kind,
      started_at: secondsOf(app),
      ended_at: 0,
      total: listed.length,
      done: 0,
      disabled: 0,
      enabled: 0,
      failed: [],
    }
    const tell = () => app.state.remember(keyOf(kind), JSON.stringify(round), keptSeconds)
    await tell()
    began({ ...round, failed: [] })
    const deadline = app.monotonic() + roundMaxMs
    try {
      for (const channel of listed) {
        if (app.stopping() || app.monotonic() > deadline) break
        await step(app, round, channel)
        await tell()
      }
    } finally {
      round.ended_at = secondsOf(app)
      await tell()
    }
  })

const secondsOf = (app: App) => Math.floor(app.now() / 1_000)

const concerns = (kind: Kind, { type, status }: Listed): boolean => {
  const provider = providerOf(type)
  return kind === 'test' ? provider !== undefined : Boolean(provider?.balance) && status === 1
}

/** One channel that fails must not end the round. */
const step = async (app: App, round: ChannelRound, channel: Listed): Promise<void> => {
  try {
    await (round.kind === 'test' ? testOne : balanceOne)(app, round, channel)
  } catch (error) {
    if (!(error instanceof Fault)) app.log.error({ err: error, channel: channel.id }, 'in a round')
    fail(round, channel, error instanceof Fault ? error.message : 'Something failed.')
  }
  round.done += 1
}

const fail = (round: ChannelRound, { id, name }: Listed, reason: string) => {
  if (round.failed.length < failedMax) round.failed.push({ id, name, reason })
}

const testOne = async (app: App, round: ChannelRound, channel: Listed): Promise<void> => {
  const { ChannelDisableThreshold, AutomaticEnableChannelEnabled, AutomaticDisableChannelEnabled } =
    app.settings().channels
  const tested = await tryChannel(app, channel.id)
  if (!tested.ok) {
    fail(round, channel, tested.reason)
    if (tested.isRefused && AutomaticDisableChannelEnabled && channel.status === 1)
      round.disabled += 1
    return
  }
  const seconds = tested.ms / 1_000
  const isSlow = ChannelDisableThreshold > 0 && seconds > ChannelDisableThreshold
  if (isSlow) {
    const reason = `test: ${seconds.toFixed(1)} s, allowed are ${ChannelDisableThreshold} s`
    fail(round, channel, reason.slice(6))
    if (await disable(app, channel, reason)) round.disabled += 1
    return
  }
  if (channel.status === 3 && AutomaticEnableChannelEnabled)
    if (await enable(app, channel, `test: ${seconds.toFixed(1)} s`)) round.enabled += 1
}

const balanceOne = async (app: App, round: ChannelRound, channel: Listed): Promise<void> => {
  const { amount, currency } = await updateBalance(app, channel.id)
  if (amount > 0) return
  const reason = `failure: balance ${amount} ${currency}`
  fail(round, channel, reason.slice(9))
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  if (await disable(app, channel, reason)) round.disabled += 1
}
