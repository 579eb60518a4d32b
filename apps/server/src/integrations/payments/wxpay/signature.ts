import { createDecipheriv, type KeyObject } from 'node:crypto'
import { signRsa, verifyRsa } from '../rsa.ts'

export type SignedRequest = {
  method: string
  /** Path and query as sent. */
  target: string
  /** Seconds. */
  timestamp: number
  nonce: string
  body: string
}

/** Older notices and answers may be replayed. https://pay.weixin.qq.com/doc/v3/merchant/4013053249 */
const skewSecondsMax = 300

const joinLines = (...lines: string[]) => lines.map(line => `${line}\n`).join('')

/** The `Authorization` header. https://pay.weixin.qq.com/doc/v3/merchant/4012365336 */
export const authorizationOf = (
  { method, target, timestamp, nonce, body }: SignedRequest,
  merchant: { id: string; serial: string; key: KeyObject },
): string => {
  const text = joinLines(method, target, String(timestamp), nonce, body)
  const fields = {
    mchid: merchant.id,
    nonce_str: nonce,
    signature: signRsa(merchant.key, text),
    timestamp: String(timestamp),
    serial_no: merchant.serial,
  }
  const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`)
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`
}

export type SignatureHeaders = {
  timestamp: string
  nonce: string
  /** A certificate's serial number, or `PUB_KEY_ID_…` of WeChat Pay's public key. */
  serial: string
  signature: string
}

/** Reads the four headers that WeChat Pay adds to its answers and notices. Undefined if one is missing. */
export const readSignatureHeaders = (
  get: (name: string) => string | undefined,
): SignatureHeaders | undefined => {
  const timestamp = get('wechatpay-timestamp')
  const nonce = get('wechatpay-nonce')
  const serial = get('wechatpay-serial')
  const signature = get('wechatpay-signature')
  if (!timestamp || !nonce || !serial || !signature) return undefined
  return { timestamp, nonce, serial, signature }
}

/** Only digits are a time: `Number` would also take spaces, signs and hexadecimal numbers. */
export const isTimely = (timestamp: string, nowSeconds: number): boolean =>
  /^\d{10}$/.test(timestamp) && Math.abs(nowSeconds - Number(timestamp)) <= skewSecondsMax

/** Whether the key signed the bytes as received, within the last five minutes. */
export const isAuthentic = (
  { timestamp, nonce, signature }: SignatureHeaders,
  body: Buffer,
  key: KeyObject,
  now: number,
): boolean => {
  const signed = Buffer.concat([Buffer.from(joinLines(timestamp, nonce)), body, lineFeed])
  return isTimely(timestamp, now) && verifyRsa(key, signed, signature)
}

const lineFeed = Buffer.from('\n')
const tagBytes = 16

export type Sealed = { ciphertext: string; nonce: string; associated_data: string }

/** Opens the `resource` of a notice or a downloaded certificate. Undefined if the key or one byte is another. */
export const openResource = (
  { ciphertext, nonce, associated_data }: Sealed,
  apiKey: string,
): string | undefined => {
  const bytes = Buffer.from(ciphertext, 'base64')
  if (bytes.length <= tagBytes) return undefined
  try {
    const cipher = createDecipheriv('aes-256-gcm', Buffer.from(apiKey), Buffer.from(nonce), {
      authTagLength: tagBytes,
    })
    cipher.setAAD(Buffer.from(associated_data))
    cipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = Buffer.concat([cipher.update(bytes.subarray(0, -tagBytes)), cipher.final()])
    return text.toString('utf8')
  } catch {
    return undefined
  }
}
