import { objectAt, type TaskAdapter, type TaskOutput, textOf } from '../tasks.ts'
import { planVeo, readVeoOperation, readVeoSubmit } from './veo.ts'

/** The result is a file of the key's account: https://ai.google.dev/gemini-api/docs/video */
export const tasks: TaskAdapter = {
  apis: ['video'],
  imagesAsBytes: true,
  plan: planVeo((model, method) => `/v1beta/models/${encodeURIComponent(model)}:${method}`),
  readSubmit: readVeoSubmit,
  poll: {
    batchMax: 1,
    request: ([task]) => ({
      method: 'GET',
      path: `/v1beta/${task!.upstreamId.split('/').map(encodeURIComponent).join('/')}`,
    }),
    read: readVeoOperation(response => {
      const { generatedSamples } = objectAt(response, 'generateVideoResponse')
      return (Array.isArray(generatedSamples) ? generatedSamples : [])
        .map(each => textOf(objectAt(each, 'video').uri))
        .filter(uri => URL.canParse(uri))
        .map((url): TaskOutput => ({ kind: 'video', url, needsKey: true }))
    }),
  },
}
