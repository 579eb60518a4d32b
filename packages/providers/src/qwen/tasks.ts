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
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
  type VideoRequest,
} from '../tasks.ts'

// Wan. Fields and states of 2.7 and later: https://www.alibabacloud.com/help/en/model-studio/text-to-video-api-reference
// and …/image-to-video-general-api-reference. Of earlier models: …/legacy-wan-text-to-video-api-reference,
// …/legacy-image-to-video-api-reference and …/image-to-video-by-first-and-last-frame-api-reference.

const services = '/api/v1/services/aigc'
const laterModel = /^wan(2\.[7-9]|[3-9])/
const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4']
const resolutions = new Set(['480P', '720P', '1080P'])
const secondsDefault = 5
const secondsMax = 15

/** Sizes of the earlier text-to-video models, by the resolution that they are sold as. */
const sizes: Readonly<Record<string, readonly string[]>> = {
  '480P': ['832*480', '480*832', '624*624'],
  '720P': ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  '1080P': ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
}
const inputFields = new Set(['negative_prompt', 'audio_url'])
/** Fields that change the price or the kind of the task in another way than those that it is priced by. */
const refusedFields = ['media', 'template', 'n', 'img_url', 'first_frame_url', 'last_frame_url']

type WanVideo = {
  path: string
  input: JsonObject
  parameters: JsonObject
  resolution: string
}

const plan = ({ model, video }: TaskRequest): PlannedTask => {
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, image, metadata } = video
  const refused = refusedFields.find(each => metadata[each] !== undefined)
  if (refused !== undefined) return { invalid: `'${refused}' is not supported. Leave it out.` }
  const made = laterModel.test(model) ? laterVideo(video) : earlierVideo(video)
  if ('invalid' in made) return made
  const { path, input, parameters, resolution } = made
  if (!resolutions.has(resolution))
    return { invalid: `'size' must be one of 480P, 720P or 1080P, such as 1280x720.` }
  const seconds = secondsOf(parameters.duration, 2, secondsMax)
  if (seconds === undefined)
    return { invalid: `'seconds' must be a whole number from 2 to ${secondsMax}.` }
  const kinds = [`second_${resolution.toLowerCase()}`, 'second']
  const isSilent = parameters.audio === false
  return {
    ...{ action: image === undefined ? 'text2video' : 'image2video', prompt, state: {} },
    pricing: {
      units: {
        count: seconds,
        kinds: isSilent ? [...kinds.map(each => `${each}_silent`), ...kinds] : kinds,
      },
    },
    request: {
      method: 'POST',
      path: `${services}/${path}`,
      headers: { 'x-dashscope-async': 'enable' },
      body: { model, input, parameters: { ...parameters, duration: seconds } },
    },
  }
}

/** The caller's fields of the vendor, by the part of the body that they belong to. */
const metadataOf = ({ metadata }: VideoRequest, isInput: boolean): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => inputFields.has(name) === isInput))

const laterVideo = (video: VideoRequest): WanVideo | { invalid: string } => {
  const { prompt, image, lastImage } = video
  const ratio = ratioOf(video, ratios)
  if (video.width !== undefined && ratio === undefined)
    return { invalid: `'size' must have one of these ratios: ${ratios.join(', ')}.` }
  const media = [
    ...(image === undefined ? [] : [{ type: 'first_frame', url: image }]),
    ...(lastImage === undefined ? [] : [{ type: 'last_frame', url: lastImage }]),
  ]
  const parameters: JsonObject = {
    resolution: (resolutionOf(video) ?? '720p').toUpperCase(),
    duration: video.seconds ?? secondsDefault,
    // A video of an image has the image's ratio.
    ...(ratio !== undefined && media.length === 0 && { ratio }),
    ...metadataOf(video, false),
  }
  return {
    path: 'video-generation/video-synthesis',
    input: { prompt, ...(media.length > 0 && { media }), ...metadataOf(video, true) },
    parameters,
    resolution: textOf(parameters.resolution),
  }
}

const earlierVideo = (video: VideoRequest): WanVideo | { invalid: string } => {
  const { prompt, image, lastImage } = video
  const duration = video.seconds ?? secondsDefault
  if (image === undefined && lastImage !== undefined)
    return { invalid: "'last_image' needs 'input_reference'." }
  const input = { prompt, ...metadataOf(video, true) }
  if (image === undefined) {
    const size = video.width === undefined ? '1280*720' : `${video.width}*${video.height}`
    const parameters = { size, duration, ...metadataOf(video, false) }
    const [resolution = ''] =
      Object.entries(sizes).find(([, each]) => each.includes(textOf(parameters.size))) ?? []
    return { path: 'video-generation/video-synthesis', input, parameters, resolution }
  }
  const parameters: JsonObject = {
    resolution: (resolutionOf(video) ?? '720p').toUpperCase(),
    duration,
    ...metadataOf(video, false),
  }
  const shared = { parameters, resolution: textOf(parameters.resolution) }
  if (lastImage === undefined)
    return {
      ...{ path: 'video-generation/video-synthesis', ...shared },
      input: { ...input, img_url: image },
    }
  return {
    ...{ path: 'image2video/video-synthesis', ...shared },
    input: { ...input, first_frame_url: image, last_frame_url: lastImage },
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(objectAt(body, 'output').task_id)
  if (status < 300 && body.code === undefined)
    return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: body }
  return refusedTask(status, body.code, body.message)
}

/** `UNKNOWN`: "The task does not exist or its status is unknown." */
const states: Readonly<Record<string, TaskState | 'missing'>> = {
  pending: 'queued',
  running: 'in_progress',
  suspended: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
  unknown: 'missing',
}

const reportOf = (body: JsonObject): TaskReport => {
  const output = objectAt(body, 'output')
  const word = textOf(output.task_status)
  const url = textOf(output.video_url)
  return {
    state: stateOf(states, word),
    word,
    reason: textOf(output.message) || textOf(body.message) || word,
    outputs: url === '' ? [] : [{ kind: 'video', url }],
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
      path: `/api/v1/tasks/${encodeURIComponent(task!.upstreamId)}`,
    }),
    read: (status, body, [task]) => {
      if (status === 404) return new Map([[task!.upstreamId, missingTask(status)]])
      if (status !== 200 || !isJsonObject(body)) return undefined
      return new Map([[task!.upstreamId, reportOf(body)]])
    },
  },
}
