import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import { openContent, visibleState } from '../../content.ts'
import { linkQuery } from '../../output.ts'

/** The four states that OpenAI documents: https://developers.openai.com/api/reference/resources/videos */
const statusOf = (row: TaskRow): 'queued' | 'in_progress' | 'completed' | 'failed' => {
  const state = visibleState(row)
  return state === 'expired' ? 'failed' : state
}

/** A task as a video object of OpenAI's API. */
export const presentVideo = (app: App, row: TaskRow) => {
  const { prompt, request } = openContent(app, row)
  const status = statusOf(row)
  const { seconds, width, height, remixedFrom = null } = request
  return {
    id: row.public_id,
    object: 'video',
    model: row.model,
    status,
    progress: status === 'completed' ? 100 : row.progress,
    created_at: row.created_at,
    completed_at: status === 'completed' ? row.finished_at : null,
    expires_at: null,
    prompt,
    seconds: seconds === undefined ? '' : String(seconds),
    size: width === undefined ? '' : `${width}x${height}`,
    remixed_from_video_id: remixedFrom,
    error: status === 'failed' ? { code: row.state, message: row.fail_reason } : null,
  }
}

/** The words of New API's older interface. */
const generationStates = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
} as const

/** A task as New API's `/v1/video/generations/:id` shows it. */
export const presentGeneration = (app: App, origin: string, row: TaskRow) => {
  const video = presentVideo(app, row)
  const url = video.status === 'completed' ? contentUrl(app, origin, row) : ''
  return {
    code: 'success',
    message: '',
    data: {
      task_id: row.public_id,
      action: row.action,
      status: generationStates[video.status],
      fail_reason: video.error?.message ?? '',
      submit_time: row.created_at,
      start_time: row.started_at,
      finish_time: video.status === 'completed' || video.status === 'failed' ? row.finished_at : 0,
      progress: `${video.progress}%`,
      result_url: url,
      data: { ...video, ...(url !== '' && { url }) },
    },
  }
}

/** A signed address of a result at this gateway. */
export const contentUrl = (app: App, origin: string, row: TaskRow, at = 0): string =>
  `${origin}/v1/videos/${row.public_id}/content?${linkQuery(app, row, at)}`

/** An event as OpenAI documents it: https://developers.openai.com/api/docs/guides/video-generation */
export const presentEvent = (app: App, _origin: string, row: TaskRow) => ({
  ...{ id: `evt_${row.public_id}`, object: 'event', created_at: row.finished_at },
  type: visibleState(row) === 'completed' ? 'video.completed' : 'video.failed',
  data: presentVideo(app, row),
})
