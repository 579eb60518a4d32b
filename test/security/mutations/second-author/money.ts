import type { SecurityMutation } from '../mutation.ts'

const server = 'apps/server/src'
const payments = `${server}/integrations/payments`

/** A careless colleague could forget this where points are bought, given, priced or taken back. */
export const moneyMutations: readonly SecurityMutation[] = [
  {
    ids: ['S29'],
    file: `${payments}/alipay/notice.ts`,
    find: 'return params.size === list.length ? Object.fromEntries(params) : undefined',
    replace: 'return Object.fromEntries(params)',
    test: `${server}/features/orders/forged-notices.test.ts`,
    title:
      'S29 a notice that has a field twice is refused, whichever of the two the signature fits',
  },
  {
    ids: ['S32'],
    file: `${server}/db/engines/sqlite/ledger/statements.ts`,
    find: 'frozen = 0 and balance - held >= :amount',
    replace: 'frozen = 0 and balance - held > :amount',
    test: 'test/end-to-end/balance.test.ts',
    title: 'R26 reversed: one by one they are served as long as the estimate fits',
  },
  {
    ids: ['S33'],
    file: `${server}/db/queries/redemptions.ts`,
    find: ".where('status', '=', 1)\n    .where('deleted_at', 'is', null)",
    replace: ".where('status', '=', 1)",
    test: `${server}/features/redemptions/redemptions.test.ts`,
    title: 'that are unknown, disabled, expired or deleted give nothing, and say why',
  },
  {
    ids: ['S34'],
    file: `${payments}/stripe/events.ts`,
    find: "  lost: 'lost',\n",
    replace: '',
    test: `${server}/features/orders/refunds.test.ts`,
    title: 'R31 R35 refunds and disputes of the vendor come in any order and end in the same state',
  },
  {
    ids: ['S56'],
    file: `${server}/core/accounts/low-ratios.ts`,
    find: "isOpened('enable') || isOpened('promotion') || hasOtherRange",
    replace: "isOpened('enable') || isOpened('promotion')",
    test: 'test/security/money-writes.test.ts',
    title: 'S56 has the outcome of the table for every role, and is audited',
  },
  {
    // A negative number meets two guards, one where the request is read and one where it is priced.
    ids: ['S30'],
    file: 'packages/dialects/src/openai-chat/passthrough/read-request.ts',
    find: "ranges.get('n'), 1, choicesMax)",
    replace: "ranges.get('n'), -choicesMax, choicesMax)",
    also: [
      {
        file: 'packages/dialects/src/usage.ts',
        find: 'Number.isSafeInteger(value) && (value as number) >= 0 &&',
        replace: 'Number.isSafeInteger(value) &&',
      },
    ],
    test: 'test/end-to-end/price-vectors.test.ts',
    title:
      'R28 S30 what would make a price negative or endless is refused with 400, and the vendor is not called',
  },
  {
    ids: ['S31'],
    file: `${server}/db/queries/accounts.ts`,
    find: 'balance - held >= ',
    replace: 'held >= 0 or 0 >= ',
    test: `${server}/features/users/users.test.ts`,
    title: 'S31 changes at the same moment take each point once',
  },
  {
    ids: ['S36'],
    file: 'packages/contract/src/top-up-price.ts',
    find: "if (amount < minimum) return 'below_minimum'",
    replace: '',
    test: `${server}/features/payments/payments.test.ts`,
    title:
      'S36 the amount is checked and priced here, and nothing of the price comes from the browser',
  },
  {
    ids: ['C27'],
    file: 'packages/dialects/src/json/read-request.ts',
    find: 'value >= min && value <= max',
    replace: 'value >= min',
    also: [
      {
        file: 'packages/dialects/src/usage.ts',
        find: 'Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= tokenCountMax',
        replace: "typeof value === 'number' && (value as number) >= 0 && tokenCountMax > 0",
      },
    ],
    test: 'test/end-to-end/price-vectors.test.ts',
    title:
      'R28 S30 what would make a price negative or endless is refused with 400, and the vendor is not called',
  },
  {
    ids: ['C30'],
    file: `${server}/db/engines/sqlite/ledger/holds.ts`,
    find: 'return row.request_id === id ? undefined : row',
    replace: 'return row.body_hash === idempotency.bodyHash ? undefined : row',
    test: 'test/end-to-end/idempotency.test.ts',
    title: 'R24 after a crash that lost the stored answer the same key is refused with the receipt',
  },
]
