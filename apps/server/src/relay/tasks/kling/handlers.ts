import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import type { RequestContext } from '../../context.ts'
import { withIdempotency } from '../../idempotency/with-idempotency.ts'
import { readBody } from '../../request/body.ts'
import { writeJson } from '../../response/write.ts'
import { openContent, visibleState } from '../content.ts'
import { taskHandler } from '../handler.ts'
import { requireTask } from '../owned.ts'
import { submitTask } from '../submit.ts'
import { contentUrl } from '../video/present.ts'
import { parseObject } from '../video/request.ts'

const words = {
  queued: 'submitted',
  in_progress: 'processing',
  completed: 'succeed',
  failed: 'failed',
  expired: 'failed',
} as const

/** A task as Kling's API shows it, with the ids and addresses of this gateway. */
const present = (app: App, context: RequestContext, row: TaskRow) => {
  const state = visibleState(row)
  const { outputs, data } = openContent(app, row)
  const stored = (data.task_result as { videos?: Record<string, unknown>[] } | undefined)?.videos
  const videos = outputs.map((_, at) => ({
    ...{ id: `${row.public_id}-${at}`, duration: stored?.[at]?.duration ?? '' },
    url: contentUrl(app, context, row, at),
  }))
  return {
    code: 0,
    message: 'SUCCEED',
    request_id: context.requestId,
    data: {
      task_id: row.public_id,
      task_status: words[state],
      task_status_msg: row.fail_reason,
      created_at: row.created_at * 1_000,
      updated_at: (row.finished_at || row.started_at || row.created_at) * 1_000,
      ...(state === 'completed' && { task_result: { videos } }),
    },
  }
}

const lastOf = (path: string): string => path.split('/').at(-1) ?? ''

/** The model key of One Hub's price list, and the plain model. */
const modelsOf = ({
  model_name = 'kling-v1',
  mode = 'std',
  duration = '5',
}: Record<string, unknown>) => [`kling-video_${model_name}_${mode}_${duration}`, String(model_name)]

/** https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo */
export const klingHandlers = {
  'kling-create': taskHandler(async (app, context, limited) => {
    const identity = await readBody(app, context)
    const body = { model_name: 'kling-v1', ...parseObject(identity) }
    await withIdempotency(app, context, identity, async idempotency => {
      const request = { api: 'kling' as const, action: lastOf(context.path), body }
      const models = modelsOf(body)
      const row = await submitTask(app, context, { models, request, limited, idempotency })
      writeJson(context, present(app, context, row))
    })
  }),
  'kling-show': taskHandler(async (app, context) => {
    const row = await requireTask(app, context, ['kling'], lastOf(context.path))
    writeJson(context, present(app, context, row))
  }),
}
