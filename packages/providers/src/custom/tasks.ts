import {
  isJsonObject,
  type JsonObject,
  missingTask,
  objectAt,
  type PlannedTask,
  type PolledTask,
  refusedTask,
  resolutionOf,
  type SubmitResult,
  stateOf,
  type TaskAdapter,
  type TaskOutput,
  type TaskPricing,
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
  type VideoRequest,
} from '../tasks.ts'
import { withoutVersion } from './paths.ts'

// Servers with OpenAI's videos, such as One Hub and New API: https://developers.openai.com/api/reference/resources/videos and
// https://docs.newapi.pro/en/docs/api/ai-model/videos/sora/createvideo. New API's older interface:
// https://docs.newapi.pro/en/docs/api/ai-model/videos/createvideogeneration

/** Fields that would change the length or the size behind the price. */
const refusedFields = [
  ...['seconds', 'duration', 'durationSeconds', 'frames', 'size', 'resolution', 'width', 'height'],
  ...['n', 'sampleCount', 'parameters', 'callback_url'],
]

const videosPath = '/v1/videos'
const generationsPath = '/v1/video/generations'

/** The path of the server's interface, stored with each task. */
type Paths = { tasks: string; videos: string }

const pathsOf = ({ channel }: TaskRequest): Paths => {
  const { baseUrl = '', options = {} } = channel ?? {}
  const isOlder = options.videos?.older === true
  const videos = withoutVersion(videosPath, baseUrl)
  return { tasks: isOlder ? withoutVersion(generationsPath, baseUrl) : videos, videos }
}

const pricingOf = ({ metadata, seconds, ...size }: VideoRequest): TaskPricing => {
  const kind = textOf(metadata.mode) || resolutionOf({ metadata, seconds, ...size })
  const kinds = [...(kind === undefined ? [] : [`second_${kind}`]), 'second']
  return { units: { count: seconds, kinds } }
}

const imagesOf = ({ image, lastImage }: VideoRequest): JsonObject => {
  if (lastImage !== undefined) return { images: [image, lastImage] }
  return image === undefined ? {} : { input_reference: image }
}

const plan = (request: TaskRequest): PlannedTask => {
  const { model, video, origin } = request
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, seconds, width, height, image, lastImage, metadata } = video
  const refused = refusedFields.find(each => metadata[each] !== undefined)
  if (refused !== undefined) return { invalid: `'${refused}' cannot be priced here. Leave it out.` }
  if (image === undefined && lastImage !== undefined)
    return { invalid: "'last_image' needs 'input_reference'." }
  const paths = pathsOf(request)
  const isOlder = paths.tasks !== paths.videos
  const shared = { prompt, pricing: pricingOf(video), state: paths }
  if (origin) {
    const path = `${paths.videos}/${encodeURIComponent(origin.upstreamId)}/remix`
    return { ...shared, action: 'remix', request: { method: 'POST', path, body: { prompt } } }
  }
  const body: JsonObject = {
    ...{ model, prompt },
    ...(seconds !== undefined && (isOlder ? { duration: seconds } : { seconds: String(seconds) })),
    ...(width !== undefined && { size: `${width}x${height}` }),
    ...imagesOf(video),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  const action = image === undefined ? 'text2video' : 'image2video'
  return { ...shared, action, request: { method: 'POST', path: paths.tasks, body } }
}

/** New API's older interface wraps the task. */
const taskIn = (body: JsonObject): JsonObject =>
  isJsonObject(body.data) && body.object !== 'video' ? body.data : body

/** 501 says that no channel there can do this, which is a refusal and no failure. */
const refusalOf = (status: number, body: JsonObject): SubmitResult => {
  const { code = body.code, message = body.message } = objectAt(body, 'error')
  return refusedTask(status === 501 ? 400 : status, code, message)
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  if (status >= 300) return refusalOf(status, body)
  const task = taskIn(body)
  const upstreamId = textOf(task.id) || textOf(task.task_id)
  return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: {} }
}

const states: Readonly<Record<string, TaskState>> = {
  not_start: 'queued',
  submitted: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  processing: 'in_progress',
  completed: 'completed',
  success: 'completed',
  succeeded: 'completed',
  failed: 'failed',
  failure: 'failed',
}

/** Some releases of New API have the result in `fail_reason`. Undefined: the server's own address has it. */
const linkOf = (task: JsonObject): string | undefined =>
  [task.result_url, task.url, objectAt(task, 'data').url, task.fail_reason]
    .map(textOf)
    .find(each => /^https?:\/\//.test(each) && !/\/v1\/videos\/[^/]+\/content$/.test(each))

const outputOf = (task: JsonObject, { upstreamId, state }: PolledTask): TaskOutput => {
  const { tasks, videos } = state as Partial<Paths>
  const url = tasks === videos ? undefined : linkOf(task)
  if (url !== undefined) return { kind: 'video', url }
  const path = `${videos ?? videosPath}/${encodeURIComponent(upstreamId)}/content`
  return { kind: 'video', url: `https://channel${path}`, needsKey: true }
}

const reportOf = (body: JsonObject, polled: PolledTask): TaskReport => {
  const task = taskIn(body)
  const word = textOf(task.status)
  const state = stateOf(states, word)
  const progress = Number.parseInt(textOf(task.progress), 10)
  return {
    ...{ state, word, data: {} },
    ...(Number.isInteger(progress) && { progress }),
    reason: textOf(objectAt(task, 'error').message) || textOf(task.fail_reason),
    outputs: state === 'completed' ? [outputOf(task, polled)] : [],
  }
}

const isUnknown = (status: number, body: unknown): boolean =>
  status === 404 || (status === 400 && objectAt(body).code === 'task_not_exist')

export const tasks: TaskAdapter = {
  apis: ['video'],
  remixes: true,
  plan,
  readSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `${textOf(task!.state.tasks)}/${encodeURIComponent(task!.upstreamId)}`,
    }),
    read: (status, body, [task]) => {
      if (isUnknown(status, body)) return new Map([[task!.upstreamId, missingTask(status)]])
      if (status !== 200 || !isJsonObject(body)) return undefined
      return new Map([[task!.upstreamId, reportOf(body, task!)]])
    },
  },
}
