import { Fault } from '@hub/contract'
import { type AlipayContext, alipayKey, gatewayUrlOf, ownKey } from './config.ts'
import { type AlipayParams, readVerifiedAnswer, signRequest } from './signature.ts'

type Call = {
  /** Such as `alipay.trade.query`. */
  method: string
  content: Record<string, unknown>
  notifyUrl?: string
  returnUrl?: string
}

/** Alipay reads times as China Standard Time, which has no daylight saving. */
const chinaOffsetSeconds = 8 * 3600

/** `2026-11-24 10:40:00`. */
export const chinaTime = (seconds: number): string =>
  new Date((seconds + chinaOffsetSeconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** All parameters of a call, signed. https://opendocs.alipay.com/common/057k53 */
const signedParams = (
  { config, now }: AlipayContext,
  { method, content, notifyUrl = '', returnUrl = '' }: Call,
): AlipayParams =>
  signRequest(
    {
      app_id: config.app_id,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaTime(now),
      version: '1.0',
      notify_url: notifyUrl,
      return_url: returnUrl,
      biz_content: JSON.stringify(content),
    },
    ownKey(config),
  )

/** The address of a payment page, which the payer's browser opens. */
export const pageUrl = (context: AlipayContext, call: Call): string => {
  const url = new URL(gatewayUrlOf(context.config))
  url.search = new URLSearchParams(signedParams(context, call)).toString()
  return url.toString()
}

/** "Service unavailable": the outcome is unknown. */
const unavailableCode = '20000'

export type AlipayAnswer = {
  code: string
  msg?: string
  sub_code?: string
  sub_msg?: string
} & Record<string, unknown>

/**
 * Calls Alipay and returns the verified answer, which may be a refusal. Throws `payment.unreachable` for an answer that
 * Alipay did not sign, and for its "service unavailable", after which the outcome is unknown.
 */
export const callAlipay = async (context: AlipayContext, call: Call): Promise<AlipayAnswer> => {
  const { charset, ...params } = signedParams(context, call)
  const url = new URL(gatewayUrlOf(context.config))
  // Alipay decodes the body with the character set that the address names.
  url.search = new URLSearchParams({ charset: charset! }).toString()
  const response = await context.fetch({
    method: 'POST',
    url: url.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams(params).toString(),
  })
  const responseKey = `${call.method.replaceAll('.', '_')}_response`
  const text = response.body.toString('utf8')
  const answer = readVerifiedAnswer(text, responseKey, alipayKey(context.config))
  if (typeof answer?.code !== 'string') throw unverified(text)
  if (answer.code === unavailableCode)
    throw new Fault('payment.unreachable', { hint: textOf(answer as AlipayAnswer) })
  return answer as AlipayAnswer
}

/**
 * Alipay answers `error_response` when it cannot read the request or knows no key of the application. It has no key to
 * sign this answer with, so its text serves as an explanation only.
 */
const unverified = (text: string): Fault => {
  const [, reason] = /"sub_msg"\s*:\s*"([^"\\]{1,200})"/.exec(text) ?? []
  return new Fault('payment.unreachable', {
    hint: reason
      ? `Unsigned answer of Alipay: ${reason}`
      : 'The answer does not have a signature of Alipay.',
  })
}

export const isSuccess = ({ code }: AlipayAnswer): boolean => code === '10000'

/** `payment.refused` with Alipay's text. */
export const refusal = (answer: AlipayAnswer): Fault =>
  new Fault('payment.refused', { hint: textOf(answer) })

const textOf = ({ sub_code, sub_msg, code, msg }: AlipayAnswer): string =>
  `Alipay: ${sub_msg ?? msg ?? ''} (${sub_code ?? code})`
