import { randomBytes } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { VendorResponse } from '../payment-gateway.ts'
import { apiUrlOf, merchantOf, type WxpayContext } from './config.ts'
import { authorizationOf } from './signature.ts'

export type WxpayCall = { method: 'GET' | 'POST'; path: string; content?: Record<string, unknown> }

/** Sends a signed request. WeChat Pay refuses requests without `Accept` and `User-Agent`. */
export const sendSigned = async (
  { config, fetch, now }: WxpayContext,
  { method, path, content }: WxpayCall,
): Promise<VendorResponse> => {
  const url = new URL(apiUrlOf(config) + path)
  const body = content ? JSON.stringify(content) : ''
  const signed = {
    method,
    target: url.pathname + url.search,
    timestamp: now,
    nonce: randomBytes(16).toString('hex'),
    body,
  }
  return fetch({
    method,
    url: url.toString(),
    headers: {
      authorization: authorizationOf(signed, merchantOf(config)),
      accept: 'application/json',
      'user-agent': 'One-Hub',
      ...(content && { 'content-type': 'application/json' }),
      // Asks for an answer that is signed with the public key instead of a platform certificate.
      ...(config.public_key_id && { 'wechatpay-serial': config.public_key_id }),
    },
    ...(content && { body }),
  })
}

export const unusable = (hint: string): Fault => new Fault('payment.unreachable', { hint })
