import { alipay } from './alipay/index.ts'
import { bepusdt } from './bepusdt/index.ts'
import { epay } from './epay/index.ts'
import type { PaymentGateway } from './payment-gateway.ts'
import { stripe } from './stripe/index.ts'
import { wxpay } from './wxpay/index.ts'

/** Every payment gateway by its id; each is `PaymentGateway<typeof Config>` in a folder of its own. */
export const paymentGateways: Readonly<Record<string, PaymentGateway>> = {
  epay,
  alipay,
  wxpay,
  stripe,
  bepusdt,
}
