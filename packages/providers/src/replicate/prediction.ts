import { decodeCommonFault, type Json } from '@hub/dialects'
import type { PendingResult } from '../define.ts'
import { parseObject } from '../openai-fields.ts'

/** The longest time that the vendor holds an answer: https://replicate.com/docs/topics/predictions/create-a-prediction */
export const waitSeconds = 60

/** Statuses without a result: https://replicate.com/docs/topics/predictions/lifecycle */
export const hasEnded = (status: unknown): boolean =>
  status === 'failed' || status === 'canceled' || status === 'aborted'

export const isRunning = (status: unknown): boolean =>
  status === 'starting' || status === 'processing'

/** A prediction that takes longer than the vendor holds its answer: https://replicate.com/docs/reference/http#predictions.get */
export const awaitPrediction = (isPending: (prediction: Json) => boolean): PendingResult => ({
  idIn: answer => {
    const { id, status } = (answer ?? {}) as Json
    if (!isRunning(status) || !isPending(answer as Json)) return undefined
    return typeof id === 'string' && /^\w+$/.test(id) ? id : undefined
  },
  path: id => `/v1/predictions/${id}`,
  cancelPath: id => `/v1/predictions/${id}/cancel`,
})

/** Reads the failure of a prediction, whose answer has a good status. */
export const decodePredictionFault = (body: Buffer) => {
  const { status, error } = parseObject(body) ?? {}
  if (status === 'failed' && typeof error === 'string') {
    const isCallers = /NSFW|sensitive|safety|invalid/i.test(error)
    return { message: error, type: isCallers ? 'invalid_request_error' : '', code: '' }
  }
  if (status === 'canceled' || status === 'aborted')
    return { message: `The prediction was ${status} by its deadline.`, type: '', code: '504' }
  return decodeCommonFault(body)
}
