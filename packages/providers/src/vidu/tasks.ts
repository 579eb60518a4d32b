import {
  isJsonObject,
  type JsonObject,
  missingTask,
  objectAt,
  type PlannedTask,
  ratioOf,
  refusedTask,
  resolutionOf,
  type SubmitResult,
  secondsOf,
  stateOf,
  type TaskAdapter,
  type TaskOutput,
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
} from '../tasks.ts'

// Fields and states: https://platform.vidu.com/docs/text-to-video, …/image-to-video, …/start-end-to-video, …/get-generation

const resolutions = new Set(['360p', '540p', '720p', '1080p'])
const ratios = ['16:9', '9:16', '4:3', '3:4', '1:1']
const secondsMax = 16
const secondsDefault = 5

const plan = ({ model, video }: TaskRequest): PlannedTask => {
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, image, lastImage, metadata } = video
  const images = [image, lastImage].filter(each => each !== undefined)
  const action = ['text2video', 'img2video', 'start-end2video'][images.length]!
  const ratio = ratioOf(video, ratios)
  // The default of each model differs, and the price must be known, so both are always sent.
  const body: JsonObject = {
    resolution: resolutionOf(video) ?? (model === 'viduq1' ? '1080p' : '720p'),
    duration: video.seconds ?? secondsDefault,
    ...(ratio !== undefined && images.length === 0 && { aspect_ratio: ratio }),
    ...metadata,
    ...{ model, prompt },
    ...(images.length > 0 && { images }),
  }
  if (body.callback_url !== undefined)
    return { invalid: "'callback_url' is not supported. Ask for the task instead." }
  if (video.width !== undefined && ratio === undefined)
    return { invalid: `'size' must have one of these ratios: ${ratios.join(', ')}.` }
  const resolution = textOf(body.resolution)
  if (!resolutions.has(resolution))
    return { invalid: `'size' must have a shorter side of 360, 540, 720 or 1080.` }
  const seconds = secondsOf(body.duration, 1, secondsMax)
  if (seconds === undefined)
    return { invalid: `'seconds' must be a whole number from 1 to ${secondsMax}.` }
  const unit = `second_${resolution}`
  return {
    ...{ action, prompt, state: {} },
    // The first second of some models costs more, so a price may name the length.
    pricing: { units: { count: seconds, kinds: [`${unit}_${seconds}s`, unit, 'second'] } },
    request: { method: 'POST', path: `/ent/v2/${action}`, body: { ...body, duration: seconds } },
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(body.task_id)
  if (status < 300)
    return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: body }
  return refusedTask(status, body.reason ?? body.code, body.message)
}

const states: Readonly<Record<string, TaskState>> = {
  created: 'queued',
  queueing: 'queued',
  processing: 'in_progress',
  success: 'completed',
  failed: 'failed',
}

const reportOf = (body: JsonObject): TaskReport => {
  const word = textOf(body.state)
  const outputs = (Array.isArray(body.creations) ? body.creations : [])
    .map((each): TaskOutput => ({ kind: 'video', url: textOf(objectAt(each).url) }))
    .filter(each => each.url !== '')
  return { state: stateOf(states, word), word, reason: textOf(body.err_code), outputs, data: body }
}

export const tasks: TaskAdapter = {
  apis: ['video'],
  plan,
  readSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `/ent/v2/tasks/${encodeURIComponent(task!.upstreamId)}/creations`,
    }),
    read: (status, body, [task]) => {
      if (status === 404) return new Map([[task!.upstreamId, missingTask(status)]])
      if (status !== 200 || !isJsonObject(body)) return undefined
      return new Map([[task!.upstreamId, reportOf(body)]])
    },
  },
}
