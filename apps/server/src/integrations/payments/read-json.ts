import { Fault } from '@hub/contract'
import { parseObject } from './parse-object.ts'
import type { VendorResponse } from './payment-gateway.ts'

/** Reads the JSON object of a vendor's answer. Throws `payment.unreachable` for anything else, such as an HTML page. */
export const readJson = ({ status, body }: VendorResponse): Record<string, unknown> => {
  const value = parseObject(body.toString('utf8'))
  if (value && status < 500) return value
  throw new Fault('payment.unreachable', { hint: `The vendor answered ${status} without JSON.` })
}

/** Panels send numbers as text or as numbers. */
export const textFields = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  )
