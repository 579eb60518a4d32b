import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as polls from '../../db/queries/task-polls.ts'
import * as tasks from '../../db/queries/tasks.ts'
import { giveBack, settleAgainSeconds, settleTask } from '../settle.ts'
import { leaseSeconds, pollAccount } from './account.ts'

const leasedMax = 200
/** Accounts that become due while others are polled wait for this long. */
const lookAgainMs = 1_000

/**
 * Polls tasks that are due, and posts ends that are decided. Each task has a lease, so that one node polls it at a time;
 * each account is polled on its own, so that a slow vendor delays no other.
 */
export const pollTasks = async (app: App): Promise<void> => {
  const running = new Map<string, Promise<void>>()
  const polled = new Set<string>()
  const start = (name: string, work: () => Promise<void>) => {
    if (polled.has(name)) return
    polled.add(name)
    running.set(
      name,
      work()
        .catch(error => app.log.warn({ err: error }, 'tasks could not be polled'))
        .finally(() => running.delete(name)),
    )
  }
  while (!app.stopping()) {
    const now = nowSeconds(app)
    if (await polls.isSettlementDue(app.db, now)) start('', () => settleDue(app))
    for (const account of await polls.listDueAccounts(app.db, now))
      start(`${account.channelId} ${account.credential}`, () => pollAccount(app, account))
    if (running.size === 0) return
    if (await isQuiet([...running.values()])) polled.clear()
  }
  await Promise.all(running.values())
}

/** Resolves to false when one of them ends, and to true when none does for `lookAgainMs`. */
const isQuiet = async (work: readonly Promise<void>[]): Promise<boolean> => {
  const controller = new AbortController()
  const quiet = sleep(lookAgainMs, true, { signal: controller.signal }).catch(() => true)
  const ended = work.map(each => each.then(() => false))
  const result = await Promise.race([quiet, ...ended])
  controller.abort()
  return result
}

const settleDue = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const now = nowSeconds(app)
    const criteria = { now, leaseEnds: now + leaseSeconds, limit: leasedMax }
    const rows = await polls.leaseUnsettled(app.db, criteria)
    if (rows.length === 0) return
    await Promise.all(rows.map(row => finish(app, row)))
  }
}

/** Ends a submission whose process is gone, and posts an end that was decided. A failure is logged and tried again. */
const finish = async (app: App, row: tasks.TaskRow): Promise<void> => {
  try {
    if (row.state !== 'submitting') return await settleTask(app, row)
    const reason = 'The gateway was interrupted while it submitted this task.'
    await giveBack(app, row, { state: 'failed', reason, orphan: row.channel_id !== 0 })
  } catch (error) {
    app.log.warn({ err: error, task: row.id }, 'a task could not be settled')
    await tasks.reschedule(app.db, row, nowSeconds(app) + settleAgainSeconds).catch(() => {})
  }
}
