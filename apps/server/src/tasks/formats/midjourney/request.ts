import { Fault } from '@hub/contract'
import {
  type JsonObject,
  type MidjourneyAction,
  type MidjourneyMode,
  midjourneyModels,
  readMidjourneyAction,
  readMidjourneyMode,
  textOf,
} from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { TaskRow } from '../../../db/queries/tasks.ts'
import type { AuthenticatedContext, RequestContext } from '../../../relay/context.ts'
import { openContent, visibleState } from '../../content.ts'
import { requireTask } from '../../handler.ts'
import { readCallback } from '../../submit/callback-address.ts'
import type { TaskCriteria } from '../../submit/candidates.ts'
import type { NewTask } from '../../submit/submit.ts'
import { noticeAddress } from './notify.ts'

/** `/mj/submit/imagine` or `/mj-turbo/mj/submit/imagine`. */
const parts = /^(?:\/([^/]+))?\/mj\/(.+)$/

/** Reads the mode and the proxy's path. Throws `request.invalid` where the mode is unknown. */
export const readAddress = ({
  path,
}: Pick<RequestContext, 'path'>): { mode: MidjourneyMode; action: string } => {
  const [, prefix = 'fast', action = ''] = parts.exec(path) ?? []
  const mode = readMidjourneyMode(prefix)
  if (!mode) throw invalid('The speed mode must be fast, relax or turbo.')
  // A name of ours for the address that the proxy has at another place.
  return { mode, action: action === 'submit/swap-face' ? 'insight-face/swap' : action }
}

const invalid = (hint: string) => new Fault('request.invalid', { hint })

/** No account of the proxy is free for this speed: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
const noAccount = '3'

type Origin = { row: TaskRow; state: JsonObject }

/** Reads a submission. A task that it continues must be the caller's, and decides about account and mode. */
export const readSubmission = async (
  app: App,
  context: AuthenticatedContext,
  body: JsonObject,
): Promise<
  Pick<
    NewTask,
    'models' | 'request' | 'account' | 'fallback' | 'callback' | 'publicId' | 'shownRequest'
  >
> => {
  const { mode: requestedMode, action: path } = readAddress(context)
  const read = readMidjourneyAction(path, body)
  if (!read) throw new Fault('route.unknown')
  if ('invalid' in read) throw invalid(read.invalid)
  const origin = read.taskId === '' ? undefined : await findOrigin(app, context, read)
  const mode = readMidjourneyMode(textOf(origin?.state.mode)) ?? requestedMode
  const { notifyHook: callbackUrl, ...fields } = body
  const callback = await readCallback(app, context, 'notifyHook', callbackUrl)
  const publicId = String(context.id)
  const notifyHook = noticeAddress(app, publicId)
  const criteriaIn = (speed: MidjourneyMode): TaskCriteria => ({
    models: midjourneyModels(read.action, speed),
    request: {
      ...{ api: 'midjourney', action: path },
      body: {
        ...fields,
        accountFilter: { modes: [speed.toUpperCase()] },
        ...(notifyHook !== undefined && { notifyHook }),
      },
      ...(origin && {
        origin: {
          ...{ upstreamId: origin.row.upstream_id, action: origin.row.action },
          state: origin.state,
        },
      }),
    },
  })
  return {
    ...criteriaIn(mode),
    // Accounts without fast hours left still work in the relaxed speed.
    ...(mode === 'fast' &&
      !origin && { fallback: { code: noAccount, criteria: criteriaIn('relax') } }),
    ...(origin && {
      account: { channelId: origin.row.channel_id, credential: origin.row.credential },
    }),
    callback,
    publicId,
    shownRequest: shownFields(body),
  }
}

const findOrigin = async (
  app: App,
  context: AuthenticatedContext,
  { taskId, acceptsUnfinished }: MidjourneyAction,
): Promise<Origin> => {
  const row = await requireTask(app, context, ['midjourney'], taskId)
  const isReady = acceptsUnfinished ? row.upstream_id !== '' : visibleState(row) === 'completed'
  if (!isReady) throw invalid('The task that this one continues has not succeeded.')
  return { row, state: openContent(app, row).state }
}

const shownMax = 1_000

/** The short texts that answers repeat; images are not stored. */
const shownFields = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    ['state', 'botType', 'customId'].flatMap(name => {
      const text = textOf(body[name]).slice(0, shownMax)
      return text === '' ? [] : [[name, text]]
    }),
  )
