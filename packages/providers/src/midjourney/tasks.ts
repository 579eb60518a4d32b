import {
  isJsonObject,
  type JsonObject,
  objectAt,
  type PlannedTask,
  refusedTask,
  type SubmitResult,
  stateOf,
  type TaskAdapter,
  type TaskOutput,
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
} from '../tasks.ts'
import { modeOf, readMidjourneyAction } from './actions.ts'

// Answers, codes and states: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md

/** Words of a prompt that choose another speed than the one that is paid. */
const modeFlags = /\s*--(?:fast|relax|turbo)\b/gi

const withoutModeFlags = (prompt: string): string => prompt.replace(modeFlags, '').trim()

/** The body with the ids of the proxy. */
const vendorBody = ({ body, origin }: TaskRequest): JsonObject => {
  const { prompt, taskId, content } = body
  return {
    ...body,
    ...(typeof prompt === 'string' && { prompt: withoutModeFlags(prompt) }),
    ...(origin && taskId !== undefined && { taskId: origin.upstreamId }),
    ...(origin &&
      content !== undefined && {
        content: `${origin.upstreamId} ${textOf(content).trim().split(/\s+/).at(-1)}`,
      }),
  }
}

const plan = (request: TaskRequest): PlannedTask => {
  const read = readMidjourneyAction(request.action, request.body)
  if (!read || 'invalid' in read) return { invalid: read?.invalid ?? 'This action is not served.' }
  const body = vendorBody(request)
  const own = withoutModeFlags(textOf(body.prompt))
  const prompt = own || textOf(request.origin?.state.prompt)
  return {
    action: read.action,
    prompt: read.action === 'SWAP_FACE' ? 'InsightFace' : prompt,
    pricing: {},
    request: { method: 'POST', path: `/mj/${request.action}`, body },
    state: { prompt, mode: modeOf(request.body) },
  }
}

/** Accepted, accepted before, and accepted into the queue. */
const acceptedCodes = new Set([1, 21, 22])

/** HTTP statuses that stand for the proxy's codes, which it sends with status 200. */
const statuses: Readonly<Record<number, number>> = {
  // No account is free, or the task is unknown.
  3: 503,
  5: 500,
  9: 500,
  // The queue is full.
  23: 429,
  30: 429,
}

const uploaded = (result: readonly unknown[], data: JsonObject): SubmitResult => ({
  accepted: true,
  upstreamId: 'upload',
  data: { ...data, result: result.map(textOf) },
  // Nothing more happens to an upload, and the proxy has no task for it.
  report: { state: 'completed', word: 'SUCCESS', outputs: [], data },
})

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  // An answer about the channel's own secret is not for the caller.
  if (status === 401 || status === 403)
    return refusedTask(status, '', objectAt(body).description ?? objectAt(body, 'error').message)
  if (!isJsonObject(body) || typeof body.code !== 'number') return undefined
  const { code, description, result, properties } = body
  const answer = { code, description: textOf(description), properties: objectAt(properties) }
  if (!acceptedCodes.has(code))
    return {
      ...refusedTask(status >= 400 ? status : (statuses[code] ?? 400), code, description),
      answer: { status, body: { ...answer, result: textOf(result) } },
    }
  if (Array.isArray(result)) return uploaded(result, answer)
  const upstreamId = textOf(result)
  return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: answer }
}

const states: Readonly<Record<string, TaskState>> = {
  not_start: 'queued',
  submitted: 'queued',
  in_progress: 'in_progress',
  // Waits for the caller's `submit/modal`.
  modal: 'in_progress',
  success: 'completed',
  failure: 'failed',
  cancel: 'failed',
}

const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const videosOf = ({ videoUrl, videoUrls }: JsonObject): string[] => {
  const listed = listAt(videoUrls).map(each => textOf(objectAt(each).url))
  return (listed.length > 0 ? listed : [textOf(videoUrl)]).filter(each => each !== '')
}

const outputsOf = (task: JsonObject): TaskOutput[] => {
  const image = textOf(task.imageUrl)
  return [
    ...(image === '' ? [] : [{ kind: 'image' as const, url: image }]),
    ...videosOf(task).map(url => ({ kind: 'video' as const, url })),
  ]
}

const reportOf = (task: JsonObject): TaskReport => {
  const word = textOf(task.status)
  return {
    state: stateOf(states, word),
    word,
    progress: Number.parseInt(textOf(task.progress), 10) || 0,
    reason: textOf(task.failReason),
    outputs: outputsOf(task),
    data: task,
  }
}

const batchMax = 100

export const tasks: TaskAdapter = {
  apis: ['midjourney'],
  plan,
  readSubmit,
  poll: {
    batchMax,
    request: polled => ({
      method: 'POST',
      path: '/mj/task/list-by-condition',
      body: { ids: [...new Set(polled.map(each => each.upstreamId))] },
    }),
    read: (status, body, polled) => {
      if (status !== 200 || !Array.isArray(body)) return undefined
      const byId = new Map(body.map(each => [textOf(objectAt(each).id), objectAt(each)]))
      return new Map(
        polled.map(({ upstreamId }): [string, TaskReport] => {
          const task = byId.get(upstreamId)
          return [upstreamId, task ? reportOf(task) : { state: 'missing', word: '', data: {} }]
        }),
      )
    },
  },
}
