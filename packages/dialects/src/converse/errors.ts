import type { JsonObject } from '../json/json.ts'
import { decodeFault as decodePlain } from '../openai-chat/errors.ts'

/** Documented status of each exception; an exception inside a stream has no other status. */
const statuses: Readonly<Record<string, string>> = {
  accessDenied: '403',
  internalServer: '500',
  modelError: '424',
  modelNotReady: '429',
  modelStreamError: '424',
  modelTimeout: '408',
  resourceNotFound: '404',
  serviceUnavailable: '503',
  throttling: '429',
  validation: '400',
}

/**
 * Decodes `{ message }`, or `{ Message }` from the API gateway of the vendor.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
export const decodeFault = (body: Buffer): { message: string; type: string; code: string } => {
  const fault = decodePlain(body)
  const { Message, __type } = objectOf(body)
  if (fault.message === '' && typeof Message === 'string') fault.message = Message.slice(0, 2_000)
  if (fault.type === '' && typeof __type === 'string')
    fault.type = __type.slice(__type.lastIndexOf('#') + 1).slice(0, 200)
  if (fault.code === '') fault.code = statusOf(fault.type)
  return fault
}

const statusOf = (type: string): string => {
  const name = type.charAt(0).toLowerCase() + type.slice(1).replace(/Exception$/, '')
  return Object.hasOwn(statuses, name) ? statuses[name]! : ''
}

const objectOf = (body: Buffer): JsonObject => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8', 0, 65_536))
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}
