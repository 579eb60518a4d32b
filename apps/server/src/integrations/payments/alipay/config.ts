import type { KeyObject } from 'node:crypto'
import { Fault } from '@hub/contract'
import { z } from 'zod'
import { OptionalAddress } from '../optional-address.ts'
import type { GatewayContext } from '../payment-gateway.ts'
import { canSign, publicHalf, readPrivateKey, readPublicKey } from '../rsa.ts'

/** The address for applications in production. The sandbox has another. */
const productionUrl = 'https://openapi.alipay.com/gateway.do'

/** The field names are those of One Hub. */
export const Config = z.object({
  app_id: z
    .string()
    .trim()
    .regex(/^\d{10,32}$/, 'must be a number of 10 to 32 digits'),
  private_key: z.string().trim().min(1).max(8192).meta({ secret: true, multiline: true }),
  /** Alipay's, not the application's. */
  public_key: z.string().trim().min(1).max(8192).meta({ multiline: true }),
  pay_type: z.enum(['facepay', 'pagepay', 'wappay']).default('facepay'),
  /** The merchant's account number; empty: not compared. */
  seller_id: z
    .string()
    .trim()
    .regex(/^(2088\d{12})?$/, 'must begin with 2088')
    .default(''),
  /** Empty: production. */
  gateway_url: OptionalAddress,
})
export type AlipayConfig = z.output<typeof Config>
export type AlipayContext = GatewayContext<AlipayConfig>

export const ownKey = ({ private_key }: AlipayConfig): KeyObject => {
  const key = readPrivateKey(private_key)
  if (!key) throw new Fault('payment.config', { hint: '`private_key` is no RSA private key.' })
  return key
}

export const alipayKey = ({ public_key }: AlipayConfig): KeyObject => {
  const key = readPublicKey(public_key)
  if (!key) throw new Fault('payment.config', { hint: '`public_key` is no RSA public key.' })
  return key
}

/** Throws `payment.config` that names the field. Returns the public half, which Alipay needs. */
export const checkKeys = (config: AlipayConfig): Record<string, string> => {
  const own = ownKey(config)
  if (!canSign(own))
    throw new Fault('payment.config', { hint: '`private_key` is damaged: it signs nothing valid.' })
  const half = publicHalf(own)
  if (half === publicHalf(alipayKey(config)))
    throw new Fault('payment.config', {
      hint: '`public_key` is the half of `private_key`; enter the one that Alipay shows.',
    })
  return { application_public_key: half }
}

export const gatewayUrlOf = (config: AlipayConfig): string => config.gateway_url || productionUrl
