import type { PaymentGateway } from '../payment-gateway.ts'
import { alipayKey, Config, checkKeys, gatewayUrlOf } from './config.ts'
import { readAlipayNotice } from './notice.ts'
import { closeTrade, createTrade, queryRefund, queryTrade, refundTrade } from './trade.ts'

/** Alipay, signed by RSA2: a QR code (`facepay`), its page for computers (`pagepay`) or for phones (`wappay`). */
export const alipay: PaymentGateway<typeof Config> = {
  id: 'alipay',
  name: 'Alipay',
  prefix: 'al',
  currencies: ['CNY'],
  canRefund: true,
  config: Config,
  check: checkKeys,
  destinations: config => [new URL(gatewayUrlOf(config)).origin],
  create: async (context, order) => ({ instruction: await createTrade(context, order) }),
  readNotice: ({ config }, notice) => readAlipayNotice(config, alipayKey(config), notice),
  query: queryTrade,
  close: closeTrade,
  refund: refundTrade,
  queryRefund,
}
