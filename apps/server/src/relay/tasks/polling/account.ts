import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskAdapter, TaskReport } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import { findChannel } from '../../../db/queries/relay-channels.ts'
import * as polls from '../../../db/queries/task-polls.ts'
import * as tasks from '../../../db/queries/tasks.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { type Channel, decodeChannel } from '../../channels/channel.ts'
import { storingKeyOf } from '../../responses-store/vendor/owner.ts'
import { channelIndex } from '../../routing/channel-index.ts'
import { closePools } from '../../upstream/connections/connection-pool.ts'
import { openContent, polledTask } from '../content.ts'
import { giveBack, settleAgainSeconds } from '../settle.ts'
import { askVendor } from '../vendor-request.ts'
import { paceOf } from './pace.ts'
import { applyReport, wait } from './report.ts'

/** Longer than one turn may last. A lease that ends too early costs a second poll, and no second charge. */
export const leaseSeconds = 120
const pollTimeoutMs = 20_000
/** Requests to one account at a time. */
const accountConcurrency = 32
/** A channel whose next turn is further away is left to the next run. */
const waitMaxMs = 1_000
/** No node asks a vendor for this long after it answered 429. */
const refusedPauseMs = 5_000

type PolledAccount = { channel: Channel; credential: string; adapter: TaskAdapter }

/** Asks one account for its tasks that are due, with the key that submitted them. */
export const pollAccount = async (app: App, account: polls.TaskAccountKey): Promise<void> => {
  const { channelId, credential } = account
  const indexed = (await channelIndex(app).get()).byId.get(channelId)
  // A channel that was disabled meanwhile still has its tasks.
  const found = indexed ? undefined : await findChannel(app.db, channelId)
  const channel = indexed ?? (found && decodeChannel(app, found))
  const adapter = channel?.provider.tasks
  const key = channel && storingKeyOf(channel, credential)
  const poll = (rows: readonly tasks.TaskRow[]): Promise<void> => {
    if (!channel) return endAll(app, rows)
    if (!adapter || !key) return waitAll(app, rows)
    return pollBatch(app, { channel, credential: key.credential, adapter }, rows)
  }
  try {
    await takeTurns(app, account, { batchMax: adapter?.poll.batchMax ?? 1, poll })
  } finally {
    if (channel && !indexed) closePools(app, channel)
  }
}

const endAll = async (app: App, rows: readonly tasks.TaskRow[]): Promise<void> => {
  for (const row of rows)
    await giveBack(app, row, { state: 'failed', reason: 'Its channel was deleted.' })
}

const waitAll = async (app: App, rows: readonly tasks.TaskRow[]): Promise<void> => {
  for (const row of rows) await wait(app, row)
}

type Polling = { batchMax: number; poll(rows: readonly tasks.TaskRow[]): Promise<void> }

/** Leases and polls an account's tasks at the pace of its channel, until none is due. */
const takeTurns = async (
  app: App,
  account: polls.TaskAccountKey,
  { batchMax, poll }: Polling,
): Promise<void> => {
  const running = new Set<Promise<void>>()
  while (!app.stopping()) {
    const { requests, intervalMs } = paceOf(app)
    const now = nowSeconds(app)
    const turn = await polls.takePollTurn(app.db, account, {
      ...{ now, leaseEnds: now + leaseSeconds, limit: requests * batchMax },
      ...{ nowMs: app.now(), intervalMs, waitMaxMs },
    })
    if (!turn) break
    await sleep(Math.max(0, turn.at - app.now()))
    for (const batch of batchesOf(turn.tasks, batchMax)) {
      const work = guarded(app, batch, () => poll(batch)).finally(() => running.delete(work))
      running.add(work)
      if (running.size >= accountConcurrency) await Promise.race(running)
    }
  }
  await Promise.all(running)
}

const batchesOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** A failure is logged; the tasks are polled again. */
const guarded = async (
  app: App,
  rows: readonly tasks.TaskRow[],
  work: () => Promise<void>,
): Promise<void> => {
  try {
    await work()
  } catch (error) {
    app.log.warn({ err: error, task: rows[0]?.id }, 'tasks could not be polled')
    for (const row of rows)
      await tasks.reschedule(app.db, row, nowSeconds(app) + settleAgainSeconds).catch(() => {})
  }
}

const pollBatch = async (
  app: App,
  { channel, credential, adapter }: PolledAccount,
  rows: readonly tasks.TaskRow[],
): Promise<void> => {
  const polled = rows.map(row => polledTask(row, openContent(app, row)))
  const account = { channel, credential, model: polled[0]!.model }
  let reports: ReadonlyMap<string, TaskReport> | undefined
  try {
    const request = adapter.poll.request(polled)
    const { status, body } = await askVendor(app, account, request, { timeoutMs: pollTimeoutMs })
    if (status === 429) await polls.postponePolls(app.db, channel.id, app.now() + refusedPauseMs)
    reports = adapter.poll.read(status, body, polled)
  } catch (error) {
    app.log.info({ err: error, channel: channel.id }, 'a vendor did not answer a poll')
  }
  failpoint('task polled')
  for (const row of rows) await applyReport(app, row, reports?.get(row.upstream_id))
}
