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

// Fields, states and codes: https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo
// and …/imageToVideo, whose examples the tests follow.

const actions = new Set(['text2video', 'image2video'])
const modes = new Set(['std', 'pro'])
const secondsMax = 15

/** A model that One Hub's price list names fixes mode and duration. */
const fixedModel = /^kling-video_(.+)_(std|pro)_(\d{1,2})$/

const aspectOf = (width: number, height: number): string => {
  if (width === height) return '1:1'
  return width > height ? '16:9' : '9:16'
}

/** Kling takes base64 without the head of a data URI. */
const imageOf = (image: string | undefined): string | undefined =>
  image?.replace(/^data:[^,]*;base64,/, '')

const nativeBody = ({ model, body, video }: TaskRequest): JsonObject => {
  const [, name = model, mode, duration] = fixedModel.exec(model) ?? []
  const fixed = mode === undefined ? {} : { mode, duration }
  if (!video) return { ...body, model_name: name, ...fixed }
  const { prompt, seconds, width, height, image, lastImage, metadata } = video
  return {
    prompt,
    ...(seconds !== undefined && { duration: String(seconds) }),
    ...(width !== undefined && { aspect_ratio: aspectOf(width, height!) }),
    ...(image !== undefined && { image: imageOf(image) }),
    ...(lastImage !== undefined && { image_tail: imageOf(lastImage) }),
    ...metadata,
    model_name: name,
    ...fixed,
  }
}

const plan = (request: TaskRequest): PlannedTask => {
  const body = nativeBody(request)
  const action = request.video
    ? body.image === undefined && body.image_tail === undefined
      ? 'text2video'
      : 'image2video'
    : request.action
  if (!actions.has(action)) return { invalid: `This action is not served: ${action}.` }
  if (body.callback_url !== undefined)
    return { invalid: "'callback_url' is not supported. Ask for the task instead." }
  const { mode = 'std', duration = '5' } = body
  if (!modes.has(String(mode))) return { invalid: "'mode' must be std or pro." }
  const seconds = Number(duration)
  if (!Number.isInteger(seconds) || seconds < 3 || seconds > secondsMax)
    return { invalid: `'duration' must be a whole number of seconds from 3 to ${secondsMax}.` }
  const fixed = fixedModel.exec(request.model)?.[3]
  if (request.video?.seconds !== undefined && fixed && Number(fixed) !== request.video.seconds)
    return { invalid: `'seconds' must be ${fixed} for this model.` }
  const hasSound = body.sound === 'on' || body.sound === true
  const suffix = hasSound ? '_audio' : ''
  return {
    action,
    prompt: textOf(body.prompt),
    pricing: {
      names: [`kling-video_${String(body.model_name)}_${mode}_${seconds}${suffix}`],
      units: { count: seconds, kinds: [`second_${mode}${suffix}`, `second${suffix}`] },
    },
    request: {
      method: 'POST',
      path: `/v1/videos/${action}`,
      body: { ...body, mode, duration: String(seconds) },
    },
    state: {},
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(objectAt(body, 'data').task_id)
  if (body.code === 0 && upstreamId !== '')
    return { accepted: true, upstreamId, data: objectAt(body, 'data') }
  if (body.code === 0 || body.code === undefined) return undefined
  return refusedTask(status, body.code, body.message)
}

const states: Readonly<Record<string, TaskState>> = {
  submitted: 'queued',
  processing: 'in_progress',
  succeed: 'completed',
  failed: 'failed',
}

const reportOf = (data: JsonObject): TaskReport => {
  const word = textOf(data.task_status)
  const { videos } = objectAt(data, 'task_result')
  const outputs = (Array.isArray(videos) ? videos : [])
    .map((each): TaskOutput => ({ kind: 'video', url: textOf(objectAt(each).url) }))
    .filter(each => each.url !== '')
  return {
    state: stateOf(states, word),
    word,
    progress: stateOf(states, word) === 'in_progress' ? 50 : 0,
    reason: textOf(data.task_status_msg),
    outputs,
    data,
  }
}

/** The names of One Hub's price list, which stand for a video of a mode and length. */
const priceNames = (model: string): string[] =>
  [...modes].flatMap(mode => [5, 10].map(seconds => `kling-video_${model}_${mode}_${seconds}`))

export const tasks: TaskAdapter = {
  apis: ['video', 'kling'],
  plan,
  priceNames,
  readSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `/v1/videos/${task!.action}/${encodeURIComponent(task!.upstreamId)}`,
    }),
    read: (status, body, [task]) => {
      if (status === 404) return new Map([[task!.upstreamId, missingTask(status)]])
      if (status !== 200 || !isJsonObject(body) || body.code !== 0) return undefined
      return new Map([[task!.upstreamId, reportOf(objectAt(body, 'data'))]])
    },
  },
}
