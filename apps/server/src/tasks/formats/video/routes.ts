import { Fault } from '@hub/contract'
import { openaiImages } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import * as tasks from '../../../db/queries/tasks.ts'
import { identify } from '../../../relay/auth/identify.ts'
import type { RequestContext } from '../../../relay/context.ts'
import { type Route, routeIn } from '../../../relay/formats/route.ts'
import { runOnceByKey } from '../../../relay/idempotency/run-once.ts'
import { admit } from '../../../relay/limits/admit.ts'
import { originOf } from '../../../relay/request/origin.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { openContent, visibleState } from '../../content.ts'
import { requireTask, type TaskHandler, taskHandler } from '../../handler.ts'
import { readLink, sendOutput } from '../../output.ts'
import { submitTask } from '../../submit/submit.ts'
import { presentGeneration, presentVideo } from './present.ts'
import { readRemixRequest, readVideoRequest, remixOf } from './request.ts'

/** `/v1/videos/:id`, also with a suffix. */
const idIn = ({ path }: RequestContext): string =>
  /\/(?:videos|generations)\/([^/]+)/.exec(path)?.[1] ?? ''

const createWith =
  (present: (app: App, row: tasks.TaskRow) => unknown): TaskHandler =>
  async (app, context, admission) => {
    const { model, video, callback, identity } = await readVideoRequest(app, context)
    await runOnceByKey(app, context, identity, async idempotency => {
      const request = { api: 'video' as const, action: '', body: {}, video }
      const task = { models: [model], request, callback, admission, idempotency }
      const row = await submitTask(app, context, task)
      writeJson(context, present(app, row))
    })
  }

const onlyCompleted = 'Only a completed video can be remixed.'

/** Makes a new video from one of the caller's, of its length and size, at the account that has it. */
const remix: TaskHandler = async (app, context, admission) => {
  const origin = await requireTask(app, context, ['video'], idIn(context))
  const { prompt, identity } = await readRemixRequest(app, context)
  if (visibleState(origin) !== 'completed')
    throw new Fault('request.invalid', { hint: onlyCompleted })
  const { request: originRequest, state } = openContent(app, origin)
  const { upstream_id: upstreamId, action, channel_id: channelId, credential, model } = origin
  await runOnceByKey(app, context, identity, async idempotency => {
    const request = {
      ...{ api: 'video' as const, action: 'remix', body: {} },
      video: remixOf(prompt, originRequest),
      origin: { upstreamId, action, state },
    }
    const row = await submitTask(app, context, {
      ...{ models: [model], request, account: { channelId, credential }, admission, idempotency },
      shownRequest: { ...originRequest, remixedFrom: origin.public_id },
    })
    writeJson(context, presentVideo(app, row))
  })
}

const showWith =
  (present: (app: App, origin: string, row: tasks.TaskRow) => unknown): TaskHandler =>
  async (app, context) => {
    const row = await requireTask(app, context, ['video'], idIn(context))
    writeJson(context, present(app, originOf(context), row))
  }

const limitMax = 100
const limitDefault = 20

const readLimit = (text: string | null): number => {
  const limit = text === null ? limitDefault : Number(text)
  if (Number.isSafeInteger(limit) && limit > 0 && limit <= limitMax) return limit
  throw new Fault('request.invalid', { hint: `'limit' must be a number from 1 to ${limitMax}.` })
}

const list: TaskHandler = async (app, context) => {
  const query = new URLSearchParams(context.query)
  const limit = readLimit(query.get('limit'))
  const after = query.get('after')
  const rows = await tasks.listOwned(app.callDb, {
    userId: context.caller.userId,
    platform: 'video',
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    after: after === null ? undefined : (await requireTask(app, context, ['video'], after)).id,
    limit: limit + 1,
  })
  const data = rows.slice(0, limit).map(row => presentVideo(app, row))
  writeJson(context, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rows.length > limit,
  })
}

const remove: TaskHandler = async (app, context) => {
  const row = await requireTask(app, context, ['video'], idIn(context))
  if (!(await tasks.remove(app.callDb, row.id, nowSeconds(app))))
    throw new Fault('response.running', { hint: 'Delete the video once it has ended.' })
  writeJson(context, { id: row.public_id, object: 'video.deleted', deleted: true })
}

/** A signed address needs no key; it names one output of one task. */
const sendContent = async (app: App, context: RequestContext): Promise<void> => {
  context.request.resume()
  const query = new URLSearchParams(context.query)
  const id = idIn(context)
  const at = readLink(app, id, query)
  if (at !== undefined) {
    const row = await tasks.findPublic(app.callDb, id)
    if (!row) throw new Fault('stored.unknown')
    return sendOutput(app, context, row, { at })
  }
  const variant = query.get('variant') ?? 'video'
  if (variant !== 'video') throw new Fault('request.invalid', { hint: "'variant' must be video." })
  const identified = await identify(app, context)
  await using _admission = await admit(app, identified)
  await sendOutput(app, context, await requireTask(app, identified, ['video', 'kling'], id))
}

/** The answer of New API's older interface. */
const presentSubmitted = (app: App, row: tasks.TaskRow) => ({
  ...presentVideo(app, row),
  task_id: row.public_id,
})

const route = routeIn(openaiImages)

const showVideo = showWith((app, _origin, row) => presentVideo(app, row))
const createGeneration = createWith(presentSubmitted)

/** https://developers.openai.com/api/reference/resources/videos */
const videosAt = (path: string): Route[] => [
  route('POST', path, 'video-create', taskHandler(createWith(presentVideo))),
  route('GET', path, 'video-list', taskHandler(list)),
  route('GET', `${path}/:id`, 'video-show', taskHandler(showVideo)),
  route('DELETE', `${path}/:id`, 'video-delete', taskHandler(remove)),
  route('GET', `${path}/:id/content`, 'video-content', sendContent),
  route('POST', `${path}/:id/remix`, 'video-remix', taskHandler(remix)),
]

/** OpenAI's interface, also at Google's addresses for its clients, and the older interface of New API. */
export const videoRoutes: readonly Route[] = [
  ...['/v1/videos', '/v1beta/openai/videos'].flatMap(videosAt),
  route('POST', '/v1/video/generations', 'generation-create', taskHandler(createGeneration)),
  route(
    'GET',
    '/v1/video/generations/:id',
    'generation-show',
    taskHandler(showWith(presentGeneration)),
  ),
]
