import type { Usage } from '@hub/dialects'
import {
  type DetachedDraft,
  detachedCall,
  settleDetached,
  voidDetached,
} from '../billing/calls/detached.ts'
import type { App } from '../core/app.ts'
import { nowSeconds } from '../core/app.ts'
import { emit } from '../core/notifications/emit.ts'
import { administrators } from '../db/queries/notification-targets.ts'
import * as tasks from '../db/queries/tasks.ts'
import { failpoint } from '../lib/failpoint.ts'
import { billOfStored } from '../relay/references/stored-bill.ts'

/** The fields of the receipt and log row that are known when a task is submitted. */
export type TaskDraft = DetachedDraft & {
  /** The name that it is billed under. */
  model: string
  requestedModel: string
  usage: Usage
  /** Names of the caller's headers that the vendor did not get. */
  headersNotPassed?: string[] | undefined
}

/** A decision that is not posted yet is tried again after this time. */
export const settleAgainSeconds = 30
/** A result that comes this long after the deadline is still delivered. */
export const lateSeconds = 24 * 3_600
const latePollSeconds = 600

export const draftOf = ({ receipt_draft }: Pick<tasks.TaskRow, 'receipt_draft'>): TaskDraft =>
  JSON.parse(receipt_draft) as TaskDraft

/** Posts the end that was decided. Any process may, any number of times: the charge has the task's id. */
export const settleTask = async (app: App, row: tasks.TaskRow): Promise<void> => {
  const { id, settlement, state } = row
  if (settlement === 'charging') {
    const { charged } = await settleDetached(app, detachedCall(row.id, row, draftOf(row)), {
      ...resultOf(row),
      bill: await billOf(app, row),
    })
    failpoint('task charged')
    await tasks.finishSettlement(app.callDb, id, {
      ...{ to: 'charged', quota: charged, runAt: null, now: nowSeconds(app) },
      copyAt: copyAtOf(app),
    })
    return
  }
  if (settlement !== 'releasing') return
  await voidDetached(app, id)
  failpoint('task released')
  const now = nowSeconds(app)
  const runAt = state === 'expired' ? now + latePollSeconds : null
  await tasks.finishSettlement(app.callDb, id, {
    to: 'released',
    quota: 0,
    runAt,
    now,
    copyAt: null,
  })
}

/** When the results of a task that has just completed are copied. Null: the operator keeps no copies. */
export const copyAtOf = (app: App): number | null =>
  app.settings().tasks.TaskCopyDays > 0 ? nowSeconds(app) : null

type End = { state: 'failed' | 'expired'; reason: string; orphan?: boolean }

/** Ends a task without a charge, unless it has ended already. */
export const giveBack = async (
  app: App,
  row: tasks.TaskRow,
  { state, reason, orphan = false }: End,
): Promise<void> => {
  const now = nowSeconds(app)
  const decision = {
    state,
    settlement: 'releasing' as const,
    progress: row.progress,
    finished_at: now,
    run_at: now + settleAgainSeconds,
    fail_reason: reason.slice(0, 1_000),
    orphan: Number(orphan),
  }
  const isDecided = await app.callDb.transaction().execute(async tx => {
    if (!(await tasks.decide(tx, row.id, decision))) return false
    await emit(app, tx, {
      event: 'task.failed',
      key: `task.failed:${row.user_id}`,
      userIds: [row.user_id],
      facts: { model: draftOf(row).model, reason: decision.fail_reason },
    })
    await emit(app, tx, {
      event: 'task.failed',
      key: 'task.failed',
      userIds: [administrators],
      facts: { model: draftOf(row).model, reason: decision.fail_reason },
    })
    return true
  })
  if (!isDecided) return
  if (orphan) {
    app.log.warn({ task: row.id, channel: row.channel_id, reason }, 'a vendor may have this task')
    app.metrics.alarms.inc({ kind: 'task_orphan' })
  }
  failpoint('task decided')
  await settleTask(app, { ...row, ...decision })
}

const billOf = (app: App, row: tasks.TaskRow) =>
  billOfStored(app, { channelId: row.channel_id, model: draftOf(row).requestedModel })

const resultOf = (row: tasks.TaskRow) => {
  const { model, requestedModel, usage, headersNotPassed } = draftOf(row)
  return {
    ...{ model, requestedModel, usage, headersNotPassed },
    channelId: row.channel_id,
    estimated: false,
    finish: 'complete' as const,
    stream: false,
    firstByteMs: 0,
    warnings: [],
  }
}
