import type { SecurityMutation } from './mutation.ts'

const apply = 'apps/server/src/billing/orders/apply-event.ts'
const ordersTest = 'apps/server/src/features/orders/orders.test.ts'
const refundsTest = 'apps/server/src/features/orders/refunds.test.ts'
const forgedTest = 'apps/server/src/features/orders/forged-notices.test.ts'
const vendors = 'apps/server/src/integrations/payments'
const paymentsTest = 'apps/server/src/features/payments/payments.test.ts'

const factTitle = 'S29 a notice for an order of another merchant, app or currency goes to review'
const ageTitle = 'S29 a notice is refused when it was signed more than five minutes ago'
const twiceTitle = 'S29 a notice that has a field twice is refused'

/** Guards of payment notices, orders and refunds. */
export const paymentMutations: readonly SecurityMutation[] = [
  {
    ids: ['S29'],
    file: apply,
    find: 'if (found?.gateway_id !== gatewayId) return undefined',
    replace: 'if (!found) return undefined',
    test: ordersTest,
    title: 'R33 S29 another key, another gateway and an unknown order credit nothing',
  },
  {
    ids: ['S29'],
    file: apply,
    find: `  if (event.amount !== order.pay_amount) return 'amount'\n`,
    replace: '',
    test: ordersTest,
    title: 'R33 a wrong amount goes to review and never to a balance',
  },
  {
    ids: ['S29'],
    file: 'apps/server/src/integrations/payments/epay/index.ts',
    find: `  if (!equalText((fields.sign ?? '').toLowerCase(), sign(fields, config.key)))\n    return refuse('signature')\n`,
    replace: '',
    test: forgedTest,
    title: 'changed notices credit nothing that the vendor was not paid',
  },
  {
    ids: ['S29'],
    file: 'apps/server/src/features/payments/index.ts',
    find: 'if (missing.length > 0 && destinations(stored) !== destinations(merged))',
    replace: 'if (missing.length > 99)',
    test: paymentsTest,
    title: 'keep what a change leaves out, and send a key only to the host it was entered for',
  },
  {
    ids: ['S29'],
    file: `${vendors}/alipay/notice.ts`,
    find: 'if (!verifyNotice(params, key))',
    replace: 'if (!params.sign || !key)',
    also: [
      {
        file: `${vendors}/alipay/notice.ts`,
        find: 'import { type AlipayParams, verifyNotice } from',
        replace: 'import type { AlipayParams } from',
      },
    ],
    test: forgedTest,
    title: 'changed notices credit nothing that the vendor was not paid',
  },
  {
    ids: ['S29'],
    file: `${vendors}/alipay/notice.ts`,
    find: `seller_id !== '' && params.seller_id !== seller_id ? { mismatch: 'merchant' } : {}`,
    replace: '{}',
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: apply,
    find: `  if (event.currency !== undefined && event.currency !== order.currency) return 'currency'\n`,
    replace: '',
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/epay/index.ts`,
    find: `      ...(fields.pid !== config.partner_id && { mismatch: 'merchant' }),\n`,
    replace: '',
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/wxpay/transaction.ts`,
    find: `  if (mchid !== mch_id) return { mismatch: 'merchant' }\n`,
    replace: '',
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/alipay/signature.ts`,
    find: 'if (!answer || !verifyRsa(key, answer.signed, answer.signature)) return undefined',
    replace: 'if (!answer || !key) return undefined',
    test: `${vendors}/alipay/index.test.ts`,
    title: 'is unknown when the answer is: %s',
  },
  {
    ids: ['S29'],
    file: `${vendors}/wxpay/client.ts`,
    find: 'if (!signature || !key || !isAuthentic(signature, body, key, context.now))',
    replace: 'if (!signature || !key)',
    test: `${vendors}/wxpay/index.test.ts`,
    title: 'the state is unknown when the answer is: %s',
  },
  {
    ids: ['S29'],
    file: `${vendors}/wxpay/notice.ts`,
    find: `if (!key || !isAuthentic(headers, notice.body, key, now)) return refused('signature')`,
    replace: `if (!key) return refused('signature')`,
    test: `${vendors}/wxpay/index.test.ts`,
    title: 'signed by another key is refused',
  },
  {
    ids: ['S29'],
    file: apply,
    find: `event.amount === undefined || event.amount === known.amount ? undefined : 'amount'`,
    replace: 'undefined',
    test: refundsTest,
    title: 'R35 S29 a notice ends a refund by its number, with the amount that we asked for',
  },
  {
    ids: ['S29'],
    file: `${vendors}/alipay/notice.ts`,
    find: "if (params.app_id !== app_id) return { mismatch: 'app' }",
    replace: "if (params.app_id === '') return { mismatch: 'app' }",
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/wxpay/transaction.ts`,
    find: "appid !== undefined && appid !== app_id ? { mismatch: 'app' } : {}",
    replace: 'appid === app_id ? {} : {}',
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/stripe/events.ts`,
    find: 'session.client_reference_id !== tradeNo &&',
    replace: "session.client_reference_id === '' &&",
    test: forgedTest,
    title: factTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/stripe/index.ts`,
    find: 'const toleranceSeconds = 300',
    replace: 'const toleranceSeconds = 3_000_000_000',
    test: forgedTest,
    title: ageTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/wxpay/signature.ts`,
    find: 'const skewSecondsMax = 300',
    replace: 'const skewSecondsMax = 3_000_000_000',
    test: forgedTest,
    title: ageTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/epay/index.ts`,
    find: 'pairs.length > 0 && Object.keys(fields).length === pairs.length',
    replace: 'pairs.length > 0',
    test: forgedTest,
    title: twiceTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/alipay/notice.ts`,
    find: 'params.size === list.length',
    replace: 'params.size > 0',
    test: forgedTest,
    title: twiceTitle,
  },
  {
    ids: ['S29'],
    file: `${vendors}/bepusdt/signature.ts`,
    find: ' || hasRepeatedName(body, entries.length)',
    replace: " || (hasRepeatedName(body, entries.length) && body === '')",
    test: forgedTest,
    title: twiceTitle,
  },
  {
    ids: ['S34'],
    file: 'apps/server/src/billing/orders/refund.ts',
    find: 'return known ?? (await integration.refund(context, payment, number, amount))',
    replace: 'return (await integration.refund(context, payment, number, amount)) ?? known',
    test: refundsTest,
    title: 'R35 a refund whose answer was lost is asked for on schedule, and made once',
  },
  {
    ids: ['S34'],
    file: 'apps/server/src/billing/orders/take-back.ts',
    find: `sum('refund', ['pending', 'done'])`,
    replace: `sum('refund', ['done'])`,
    test: refundsTest,
    title: 'R35 a refund whose answer was lost is asked for on schedule, and made once',
  },
  {
    ids: ['S34'],
    file: 'apps/server/src/billing/orders/take-back.ts',
    find: 'const taken = missing > 0 ? Math.min(missing, free) : 0',
    replace: 'const taken = missing > 0 ? Math.min(0, free) : 0',
    test: refundsTest,
    title: 'R35 a refund takes back the points once, and at most the balance',
  },
  {
    ids: ['S35'],
    file: 'apps/server/src/http/notices/payment-notices.ts',
    find: 'const noticeBytesMax = 64 * 1024',
    replace: 'const noticeBytesMax = 64 * 1024 * 1024',
    test: forgedTest,
    title: 'S35 a notice above 64 kB is cut off, and nothing of it is stored',
  },
  {
    ids: ['S36'],
    file: 'apps/server/src/billing/orders/place-order.ts',
    find: `  if (problem) throw new Fault('order.amount', { hint: hintOf(app, problem) })\n`,
    replace: '',
    also: [
      {
        file: 'apps/server/src/billing/orders/place-order.ts',
        find: `const hintOf = (app: App, problem: string): string =>`,
        replace: `export const hintOf = (app: App, problem: string): string =>`,
      },
    ],
    test: paymentsTest,
    title:
      'S36 the amount is checked and priced here, and nothing of the price comes from the browser',
  },
]
