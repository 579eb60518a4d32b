import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as polls from '../../db/queries/task-polls.ts'
import * as tasks from '../../db/queries/tasks.ts'
import { giveBack, settleAgainSeconds, settleTask } from '../settle.ts'
import { accountName, leaseSeconds, lookAgainMs, pollAccount } from './account.ts'

const leasedMax = 200

/**
 * Polls tasks that are due, and posts ends that are decided. Each task has a lease, so that one node polls it at a time;
 * each account is polled on its own, so that a slow vendor delays no other.
 */
export const pollTasks = async (app: App): Promise<void> => {
  const running = new Map<string, Promise<void>>()
  const polled = new Set<string>()
  const start = (name: string, work: () => Promise<void>) => {
    if (running.has(name) || polled.has(name)) return
    polled.add(name)
    running.set(
      name,
      work()
        .catch(error => app.log.warn({ err: error }, 'tasks could not be polled'))
        .finally(() => running.delete(name)),
    )
  }
  const timer = makeLookTimer()
  try {
    while (!app.stopping()) {
      const now = nowSeconds(app)
      if (await polls.isSettlementDue(app.db, now)) start('', () => settleDue(app))
      for (const account of await polls.listDueAccounts(app.db, now))
        start(accountName(account), () => pollAccount(app, account))
      if (running.size === 0) return
      // However often others end, each account is polled again at the next look.
      if (await timer.isOverFirst([...running.values()])) polled.clear()
    }
  } finally {
    timer.stop()
    await Promise.all(running.values())
  }
}

const makeLookTimer = () => {
  const controller = new AbortController()
  const start = () =>
    sleep(lookAgainMs, true, { signal: controller.signal }).catch(() => true as const)
  let over = start()
  return {
    /** Resolves to false when work ends before the time is over. Otherwise the next time begins. */
    isOverFirst: async (work: readonly Promise<void>[]): Promise<boolean> => {
      const isOver = await Promise.race([over, ...work.map(each => each.then(() => false))])
      if (isOver) over = start()
      return isOver
    },
    stop: () => controller.abort(),
  }
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
