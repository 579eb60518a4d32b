import type { TaskReport } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as tasks from '../../db/queries/tasks.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { openContent, sealContent } from '../content.ts'
import {
  copyAtOf,
  draftOf,
  giveBack,
  lateSeconds,
  settleAgainSeconds,
  settleTask,
} from '../settle.ts'
import { withTokens } from '../submit/submit.ts'

const waitSecondsMax = 30
const latePollSeconds = 600
/** A vendor may briefly not know a task that it has just accepted. */
const missingAfterSeconds = 600

/** Takes over what the vendor reports. Only the deadline ends a task that the vendor does not end. */
export const applyReport = async (
  app: App,
  row: tasks.TaskRow,
  report: TaskReport | undefined,
  /** The longest time until the next poll of a task that the vendor did not report. */
  failedWaitSeconds: number,
): Promise<void> => {
  if (!report) return wait(app, row, undefined, failedWaitSeconds)
  const { state, word } = report
  if (state === undefined) {
    app.metrics.alarms.inc({ kind: 'task_state' })
    app.log.warn({ task: row.id, channel: row.channel_id, word }, 'an unknown state of a task')
  }
  if (state === 'completed') return complete(app, row, report)
  if (state === 'failed') return fail(app, row, report.reason || 'The provider failed.')
  if (state === 'missing') {
    if (nowSeconds(app) - row.created_at < missingAfterSeconds) return wait(app, row)
    return fail(app, row, 'The provider does not know this task any more.')
  }
  await wait(app, row, {
    state: state === 'queued' && row.state === 'queued' ? 'queued' : 'in_progress',
    progress: Math.max(row.progress, Math.min(99, Math.trunc(report.progress ?? 0))),
    content_sealed: contentWith(app, row, report),
    started_at: row.started_at || (state === 'queued' ? 0 : nowSeconds(app)),
  })
}

const contentWith = (app: App, row: tasks.TaskRow, { outputs, data }: TaskReport): string =>
  sealContent(app, row.id, { ...openContent(app, row), outputs: outputs ?? [], data })

type ReportedProgress = Pick<tasks.TaskRow, 'state' | 'progress' | 'content_sealed' | 'started_at'>

/** Schedules the next poll with increasing delay, or ends a task at its deadline. */
export const wait = async (
  app: App,
  row: tasks.TaskRow,
  progress?: ReportedProgress,
  secondsMax = waitSecondsMax,
): Promise<void> => {
  const now = nowSeconds(app)
  if (row.state === 'expired') {
    const isOver = now >= row.deadline + lateSeconds
    return tasks.reschedule(app.db, row, isOver ? null : now + latePollSeconds)
  }
  if (now >= row.deadline) {
    const reason = 'The provider did not finish this task in time.'
    return giveBack(app, row, { state: 'expired', reason })
  }
  const seconds = Math.min(waitSecondsMax, secondsMax, 2 ** Math.min(row.attempts, 5))
  const runAt = Math.min(now + seconds, row.deadline)
  if (progress) await tasks.saveProgress(app.db, row, { ...progress, run_at: runAt })
  else await tasks.reschedule(app.db, row, runAt)
}

const fail = async (app: App, row: tasks.TaskRow, reason: string): Promise<void> => {
  if (row.state === 'expired') return tasks.reschedule(app.db, row, null)
  await giveBack(app, row, { state: 'failed', reason })
}

const complete = async (app: App, row: tasks.TaskRow, report: TaskReport): Promise<void> => {
  const now = nowSeconds(app)
  const content = contentWith(app, row, report)
  if (row.state === 'expired') {
    const reason = 'The result came after the deadline and was not charged.'
    const end = {
      ...{ finished_at: now, content_sealed: content, fail_reason: reason },
      copy_run_at: copyAtOf(app),
    }
    return tasks.completeLate(app.db, row, end)
  }
  const decision = {
    ...{ state: 'completed', settlement: 'charging' as const, progress: 100, finished_at: now },
    content_sealed: content,
    receipt_draft: JSON.stringify(withTokens(draftOf(row), report.tokens)),
    run_at: now + settleAgainSeconds,
  }
  if (!(await tasks.decide(app.db, row.id, decision))) return
  failpoint('task decided')
  await settleTask(app, { ...row, ...decision })
}
