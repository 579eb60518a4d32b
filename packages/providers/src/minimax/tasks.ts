import {
  isJsonObject,
  type JsonObject,
  objectAt,
  type PlannedTask,
  refusedTask,
  type SubmitResult,
  secondsOf,
  stateOf,
  type TaskAdapter,
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
} from '../tasks.ts'

// Fields: https://platform.minimax.io/docs/api-reference/video-generation-t2v and …/video-generation-i2v.
// States: https://platform.minimax.io/docs/api-reference/video-generation-query. The file's address:
// https://platform.minimax.io/docs/api-reference/video-generation-download

const resolutions = new Set(['512P', '720P', '768P', '1080P'])
const lengths = new Set([6, 10])
/** The models before Hailuo 02 make 6 seconds at 720P only. */
const oldModel = /-01\b/

const plan = ({ model, video }: TaskRequest): PlannedTask => {
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, width, height, image, lastImage, metadata } = video
  const side = width === undefined ? undefined : `${Math.min(width, height!)}P`
  const body: JsonObject = {
    resolution: side ?? (oldModel.test(model) ? '720P' : '768P'),
    duration: video.seconds ?? 6,
    ...metadata,
    ...{ model, prompt },
    ...(image !== undefined && { first_frame_image: image }),
    ...(lastImage !== undefined && { last_frame_image: lastImage }),
  }
  if (body.callback_url !== undefined)
    return { invalid: "'callback_url' is not supported. Ask for the task instead." }
  const resolution = textOf(body.resolution)
  if (!resolutions.has(resolution))
    return { invalid: `'size' must have a shorter side of 512, 720, 768 or 1080.` }
  const seconds = secondsOf(body.duration, 1, 10)
  if (seconds === undefined || !lengths.has(seconds))
    return { invalid: "'seconds' must be 6 or 10." }
  const unit = `second_${resolution.toLowerCase()}`
  return {
    ...{ action: image === undefined ? 'text2video' : 'image2video', prompt, state: {} },
    // Ten seconds cost twice as much as six, so a price may name the length.
    pricing: { units: { count: seconds, kinds: [`${unit}_${seconds}s`, unit, 'second'] } },
    request: {
      method: 'POST',
      path: '/v1/video_generation',
      body: { ...body, duration: seconds },
    },
  }
}

const codeOf = (body: unknown): unknown => objectAt(body, 'base_resp').status_code

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(body.task_id)
  const { status_code: code, status_msg: message } = objectAt(body, 'base_resp')
  if (code === 0) return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: body }
  return code === undefined ? undefined : refusedTask(status, code, message)
}

const states: Readonly<Record<string, TaskState>> = {
  preparing: 'queued',
  queueing: 'queued',
  processing: 'in_progress',
  success: 'completed',
  fail: 'failed',
}

const reportOf = (body: JsonObject): TaskReport => {
  const word = textOf(body.status)
  const reference = textOf(body.file_id)
  return {
    state: stateOf(states, word),
    word,
    reason: textOf(objectAt(body, 'base_resp').status_msg),
    outputs: reference === '' ? [] : [{ kind: 'video', url: '', reference }],
    data: body,
  }
}

export const tasks: TaskAdapter = {
  apis: ['video'],
  plan,
  readSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `/v1/query/video_generation?task_id=${encodeURIComponent(task!.upstreamId)}`,
    }),
    read: (status, body, [task]) =>
      status === 200 && isJsonObject(body) && codeOf(body) === 0
        ? new Map([[task!.upstreamId, reportOf(body)]])
        : undefined,
  },
  locate: {
    request: ({ reference = '' }) => ({
      method: 'GET',
      path: `/v1/files/retrieve?file_id=${encodeURIComponent(reference)}`,
    }),
    read: body => textOf(objectAt(body, 'file').download_url) || undefined,
  },
}
