import { Fault } from '@hub/contract'
import type { z } from 'zod'
import type {
  GatewayContext,
  NewPayment,
  PaymentGateway,
  RawNotice,
} from '../../../apps/server/src/integrations/payments/payment-gateway.ts'
import type { SentNotice } from './fake-vendor.ts'

/** Calls a gateway with a configuration as it is entered, over real connections and without the server. */
export const makeContext = <C extends z.ZodObject>(
  gateway: PaymentGateway<C>,
  config: Record<string, string>,
  now: () => number,
): GatewayContext<z.output<C>> => ({
  config: gateway.config.parse(config),
  vendorKeys: new Map(),
  notifyUrl: 'https://hub.example/api/payment/notify/00',
  get now() {
    return now()
  },
  fetch: async ({ method, url, headers = {}, body }) => {
    const request = { method, headers, redirect: 'manual' as const, ...(body && { body }) }
    const signal = AbortSignal.timeout(60_000)
    const response = await fetch(url, { ...request, signal }).catch(() => {
      throw new Fault('payment.unreachable')
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    }
  },
})

export const newPayment = (tradeNo: string, amount: number, now: number): NewPayment => ({
  tradeNo,
  amount,
  currency: 'CNY',
  createdAt: now,
  expiresAt: now + 900,
  reference: '',
  gatewayNo: '',
  title: '充值 100% a/b=c&d',
  notifyUrl: 'https://hub.example/api/payment/notify/00',
  returnUrl: 'https://hub.example/panel/log',
  payer: { userId: 1, email: '', ip: '192.0.2.1' },
})

/** A notice as the server passes it to a gateway. */
export const toRawNotice = ({ body, ...notice }: SentNotice): RawNotice => ({
  ...notice,
  body: Buffer.from(body),
})
