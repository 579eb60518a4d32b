import { startAlipay } from './alipay/vendor.ts'
import { startBepusdt } from './bepusdt.ts'
import { startEpay } from './epay.ts'
import type { FakeVendor } from './fake-vendor.ts'
import { startStripe } from './stripe.ts'
import { startWxpay } from './wxpay/vendor.ts'

/** Starts each vendor. Every test of payments runs with all of them. */
export const fakeVendors: Readonly<Record<string, () => Promise<FakeVendor>>> = {
  'Epay by GET': () => startEpay('GET'),
  'Epay by POST': () => startEpay('POST'),
  'Alipay by QR code': () => startAlipay('facepay'),
  'Alipay by page': () => startAlipay('pagepay'),
  'WeChat Pay by certificate': () => startWxpay('certificate'),
  'WeChat Pay by public key': () => startWxpay('public key'),
  BEpusdt: startBepusdt,
  Stripe: startStripe,
}
