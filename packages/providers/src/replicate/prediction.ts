import { decodeCommonFault } from '@hub/dialects'
import { parseObject } from '../openai-fields.ts'

/** The longest time that the vendor holds an answer: https://replicate.com/docs/topics/predictions/create-a-prediction */
export const waitSeconds = 60

/** Reads the failure of a prediction, whose answer has a good status. */
export const decodePredictionFault = (body: Buffer) => {
  const { status, error } = parseObject(body) ?? {}
  if (status === 'failed' && typeof error === 'string') {
    const isCallers = /NSFW|sensitive|safety|invalid/i.test(error)
    return { message: error, type: isCallers ? 'invalid_request_error' : '', code: '' }
  }
  if (status === 'starting' || status === 'processing')
    return { message: `No result within ${waitSeconds} s.`, type: '', code: '504' }
  return decodeCommonFault(body)
}
