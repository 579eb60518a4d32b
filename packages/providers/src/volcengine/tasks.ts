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

// Fields: https://www.volcengine.com/docs/82379/1520757. States and usage: https://www.volcengine.com/docs/82379/1521309.

const path = '/api/v3/contents/generations/tasks'
const ratios = ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9']
const secondsDefault = 5
const secondsMin = 2
const secondsMax = 15
const framesPerSecond = 24
/** Pixels of a frame at most, whatever its ratio. Tokens are pixels × frames / 1024. */
const pixelsMax: Readonly<Record<string, number>> = {
  '480p': 420_000,
  '720p': 930_000,
  '1080p': 2_100_000,
}
/** Older models read parameters in the prompt, which would change the price behind its back. */
const promptParameter = /--(rs|resolution|dur|duration|fps|framespersecond|frames|rt|ratio)\b/i
/** Fields that would change the price in another way than the fields that it is made from. */
const unpricedFields = ['frames', 'framespersecond', 'service_tier', 'draft', 'callback_url']

const contentOf = ({ prompt, image, lastImage }: VideoRequest) => [
  ...(prompt === '' ? [] : [{ type: 'text', text: prompt }]),
  ...(image === undefined
    ? []
    : [{ type: 'image_url', image_url: { url: image }, role: 'first_frame' }]),
  ...(lastImage === undefined
    ? []
    : [{ type: 'image_url', image_url: { url: lastImage }, role: 'last_frame' }]),
]

const plan = ({ model, video }: TaskRequest): PlannedTask => {
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, metadata } = video
  if (promptParameter.test(prompt))
    return { invalid: "'prompt' must not have parameters. Use 'size' and 'seconds'." }
  const ratio = ratioOf(video, ratios)
  if (video.width !== undefined && ratio === undefined)
    return { invalid: `'size' must have one of these ratios: ${ratios.join(', ')}.` }
  const wrong = [...unpricedFields, 'content'].find(each => metadata[each] !== undefined)
  if (wrong !== undefined) return { invalid: `'${wrong}' cannot be priced here. Leave it out.` }
  const body: JsonObject = {
    resolution: resolutionOf(video) ?? '720p',
    duration: video.seconds ?? secondsDefault,
    ...(ratio !== undefined && { ratio }),
    ...metadata,
    ...{ model, content: contentOf(video) },
  }
  const resolution = textOf(body.resolution)
  const pixels = Object.hasOwn(pixelsMax, resolution) ? pixelsMax[resolution]! : undefined
  if (pixels === undefined)
    return { invalid: `'size' must have a shorter side of 480, 720 or 1080.` }
  const seconds = secondsOf(body.duration, secondsMin, secondsMax)
  if (seconds === undefined)
    return { invalid: `'seconds' must be a whole number from ${secondsMin} to ${secondsMax}.` }
  return {
    ...{ action: 'generate', prompt, state: {} },
    pricing: {
      units: { count: seconds, kinds: [`second_${resolution}`, 'second'] },
      tokensMax: Math.ceil((pixels * framesPerSecond * (seconds + 1)) / 1_024),
    },
    request: { method: 'POST', path, body: { ...body, duration: seconds } },
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(body.id)
  if (status < 300)
    return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: body }
  const { code, message } = objectAt(body, 'error')
  return refusedTask(status, code, message)
}

const states: Readonly<Record<string, TaskState>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

const reportOf = (body: JsonObject): TaskReport => {
  const word = textOf(body.status)
  const url = textOf(objectAt(body, 'content').video_url)
  const { completion_tokens: tokens } = objectAt(body, 'usage')
  return {
    state: stateOf(states, word),
    word,
    reason: textOf(objectAt(body, 'error').message) || word,
    outputs: url === '' ? [] : [{ kind: 'video', url }],
    ...(Number.isSafeInteger(tokens) && { tokens: tokens as number }),
    data: body,
  }
}

export const tasks: TaskAdapter = {
  apis: ['video'],
  plan,
  readSubmit,
  // A queued task becomes cancelled, a running one is refused, and the record of an ended one is deleted:
  // https://www.volcengine.com/docs/82379/1521720
  cancel: ({ upstreamId }) => ({
    method: 'DELETE',
    path: `${path}/${encodeURIComponent(upstreamId)}`,
  }),
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `${path}/${encodeURIComponent(task!.upstreamId)}`,
    }),
    read: (status, body, [task]) => {
      if (status === 404) return new Map([[task!.upstreamId, missingTask(status)]])
      if (status !== 200 || !isJsonObject(body)) return undefined
      return new Map([[task!.upstreamId, reportOf(body)]])
    },
  },
}
