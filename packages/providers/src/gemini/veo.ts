import {
  isJsonObject,
  type JsonObject,
  missingTask,
  objectAt,
  type PlannedTask,
  type PolledTask,
  ratioOf,
  refusedTask,
  resolutionOf,
  type SubmitResult,
  secondsOf,
  type TaskOutput,
  type TaskReport,
  type TaskRequest,
  textOf,
} from '../tasks.ts'

// Fields: https://ai.google.dev/gemini-api/docs/video and
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation

const ratios = ['16:9', '9:16']
const resolutions = new Set(['720p', '1080p', '4k'])
const secondsDefault = 8
/** Fields that change the price or the place of the result. */
const refusedFields = ['sampleCount', 'storageUri', 'pubsubTopic']

/** Both services take images as bytes only. */
const imageOf = (image: string): JsonObject => {
  const [, mimeType = '', bytesBase64Encoded = ''] = /^data:([^;]*);base64,(.*)$/s.exec(image) ?? []
  return { bytesBase64Encoded, mimeType }
}

/** Plans a video of Veo. `pathOf` is the address of a model's method. */
export const planVeo =
  (pathOf: (model: string, method: string) => string) =>
  ({ model, video }: TaskRequest): PlannedTask => {
    if (!video) return { invalid: 'Only videos are served.' }
    const { prompt, image, lastImage, metadata } = video
    const refused = refusedFields.find(each => metadata[each] !== undefined)
    if (refused !== undefined) return { invalid: `'${refused}' is not supported. Leave it out.` }
    const ratio = ratioOf(video, ratios)
    if (video.width !== undefined && ratio === undefined)
      return { invalid: `'size' must have one of these ratios: ${ratios.join(', ')}.` }
    const named = resolutionOf(video)?.replace('2160p', '4k')
    const parameters: JsonObject = {
      // Veo 2 makes one resolution and knows no such field.
      ...(named !== undefined || !model.startsWith('veo-2') ? { resolution: named ?? '720p' } : {}),
      durationSeconds: video.seconds ?? secondsDefault,
      ...(ratio !== undefined && { aspectRatio: ratio }),
      ...metadata,
    }
    const resolution = textOf(parameters.resolution ?? '720p')
    if (!resolutions.has(resolution))
      return { invalid: `'size' must have a shorter side of 720, 1080 or 2160.` }
    const seconds = secondsOf(parameters.durationSeconds, 4, 8)
    if (seconds === undefined) return { invalid: "'seconds' must be a whole number from 4 to 8." }
    const kinds = [`second_${resolution}`, 'second']
    const isSilent = parameters.generateAudio === false
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
        path: pathOf(model, 'predictLongRunning'),
        body: {
          instances: [
            {
              prompt,
              ...(image !== undefined && { image: imageOf(image) }),
              ...(lastImage !== undefined && { lastFrame: imageOf(lastImage) }),
            },
          ],
          parameters: { ...parameters, durationSeconds: seconds },
        },
      },
    }
  }

export const readVeoSubmit = (status: number, body: unknown): SubmitResult | undefined => {
  if (!isJsonObject(body)) return undefined
  const upstreamId = textOf(body.name)
  if (status < 300)
    return upstreamId === '' ? undefined : { accepted: true, upstreamId, data: body }
  const error = objectAt(body, 'error')
  return refusedTask(status, error.status, error.message)
}

type OutputsOf = (response: JsonObject, name: string) => readonly TaskOutput[]

/** Reads a long-running operation: https://ai.google.dev/api/batch-api#Operation */
export const readVeoOperation =
  (outputsOf: OutputsOf) =>
  (
    status: number,
    body: unknown,
    [task]: readonly PolledTask[],
  ): ReadonlyMap<string, TaskReport> | undefined => {
    const { upstreamId } = task!
    if (status === 404) return new Map([[upstreamId, missingTask(status)]])
    if (status !== 200 || !isJsonObject(body)) return undefined
    return new Map([[upstreamId, reportOf(body, upstreamId, outputsOf)]])
  }

const reportOf = (body: JsonObject, name: string, outputsOf: OutputsOf): TaskReport => {
  if (body.done !== true) return { state: 'in_progress', word: 'running', data: {} }
  const response = objectAt(body, 'response')
  const outputs = outputsOf(response, name)
  if (outputs.length > 0) return { state: 'completed', word: 'done', outputs, data: {} }
  const reason = textOf(objectAt(body, 'error').message) || filteredReason(response)
  return { state: 'failed', word: 'done', reason, data: {} }
}

/** An operation may be done without a video: the words or the images were against the rules. */
const filteredReason = (response: JsonObject): string => {
  for (const each of [response, objectAt(response, 'generateVideoResponse')]) {
    const { raiMediaFilteredReasons: reasons } = each
    const [first] = Array.isArray(reasons) ? reasons : []
    if (textOf(first) !== '') return textOf(first)
  }
  return 'The provider made no video that can be delivered.'
}
