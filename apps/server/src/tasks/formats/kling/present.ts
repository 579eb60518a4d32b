import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import { openContent, visibleState } from '../../content.ts'
import { contentUrl } from '../video/present.ts'

const words = {
  queued: 'submitted',
  in_progress: 'processing',
  completed: 'succeed',
  failed: 'failed',
  expired: 'failed',
} as const

/** A task as Kling's API and its callbacks show it, with the ids and addresses of this gateway. */
export const presentKling = (app: App, origin: string, row: TaskRow) => {
  const state = visibleState(row)
  const { outputs, data } = openContent(app, row)
  const stored = (data.task_result as { videos?: Record<string, unknown>[] } | undefined)?.videos
  const videos = outputs.map((_, at) => ({
    ...{ id: `${row.public_id}-${at}`, duration: stored?.[at]?.duration ?? '' },
    url: contentUrl(app, origin, row, at),
  }))
  return {
    task_id: row.public_id,
    task_status: words[state],
    task_status_msg: row.fail_reason,
    created_at: row.created_at * 1_000,
    updated_at: (row.finished_at || row.started_at || row.created_at) * 1_000,
    ...(state === 'completed' && { task_result: { videos } }),
  }
}
