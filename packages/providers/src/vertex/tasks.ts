import { planVeo, readVeoOperation, readVeoSubmit } from '../gemini/veo.ts'
import { objectAt, type TaskAdapter, type TaskOutput, type VendorTaskRequest } from '../tasks.ts'
import { modelSegment } from './gemini.ts'

const pathOf = (model: string, method: string): string =>
  `/publishers/google/models/${modelSegment(model)}:${method}`

const fileField = 'bytesBase64Encoded'

/** Operations are asked for at their model: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
const operationRequest = (operationName: string, model: string): VendorTaskRequest => ({
  method: 'POST',
  path: pathOf(model, 'fetchPredictOperation'),
  body: { operationName },
  fileField,
})

/** The answer holds the video as long as the service keeps the operation. One in a bucket has no bytes. */
const outputsOf = ({ videos }: { videos?: unknown }, reference: string): TaskOutput[] =>
  (Array.isArray(videos) ? videos : [])
    .filter(each => typeof objectAt(each)[fileField] === 'string')
    .map((_, fileIndex) => ({ kind: 'video', url: '', reference, fileIndex }))

const modelIn = (operationName: string): string =>
  /\/models\/([^/]+)\/operations\//.exec(operationName)?.[1] ?? ''

export const tasks: TaskAdapter = {
  apis: ['video'],
  imagesAsBytes: true,
  plan: planVeo(pathOf),
  readSubmit: readVeoSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => operationRequest(task!.upstreamId, task!.model),
    read: readVeoOperation(outputsOf),
  },
  locate: {
    request: ({ reference = '' }) => operationRequest(reference, modelIn(reference)),
    read: () => undefined,
  },
}
