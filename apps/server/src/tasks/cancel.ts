import { Fault } from '@hub/contract'
import { type App, nowSeconds } from '../core/app.ts'
import * as tasks from '../db/queries/tasks.ts'
import type { Channel } from '../relay/channels/channel.ts'
import { openContent, polledTask } from './content.ts'
import { accountOf } from './open-output.ts'
import { askVendor } from './vendor-request.ts'

const timeoutMs = 20_000

/** Whether the vendor of this channel may still cancel the task. */
export const isCancellable = (
  { state, settlement }: Pick<tasks.TaskRow, 'state' | 'settlement'>,
  channel: Channel | undefined,
): boolean =>
  state === 'queued' && settlement === 'held' && channel?.provider.tasks?.cancel !== undefined

/**
 * Asks the vendor to cancel a task that has not begun. It does not end the task: the next poll tells how it ended, so that
 * a hold is never released for a task that the vendor finishes.
 */
export const cancelTask = async (app: App, row: tasks.TaskRow): Promise<void> => {
  const account = await accountOf(app, row)
  if (!account || !isCancellable(row, account.channel)) throw new Fault('task.not_cancellable')
  const { poll, cancel } = account.channel.provider.tasks!
  const task = polledTask(row, openContent(app, row))
  // A vendor may delete a finished task by the same request, so its state must be fresh.
  const shown = await askVendor(app, account, poll.request([task]), { timeoutMs })
  const report = poll.read(shown.status, shown.body, [task])?.get(row.upstream_id)
  const isQueued = report?.state === 'queued'
  const answer = isQueued ? await askVendor(app, account, cancel!(task), { timeoutMs }) : undefined
  await tasks.wake(app.db, row.id, nowSeconds(app))
  if (!answer || answer.status >= 300) throw new Fault('task.not_cancellable')
}
