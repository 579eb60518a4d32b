import {
  isJsonObject,
  type JsonObject,
  missingTask,
  objectAt,
  type PlannedTask,
  ratioOf,
  refusedTask,
  type SubmitResult,
  stateOf,
  type TaskAdapter,
  type TaskReport,
  type TaskRequest,
  type TaskState,
  textOf,
} from '../tasks.ts'

// Fields, states and codes: https://www.volcengine.com/docs/85621/1792710 (3.0, 720P), …/1798092 (3.0, 1080P) and …/1777001
// (3.0 Pro)

const pathOf = (action: string): string => `/?Action=${action}&Version=2022-08-31`
const accepted = 10_000
const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const framesPerSecond = 24
const lengths = new Set([5, 10])
/** The review refused the words, an image or the video. */
const refusedByReview = /^50(41[1-3]|51\d|52\d)$/

/**
 * The vendor's name of the model depends on the images. A name of New API's price list stands for all of them:
 * `jimeng_v30` with 720P, `jimeng_v30_1080p`, `jimeng_v30_pro`.
 */
const reqKeyOf = (model: string, images: number): string => {
  if (model === 'jimeng_v30_pro') return 'jimeng_ti2v_v30_pro'
  if (!/^jimeng_v30(_1080p)?$/.test(model)) return model
  if (images === 0) return model.replace('jimeng_v30', 'jimeng_t2v_v30')
  const kind = images === 1 ? 'jimeng_i2v_first_v30' : 'jimeng_i2v_first_tail_v30'
  return model.replace('jimeng_v30', kind).replace('1080p', '1080')
}

const imagesOf = (images: readonly string[]): JsonObject => {
  if (images.length === 0) return {}
  return images[0]!.startsWith('data:')
    ? { binary_data_base64: images.map(each => each.replace(/^data:[^,]*;base64,/, '')) }
    : { image_urls: images }
}

const plan = ({ model, video }: TaskRequest): PlannedTask => {
  if (!video) return { invalid: 'Only videos are served.' }
  const { prompt, metadata } = video
  const images = [video.image, video.lastImage].filter(each => each !== undefined)
  if (new Set(images.map(each => each.startsWith('data:'))).size > 1)
    return { invalid: "'images' must all be addresses, or all be files." }
  const refused = ['image_urls', 'binary_data_base64', 'req_json'].find(
    each => metadata[each] !== undefined,
  )
  if (refused !== undefined) return { invalid: `'${refused}' is not supported. Leave it out.` }
  const ratio = ratioOf(video, ratios)
  if (video.width !== undefined && ratio === undefined)
    return { invalid: `'size' must have one of these ratios: ${ratios.join(', ')}.` }
  const reqKey = reqKeyOf(model, images.length)
  const resolution = /1080|pro/.test(reqKey) ? '1080p' : '720p'
  if (video.width !== undefined && `${Math.min(video.width, video.height!)}p` !== resolution)
    return { invalid: `'size' must have a shorter side of ${resolution.slice(0, -1)}.` }
  const body: JsonObject = {
    frames: (video.seconds ?? 5) * framesPerSecond + 1,
    ...(ratio !== undefined && images.length === 0 && { aspect_ratio: ratio }),
    ...metadata,
    ...{ req_key: reqKey, prompt },
    ...imagesOf(images),
  }
  const seconds = (Number(body.frames) - 1) / framesPerSecond
  if (!lengths.has(seconds)) return { invalid: "'seconds' must be 5 or 10." }
  return {
    ...{ action: images.length === 0 ? 'text2video' : 'image2video', prompt },
    pricing: { units: { count: seconds, kinds: [`second_${resolution}`, 'second'] } },
    request: {
      method: 'POST',
      path: pathOf('CVSync2AsyncSubmitTask'),
      body: { ...body, frames: Number(body.frames) },
    },
    state: { req_key: reqKey },
  }
}

const readSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(objectAt(body, 'data').task_id)
  if (body.code === accepted)
    return upstreamId === ''
      ? undefined
      : { accepted: true, upstreamId, data: objectAt(body, 'data') }
  if (body.code !== undefined) return refusedTask(status, body.code, body.message)
  // The gateway in front of the service has errors of its own.
  const error = objectAt(body, 'ResponseMetadata', 'Error')
  return error.Code === undefined ? undefined : refusedTask(status, error.Code, error.Message)
}

const states: Readonly<Record<string, TaskState | 'missing'>> = {
  in_queue: 'queued',
  generating: 'in_progress',
  done: 'completed',
  not_found: 'missing',
  expired: 'failed',
}

/** Undefined: an error that says nothing about the task. */
const reportOf = (body: JsonObject): TaskReport | undefined => {
  const data = objectAt(body, 'data')
  const code = textOf(body.code)
  const word = textOf(data.status) || code
  const reason = textOf(body.message) || word
  if (body.code !== accepted)
    return refusedByReview.test(code) ? { state: 'failed', word, reason, data: {} } : undefined
  const url = textOf(data.video_url)
  const state = stateOf(states, word)
  const outputs = url === '' ? [] : [{ kind: 'video' as const, url }]
  return { state, word, reason: word, outputs, data: { status: word } }
}

export const tasks: TaskAdapter = {
  apis: ['video'],
  plan,
  readSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'POST',
      path: pathOf('CVSync2AsyncGetResult'),
      body: { req_key: task!.state.req_key, task_id: task!.upstreamId },
    }),
    read: (status, body, [task]) => {
      if (status === 404) return new Map([[task!.upstreamId, missingTask(status)]])
      const report = isJsonObject(body) ? reportOf(body) : undefined
      return report && new Map([[task!.upstreamId, report]])
    },
  },
}
