import {
  isJsonObject,
  type JsonObject,
  missingTask,
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

// Paths, fields, states and examples: https://xiaotian.apifox.cn/api-230451836 (a song),
// https://docs.yutoai.net/en/api/api-175909212.html (lyrics), https://docs.uniapi.ai/operations/post-suno-submit-fetch (batch)

const plan = ({ action, model, body, origin }: TaskRequest): PlannedTask => {
  if (body.notify_hook !== undefined)
    return { invalid: "'notify_hook' is not supported. Ask for the task instead." }
  const isLyrics = action === 'LYRICS'
  if (isLyrics && textOf(body.prompt) === '') return { invalid: "'prompt' must be a text." }
  return {
    action,
    prompt: textOf(body.gpt_description_prompt) || textOf(body.prompt),
    pricing: {},
    request: {
      method: 'POST',
      path: `/suno/submit/${action.toLowerCase()}`,
      body: {
        ...body,
        ...(!isLyrics && { mv: model }),
        // The caller knows the task by an id of this gateway.
        ...(origin && { task_id: origin.upstreamId }),
      },
    },
    state: {},
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const { code, message } = body
  if (code !== 'success') return code === undefined ? undefined : refusedTask(status, code, message)
  const upstreamId = textOf(body.data)
  return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: {} }
}

const states: Readonly<Record<string, TaskState>> = {
  not_start: 'queued',
  submitted: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  success: 'completed',
  failure: 'failed',
}

const clipsOf = (data: unknown): JsonObject[] =>
  (Array.isArray(data) ? data : [data]).filter(isJsonObject)

/** A song has audio, and mostly a video and a cover; lyrics are a text. */
const outputsOf = (clip: JsonObject): TaskOutput[] => {
  const metadata = objectAt(clip, 'metadata')
  const work = {
    id: textOf(clip.id),
    title: textOf(clip.title),
    tags: textOf(metadata.tags),
    text: textOf(clip.text) || textOf(metadata.prompt),
  }
  const files: TaskOutput[] = [
    { kind: 'audio' as const, url: textOf(clip.audio_url), work },
    { kind: 'video' as const, url: textOf(clip.video_url), work },
    { kind: 'image' as const, url: textOf(clip.image_large_url) || textOf(clip.image_url), work },
  ].filter(each => each.url !== '')
  return files.length > 0 ? files : [{ kind: 'text', url: '', work }]
}

const reportOf = (task: JsonObject): TaskReport => {
  const word = textOf(task.status)
  const progress = Number.parseInt(textOf(task.progress), 10)
  return {
    ...{ state: stateOf(states, word), word },
    progress: Number.isNaN(progress) ? 0 : progress,
    reason: textOf(task.fail_reason),
    outputs: clipsOf(task.data).flatMap(outputsOf),
    // Wrapped, because the data of songs is a list and that of lyrics an object.
    data: { result: task.data ?? null },
  }
}

/** A server answers with at most 100 tasks. */
const batchMax = 50

export const tasks: TaskAdapter = {
  apis: ['suno'],
  plan,
  readSubmit,
  poll: {
    batchMax,
    request: polled => ({
      method: 'POST',
      path: '/suno/fetch',
      body: { ids: polled.map(each => each.upstreamId) },
    }),
    read: (status, body, polled) => {
      if (status !== 200 || !isJsonObject(body) || body.code !== 'success') return undefined
      if (!Array.isArray(body.data)) return undefined
      const found = new Map(clipsOf(body.data).map(each => [textOf(each.task_id), reportOf(each)]))
      return new Map(
        polled.map(({ upstreamId }) => [upstreamId, found.get(upstreamId) ?? missingTask(status)]),
      )
    },
  },
}
