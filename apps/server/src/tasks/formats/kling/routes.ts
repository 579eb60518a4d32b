import { openaiChat, openaiImages } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import type { RequestContext } from '../../../relay/context.ts'
import { type Route, routeIn, unknown } from '../../../relay/formats/route.ts'
import { runOnceByKey } from '../../../relay/idempotency/run-once.ts'
import { readBody } from '../../../relay/request/body.ts'
import { originOf } from '../../../relay/request/origin.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { requireTask, type TaskHandler, taskHandler } from '../../handler.ts'
import { readCallback } from '../../submit/callback-address.ts'
import { submitTask } from '../../submit/submit.ts'
import { parseObject } from '../video/request.ts'
import { presentKling } from './present.ts'

const present = (app: App, context: RequestContext, row: TaskRow) => ({
  ...{ code: 0, message: 'SUCCEED', request_id: context.requestId },
  data: presentKling(app, originOf(context), row),
})

const lastOf = (path: string): string => path.split('/').at(-1) ?? ''

/** The model key of One Hub's price list, and the plain model. */
const modelsOf = ({
  model_name = 'kling-v1',
  mode = 'std',
  duration = '5',
}: Record<string, unknown>) => [`kling-video_${model_name}_${mode}_${duration}`, String(model_name)]

const create: TaskHandler = async (app, context, admission) => {
  const identity = await readBody(app, context)
  const { callback_url, ...fields } = parseObject(identity)
  const callback = await readCallback(app, context, 'callback_url', callback_url)
  const body = { model_name: 'kling-v1', ...fields }
  await runOnceByKey(app, context, identity, async idempotency => {
    const request = { api: 'kling' as const, action: lastOf(context.path), body }
    const task = { models: modelsOf(body), request, callback, admission, idempotency }
    writeJson(context, present(app, context, await submitTask(app, context, task)))
  })
}

const show: TaskHandler = async (app, context) => {
  const row = await requireTask(app, context, ['kling'], lastOf(context.path))
  writeJson(context, present(app, context, row))
}

const route = routeIn(openaiImages)

/** https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo */
export const klingRoutes: readonly Route[] = [
  ...['text2video', 'image2video'].flatMap(action => [
    route('POST', `/kling/v1/videos/${action}`, 'kling-create', taskHandler(create)),
    route('GET', `/kling/v1/videos/${action}/:id`, 'kling-show', taskHandler(show)),
  ]),
  ...unknown('/kling/*', openaiChat),
]
