import { Fault } from '@hub/contract'
import { parseObject } from '../parse-object.ts'
import type { WxpayContext } from './config.ts'
import { findPlatformKey } from './platform-keys.ts'
import { sendSigned, unusable, type WxpayCall } from './request.ts'
import { isAuthentic, readSignatureHeaders } from './signature.ts'

export type WxpayAnswer =
  | { ok: true; content: Record<string, unknown> }
  /** Not authenticated: WeChat Pay does not sign every error. */
  | { ok: false; code: string; message: string }

/**
 * Calls WeChat Pay. A success must have a signature over its exact bytes. Throws `payment.unreachable` without one, and
 * for an overload or a failure of WeChat Pay, after which the outcome is unknown.
 */
export const callWxpay = async (context: WxpayContext, call: WxpayCall): Promise<WxpayAnswer> => {
  const { status, headers, body } = await sendSigned(context, call)
  const text = body.toString('utf8')
  if (status < 200 || status >= 300) {
    const { code = status, message = '' } = parseObject(text) ?? {}
    if (status < 400 || status === 429 || status >= 500)
      throw unusable(`WeChat Pay: ${message || 'no usable answer'} (${code})`)
    return { ok: false, code: String(code), message: String(message).slice(0, 200) }
  }
  const signature = readSignatureHeaders(name => headers[name])
  const key = signature && (await findPlatformKey(context, signature.serial))
  if (!signature || !key || !isAuthentic(signature, body, key, context.now))
    throw unusable('The answer does not have a signature of WeChat Pay.')
  const content = status === 204 ? {} : parseObject(text)
  if (!content) throw unusable('The answer of WeChat Pay is no JSON object.')
  return { ok: true, content }
}

export const refusal = ({ code, message }: { code: string; message: string }): Fault =>
  new Fault('payment.refused', { hint: `WeChat Pay: ${message} (${code})` })
