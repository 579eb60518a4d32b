import type { PaymentGateway } from '../payment-gateway.ts'
import { apiUrlOf, Config, checkKeys } from './config.ts'
import { readWxpayNotice } from './notice.ts'
import {
  closeTransaction,
  createNative,
  queryRefund,
  queryTransaction,
  refundTransaction,
} from './trade.ts'

/** WeChat Pay API v3, Native: the payer scans a QR code. */
export const wxpay: PaymentGateway<typeof Config> = {
  id: 'wxpay',
  name: 'WeChat Pay',
  prefix: 'wx',
  currencies: ['CNY'],
  canRefund: true,
  config: Config,
  check: checkKeys,
  destinations: config => [new URL(apiUrlOf(config)).origin],
  create: async (context, order) => ({ instruction: await createNative(context, order) }),
  readNotice: readWxpayNotice,
  query: queryTransaction,
  close: closeTransaction,
  refund: refundTransaction,
  queryRefund,
}
