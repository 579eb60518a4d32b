import { type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { parseObject } from '../parse-object.ts'
import {
  publicKeyIdPrefix,
  type WxpayConfig,
  type WxpayContext,
  wechatPublicKey,
} from './config.ts'
import { sendSigned, unusable } from './request.ts'
import { isAuthentic, openResource, readSignatureHeaders } from './signature.ts'

const Certificates = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({
        ciphertext: z.string(),
        nonce: z.string(),
        associated_data: z.string().default(''),
      }),
    }),
  ),
})

/**
 * The key that the `Wechatpay-Serial` header names: WeChat Pay's public key, or a platform certificate, which is
 * downloaded once. The header decides, because WeChat Pay changes between the two on its own.
 */
export const findPlatformKey = async (
  context: WxpayContext,
  serial: string,
): Promise<KeyObject | undefined> => {
  const { config, vendorKeys, now } = context
  if (serial.startsWith(publicKeyIdPrefix)) return publicKeyFor(config, serial)
  if (!/^[0-9A-F]{8,40}$/.test(serial)) return undefined
  const known = vendorKeys.get(serial)
  if (known && known.expiresAt > now) return known.key
  for (const [name, downloaded] of await downloadKeys(context)) vendorKeys.set(name, downloaded)
  return vendorKeys.get(serial)?.key
}

const publicKeyFor = (config: WxpayConfig, serial: string): KeyObject | undefined =>
  serial === config.public_key_id && serial !== '' ? wechatPublicKey(config) : undefined

/** https://pay.weixin.qq.com/doc/v3/merchant/4012551764 */
const downloadKeys = async (context: WxpayContext) => {
  const response = await sendSigned(context, { method: 'GET', path: '/v3/certificates' })
  const list = Certificates.safeParse(parseObject(response.body.toString('utf8')))
  if (response.status !== 200 || !list.success)
    throw unusable('WeChat Pay sent no platform certificates.')
  const keys = new Map<string, { key: KeyObject; expiresAt: number }>()
  for (const { serial_no, encrypt_certificate } of list.data.data) {
    // Only WeChat Pay and the merchant know the key that seals the certificate.
    const pem = openResource(encrypt_certificate, context.config.mch_apiv3_key)
    const certificate = pem === undefined ? undefined : readCertificate(pem)
    if (!certificate || certificate.serialNumber !== serial_no.toUpperCase())
      throw unusable('`mch_apiv3_key` does not open the platform certificates of WeChat Pay.')
    const expiresAt = Math.floor(certificate.validToDate.getTime() / 1000)
    if (expiresAt > context.now) keys.set(serial_no, { key: certificate.publicKey, expiresAt })
  }
  const headers = readSignatureHeaders(name => response.headers[name])
  const key =
    headers && (keys.get(headers.serial)?.key ?? publicKeyFor(context.config, headers.serial))
  if (!headers || !key || !isAuthentic(headers, response.body, key, context.now))
    throw unusable('WeChat Pay did not sign its platform certificates.')
  return keys
}

const readCertificate = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}
