import type { KeyObject } from 'node:crypto'
import { parseObject } from '../parse-object.ts'
import { signRsa, verifyRsa } from '../rsa.ts'

export type AlipayParams = Readonly<Record<string, string>>

/**
 * `key=value` joined by `&`, sorted by key, over the raw values: nothing is escaped or decoded. Empty values are not
 * part of it. https://opendocs.alipay.com/common/02kf5q
 */
const textToSign = (params: AlipayParams, without: readonly string[]): string =>
  Object.keys(params)
    .filter(key => params[key] !== '' && !without.includes(key))
    .sort()
    .map(key => `${key}=${params[key]}`)
    .join('&')

/** Signs a request. Its `sign_type` is part of the signed text. */
export const signRequest = (params: AlipayParams, key: KeyObject): AlipayParams => {
  const used = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
  return { ...used, sign: signRsa(key, textToSign(used, ['sign'])) }
}

/**
 * Verifies a notice. Its `sign_type` is not part of the signed text, and must be RSA2: older types use SHA-1.
 * https://opendocs.alipay.com/common/02mse7
 */
export const verifyNotice = (params: AlipayParams, key: KeyObject): boolean =>
  params.sign_type === 'RSA2' &&
  verifyRsa(key, textToSign(params, ['sign', 'sign_type']), params.sign ?? '')

export type SignedAnswer = { signed: string; signature: string }

/**
 * Cuts the signed bytes out of an answer `{"<method>_response":{…},"sign":"…"}`. The signature covers the object as
 * sent, so that the text may not be parsed and written again. Undefined if the answer has another shape.
 */
export const readSignedAnswer = (body: string, responseKey: string): SignedAnswer | undefined => {
  const text = body.trim()
  const start = text.indexOf(`"${responseKey}"`)
  if (start < 0) return undefined
  const from = text.indexOf('{', start)
  const to = from < 0 ? -1 : endOfObject(text, from)
  if (to < 0) return undefined
  const outside = parseObject(`${text.slice(0, from)}0${text.slice(to)}`)
  if (outside?.[responseKey] !== 0 || typeof outside.sign !== 'string') return undefined
  return { signed: text.slice(from, to), signature: outside.sign }
}

/** Verifies the signed bytes of an answer and parses exactly these. Undefined if they are not Alipay's. */
export const readVerifiedAnswer = (
  body: string,
  responseKey: string,
  key: KeyObject,
): Record<string, unknown> | undefined => {
  const answer = readSignedAnswer(body, responseKey)
  if (!answer || !verifyRsa(key, answer.signed, answer.signature)) return undefined
  return parseObject(answer.signed)
}

/** The index after the brace that closes the object, or -1. */
const endOfObject = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '{') depth += 1
    else if (char === '}' && --depth === 0) return at + 1
  }
  return -1
}

/** The index of the quote that ends the string, or the end of the text. */
const endOfString = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
