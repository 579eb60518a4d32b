import { Fault } from '@hub/contract'
import { type CallerFormat, openaiChat, openaiImages } from '@hub/dialects'
import { isJsonObject, type JsonObject } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import * as tasks from '../../../db/queries/tasks.ts'
import type { AuthenticatedContext, RequestContext } from '../../../relay/context.ts'
import { type Route, routeIn, unknown } from '../../../relay/formats/route.ts'
import { runOnceByKey } from '../../../relay/idempotency/run-once.ts'
import { readBody } from '../../../relay/request/body.ts'
import { originOf } from '../../../relay/request/origin.ts'
import { writeJson } from '../../../relay/response/write.ts'
import { openContent } from '../../content.ts'
import { requireTask, type TaskHandler, taskHandler } from '../../handler.ts'
import { readCallback } from '../../submit/callback-address.ts'
import { type NewTask, submitTask } from '../../submit/submit.ts'
import { parseObject } from '../video/request.ts'
import { presentSuno } from './present.ts'

const actions = ['MUSIC', 'LYRICS']
const lyricsModel = 'suno_lyrics'
const songModel = 'chirp-v3-0'
/** The largest list that is answered. */
const listMax = 100

const lastOf = ({ path }: RequestContext): string => path.split('/').at(-1) ?? ''

const invalid = (hint: string) => new Fault('request.invalid', { hint })

const readAction = (context: RequestContext): string => {
  const action = lastOf(context).toUpperCase()
  if (!actions.includes(action)) throw invalid("The action must be 'music' or 'lyrics'.")
  return action
}

const readModel = (action: string, { mv = songModel }: JsonObject): string => {
  if (action === 'LYRICS') return lyricsModel
  if (typeof mv !== 'string' || mv === '') throw invalid("'mv' must be the name of a model.")
  return mv
}

type Continued = Pick<NewTask, 'account'> & Pick<NewTask['request'], 'origin'>

/** The earlier task that a song continues. It must belong to the caller, and so must the clip. */
const readOrigin = async (
  app: App,
  context: AuthenticatedContext,
  { task_id, continue_clip_id }: JsonObject,
): Promise<Continued> => {
  if (!task_id && !continue_clip_id) return {}
  if (typeof task_id !== 'string' || task_id === '')
    throw invalid("'continue_clip_id' needs the 'task_id' of its task.")
  const row = await requireTask(app, context, ['suno'], task_id)
  const { data, state } = openContent(app, row)
  if (continue_clip_id && !clipIds(data.result).includes(continue_clip_id))
    throw new Fault('stored.unknown', { hint: "'continue_clip_id' is no clip of this task." })
  return {
    account: { channelId: row.channel_id, credential: row.credential },
    origin: { upstreamId: row.upstream_id, action: row.action, state },
  }
}

const clipIds = (result: unknown): unknown[] =>
  (Array.isArray(result) ? result : []).filter(isJsonObject).map(each => each.id)

const create: TaskHandler = async (app, context, admission) => {
  const action = readAction(context)
  const identity = await readBody(app, context)
  const { notify_hook, ...body } = parseObject(identity)
  const models = [readModel(action, body)]
  const { account, origin } = await readOrigin(app, context, body)
  const callback = await readCallback(app, context, 'notify_hook', notify_hook)
  await runOnceByKey(app, context, identity, async idempotency => {
    const request = { api: 'suno' as const, action, body, ...(origin && { origin }) }
    const task = { models, request, account, callback, admission, idempotency }
    const row = await submitTask(app, context, task)
    writeJson(context, { code: 'success', message: '', data: row.public_id })
  })
}

const readIds = (body: JsonObject): string[] => {
  const { ids } = body
  if (!Array.isArray(ids) || !ids.every(each => typeof each === 'string'))
    throw invalid("'ids' must be a list of task ids.")
  return ids.slice(0, listMax)
}

const list: TaskHandler = async (app, context) => {
  const ids = readIds(parseObject(await readBody(app, context)))
  const criteria = { userId: context.caller.userId, platform: 'suno', ids, limit: listMax }
  const rows = await tasks.listOwned(app.callDb, { ...criteria, order: 'desc' })
  const data = rows.map(row => presentSuno(app, originOf(context), row))
  writeJson(context, { code: 'success', message: '', data })
}

const show: TaskHandler = async (app, context) => {
  const row = await requireTask(app, context, ['suno'], lastOf(context))
  writeJson(context, {
    code: 'success',
    message: '',
    data: presentSuno(app, originOf(context), row),
  })
}

/** Codes of One Hub, which its clients compare. */
const codes: Readonly<Record<string, string>> = { 'stored.unknown': 'task_not_exist' }

/** Errors of Suno's interface are `{code, message}`, with the status of the error. */
const sunoFormat: CallerFormat = {
  ...openaiImages,
  encodeFault: info => {
    const { status, headers, body } = openaiImages.encodeFault(info)
    const { code, message } = JSON.parse(body).error
    return { status, headers, body: JSON.stringify({ code: codes[info.code] ?? code, message }) }
  },
}

const route = routeIn(sunoFormat)

/** One Hub's interface of a Suno-API server. */
export const sunoRoutes: readonly Route[] = [
  route('POST', '/suno/submit/:action', 'suno-create', taskHandler(create)),
  route('POST', '/suno/fetch', 'suno-list', taskHandler(list)),
  route('GET', '/suno/fetch/:id', 'suno-show', taskHandler(show)),
  ...unknown('/suno/*', openaiChat),
]
