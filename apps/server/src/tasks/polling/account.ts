import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskAdapter, TaskReport } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import * as polls from '../../db/queries/task-polls.ts'
import * as tasks from '../../db/queries/tasks.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { findStoringChannel, storingKeyOf } from '../../relay/references/owner.ts'
import { openContent, polledTask } from '../content.ts'
import { giveBack, settleAgainSeconds } from '../settle.ts'
import { askVendor } from '../vendor-request.ts'
import { isPlaceOver, type PollPace, paceOf } from './pace.ts'
import { applyReport, wait } from './report.ts'

/**
 * Longer than a turn and its request, and short enough that tasks of a node that died are polled within two intervals.
 * A lease that ends too early, as with a long file, costs a second poll and no second charge.
 */
export const leaseSeconds = 40
const pollTimeoutMs = 20_000
/** Requests to one account at a time: more than a hundred tasks that are not answered leave room for the others. */
export const accountConcurrency = 128
/** While requests are under way, tasks that became due meanwhile are looked for this often. */
export const lookAgainMs = 1_000
/** A channel whose next turn is further away is left to the next run. */
const waitMaxMs = 1_000
/** No node asks a vendor for this long after it answered 429. */
const refusedPauseMs = 5_000

export const accountName = ({ channelId, credential }: polls.TaskAccountKey): string =>
  `${channelId} ${credential}`

type PolledAccount = {
  channel: Channel
  credential: string
  adapter: TaskAdapter
  name: string
}

/** Asks one account for its tasks that are due, with the key that submitted them. */
export const pollAccount = async (app: App, account: polls.TaskAccountKey): Promise<void> => {
  const { channelId, credential } = account
  const { channel } = await findStoringChannel(app, channelId)
  const adapter = channel?.provider.tasks
  const key = channel && storingKeyOf(channel, credential)
  const poll: PollAtPlace = (rows, mayStart) => {
    if (!channel) return endAll(app, rows)
    if (!adapter || !key) return waitAll(app, rows)
    const polled = { channel, credential: key.credential, adapter, name: accountName(account) }
    return pollBatch(app, polled, rows, mayStart)
  }
  await takeTurns(app, account, { batchMax: adapter?.poll.batchMax ?? 1, poll })
}

const endAll = async (app: App, rows: readonly tasks.TaskRow[]): Promise<undefined> => {
  for (const row of rows)
    await giveBack(app, row, { state: 'failed', reason: 'Its channel was deleted.' })
}

const waitAll = async (app: App, rows: readonly tasks.TaskRow[]): Promise<undefined> => {
  for (const row of rows) await wait(app, row)
}

/** Polls tasks at their place in the pace. `late`: the place was over before the request was sent. */
type PollAtPlace = (rows: readonly tasks.TaskRow[], mayStart: () => boolean) => Promise<PollEnd>
type PollEnd = 'late' | undefined
type Polling = { batchMax: number; poll: PollAtPlace }

/** Leases and polls an account's tasks at the pace of its channel, until none is due. */
const takeTurns = async (
  app: App,
  account: polls.TaskAccountKey,
  { batchMax, poll }: Polling,
): Promise<void> => {
  const running = new Set<Promise<void>>()
  /** Leased tasks whose requests missed their places. */
  const late: (readonly tasks.TaskRow[])[] = []
  /** A turn lies this far ahead, because it took the last one this long to arrive. */
  let leadMs = 0
  try {
    while (!app.stopping()) {
      if (running.size >= accountConcurrency) await Promise.race(running)
      const pace = paceOf(app)
      const requests = Math.min(pace.requests, accountConcurrency - running.size)
      const askedAt = app.now()
      const turn = await takeTurn(app, account, { requests, batchMax, pace, late, leadMs })
      leadMs = Math.max(0, app.now() - askedAt)
      if (!turn && running.size === 0) break
      if (!turn)
        await Promise.race([sleep(lookAgainMs, undefined, { ref: false }), Promise.all(running)])
      for (const { place, batch } of turn ?? []) {
        await sleepUntil(app, place)
        const mayStart = () => !isPlaceOver(pace, place, app.now())
        const work = guarded(app, batch, () => poll(batch, mayStart))
          .then(end => void (end && late.push(batch)))
          .finally(() => running.delete(work))
        running.add(work)
      }
    }
  } finally {
    await Promise.all(running)
    for (const row of late.flat()) await tasks.reschedule(app.db, row, nowSeconds(app))
  }
}

type AccountTurn = {
  requests: number
  batchMax: number
  pace: PollPace
  late: (readonly tasks.TaskRow[])[]
  leadMs: number
}

/** Takes places for the next requests: first those that were late, then tasks that are due. */
const takeTurn = async (
  app: App,
  account: polls.TaskAccountKey,
  { requests, batchMax, pace, late, leadMs }: AccountTurn,
): Promise<{ place: number; batch: readonly tasks.TaskRow[] }[] | undefined> => {
  const again = late.slice(0, requests)
  const now = nowSeconds(app)
  const turn = await polls.takePollTurn(app.db, account, {
    ...{ now, leaseEnds: now + leaseSeconds, limit: (requests - again.length) * batchMax },
    ...{ nowMs: app.now() + leadMs, waitMaxMs, hasLeased: again.length > 0 },
    intervalMs: Math.ceil(requests * pace.spacingMs),
  })
  if (!turn) return undefined
  late.splice(0, again.length)
  return [...again, ...batchesOf(turn.tasks, batchMax)].map((batch, index) => ({
    ...{ place: turn.at + index * pace.spacingMs, batch },
  }))
}

/** A timer may fire a millisecond early. */
const sleepUntil = async (app: App, place: number): Promise<void> => {
  const waitMs = place - app.now()
  if (waitMs > 0) await sleep(Math.ceil(waitMs) + 1)
}

const batchesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** A failure is logged; the tasks are polled again. */
const guarded = async (
  app: App,
  rows: readonly tasks.TaskRow[],
  work: () => Promise<PollEnd>,
): Promise<PollEnd> => {
  try {
    return await work()
  } catch (error) {
    app.log.warn({ err: error, task: rows[0]?.id }, 'tasks could not be polled')
    for (const row of rows)
      await tasks.reschedule(app.db, row, nowSeconds(app) + settleAgainSeconds).catch(() => {})
    return undefined
  }
}

const pollBatch = async (
  app: App,
  { channel, credential, adapter, name }: PolledAccount,
  ...[rows, mayStart]: Parameters<PollAtPlace>
): Promise<PollEnd> => {
  const polled = rows.map(row => polledTask(row, openContent(app, row)))
  const account = { channel, credential, model: polled[0]!.model }
  let reports: ReadonlyMap<string, TaskReport> | undefined
  let isLate = false
  const options = {
    timeoutMs: pollTimeoutMs,
    mayStart: () => {
      isLate = !mayStart()
      return !isLate
    },
  }
  try {
    const request = adapter.poll.request(polled)
    const { status, body } = await askVendor(app, account, request, options)
    if (status === 429) await polls.postponePolls(app.db, channel.id, app.now() + refusedPauseMs)
    reports = adapter.poll.read(status, body, polled)
  } catch (error) {
    if (isLate) return 'late'
    app.log.info({ err: error, channel: channel.id }, 'a vendor did not answer a poll')
  }
  failpoint('task polled')
  const failedWaitSeconds = noteAnswer(app, name, reports !== undefined)
  for (const row of rows)
    await applyReport(app, row, reports?.get(row.upstream_id), failedWaitSeconds)
  return undefined
}

/** Since when each account has answered no poll, in seconds, by its name. */
const silences = appScoped(() => new Map<string, number>())
const failedWaitSecondsMin = 5

/**
 * Notes whether an account answered. Returns the longest wait after a poll that failed: about as long as the account has
 * been silent, because its vendor may have ended the task already, and a full interval more would show that too late.
 */
const noteAnswer = (app: App, name: string, isAnswered: boolean): number => {
  const since = silences(app)
  const now = nowSeconds(app)
  if (isAnswered) {
    since.delete(name)
    return Number.POSITIVE_INFINITY
  }
  if (!since.has(name)) since.set(name, now)
  return Math.max(failedWaitSecondsMin, now - since.get(name)!)
}
