import type { KeyObject } from 'node:crypto'
import { Fault } from '@hub/contract'
import { z } from 'zod'
import { OptionalAddress } from '../optional-address.ts'
import type { GatewayContext } from '../payment-gateway.ts'
import { canSign, readPrivateKey, readPublicKey } from '../rsa.ts'

const productionUrl = 'https://api.mch.weixin.qq.com'
export const publicKeyIdPrefix = 'PUB_KEY_ID_'

/** The field names are those of One Hub, and two for the mode with WeChat Pay's public key. */
export const Config = z.object({
  app_id: z
    .string()
    .trim()
    .regex(/^wx\w{8,30}$/, 'must begin with wx'),
  mch_id: z
    .string()
    .trim()
    .regex(/^\d{8,12}$/, 'must be a number of 8 to 12 digits'),
  mch_certificate_serial_number: z
    .string()
    .trim()
    .regex(/^[0-9A-Fa-f]{8,40}$/, 'must be hexadecimal'),
  mch_apiv3_key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{32}$/, 'must have 32 characters')
    .meta({ secret: true }),
  mch_private_key: z.string().trim().min(1).max(8192).meta({ secret: true, multiline: true }),
  pay_type: z.enum(['Native']).default('Native'),
  /** Newer merchants have this public key and no platform certificate; older ones may have both. */
  public_key_id: z
    .string()
    .trim()
    .regex(/^(PUB_KEY_ID_\w{1,64})?$/, 'must begin with PUB_KEY_ID_')
    .default(''),
  public_key: z.string().trim().max(8192).default('').meta({ multiline: true }),
  /** Empty: production. */
  api_url: OptionalAddress,
})
export type WxpayConfig = z.output<typeof Config>
export type WxpayContext = GatewayContext<WxpayConfig>

export const merchantOf = (config: WxpayConfig): { id: string; serial: string; key: KeyObject } => {
  const key = readPrivateKey(config.mch_private_key)
  if (!key) throw new Fault('payment.config', { hint: '`mch_private_key` is no RSA private key.' })
  return { id: config.mch_id, serial: config.mch_certificate_serial_number.toUpperCase(), key }
}

export const wechatPublicKey = ({ public_key }: WxpayConfig): KeyObject => {
  const key = readPublicKey(public_key)
  if (!key) throw new Fault('payment.config', { hint: '`public_key` is no RSA public key.' })
  return key
}

/** Throws `payment.config` that names the field. */
export const checkKeys = (config: WxpayConfig): Record<string, string> => {
  if (!canSign(merchantOf(config).key))
    throw new Fault('payment.config', {
      hint: '`mch_private_key` is damaged: it signs nothing valid.',
    })
  if ((config.public_key_id === '') !== (config.public_key === ''))
    throw new Fault('payment.config', { hint: '`public_key_id` and `public_key` go together.' })
  if (config.public_key !== '') wechatPublicKey(config)
  return {}
}

export const apiUrlOf = ({ api_url }: WxpayConfig): string => api_url || productionUrl
