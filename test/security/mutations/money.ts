import type { SecurityMutation } from './mutation.ts'

const idempotency = 'apps/server/src/relay/idempotency.ts'
const idempotencyTest = 'test/end-to-end/idempotency.test.ts'

/** Guards of balances, charges, codes and repeated requests. */
export const moneyMutations: readonly SecurityMutation[] = [
  {
    ids: ['S30', 'C27'],
    file: 'packages/dialects/src/openai-chat/passthrough/read-request.ts',
    find: `  if (n === 'wrong') return invalid(\`'n' must be a whole number from 1 to \${choicesMax}.\`)\n`,
    replace: '',
    also: [
      {
        file: 'packages/dialects/src/openai-chat/passthrough/read-request.ts',
        find: 'n: n ?? 1',
        replace: "n: n === 'wrong' ? 1 : (n ?? 1)",
      },
    ],
    test: 'test/end-to-end/price-vectors.test.ts',
    title: 'R28 S30 what would make a price negative',
  },
  {
    ids: ['S31', 'C30'],
    file: 'apps/server/src/db/engines/sqlite/ledger/statements.ts',
    find: 'frozen = 0 and balance - held >= :amount',
    replace: 'frozen = 0 and balance >= :amount',
    test: 'test/end-to-end/balance.test.ts',
    title: 'R26 a times price: of 1,000',
  },
  {
    ids: ['S31'],
    file: 'apps/server/src/db/queries/accounts.ts',
    find: `    .where(\n      amount < 0\n        ? sql<boolean>\`balance - held >= \${-amount}\`\n        : sql<boolean>\`balance <= \${Number.MAX_SAFE_INTEGER - amount}\`,\n    )\n`,
    replace: '',
    test: 'apps/server/src/features/users/users.test.ts',
    title: 'S31 changes at the same moment',
  },
  {
    ids: ['S32'],
    file: 'apps/server/src/db/engines/sqlite/ledger/statements.ts',
    find: 'set balance = balance - :charge, held = held - :held, used',
    replace: 'set balance = balance - :charge, held = held - min(:held, :charge), used',
    test: 'test/end-to-end/balance.test.ts',
    title: 'R26 reversed',
  },
  {
    ids: ['S33'],
    file: 'apps/server/src/db/queries/redemptions.ts',
    find: "    .where('key_hash', '=', hash)\n    .where('status', '=', 1)\n",
    replace: "    .where('key_hash', '=', hash)\n",
    test: 'test/end-to-end/redemption-codes.test.ts',
    title: 'R37 one code and 100 users',
  },
  {
    ids: ['S33'],
    file: 'apps/server/src/features/sign-in/register.ts',
    find: "    if (id === undefined) throw new Fault('resource.exists')\n",
    replace: '    if (id === undefined) return\n',
    test: 'test/end-to-end/registration.test.ts',
    title: 'R38 one name registered 100',
  },
  {
    ids: ['S33'],
    file: 'apps/server/src/features/profile/redeem.ts',
    find: "if (!attempts.ok)\n    throw new Fault('rate.critical', { retryAfterSeconds: attempts.retryAfterSeconds })\n",
    replace: '',
    test: 'apps/server/src/features/redemptions/redemptions.test.ts',
    title: 'cannot be guessed',
  },
  {
    ids: ['S33'],
    file: 'apps/server/src/db/queries/redemptions.ts',
    find: `    .where(sql<boolean>\`not \${isExpired(now)}\`)\n    .returning`,
    replace: '    .returning',
    test: 'apps/server/src/features/redemptions/redemptions.test.ts',
    title: 'that are unknown, disabled, expired or deleted',
  },
  {
    ids: ['S39'],
    file: idempotency,
    find: `hash('sha256', \`\${tokenId} \${key}\`)`,
    replace: "hash('sha256', key)",
    also: [{ file: idempotency, find: '  const { tokenId } = context.caller\n', replace: '' }],
    test: idempotencyTest,
    title: 'R24 the same key with another body',
  },
  {
    ids: ['S39'],
    file: idempotency,
    find: "  if (bodyHash !== id.bodyHash) throw new Fault('request.key_reused')\n  const headers",
    replace: '  const headers',
    test: idempotencyTest,
    title: 'R24 the same key with another body',
  },
  {
    ids: ['C30'],
    file: 'apps/server/src/db/engines/sqlite/ledger/holds.ts',
    find: '    if (!idempotency) return\n',
    replace: "    if (!idempotency || idempotency.keyHash !== '') return\n",
    test: idempotencyTest,
    title: 'R24 after a crash that lost the stored answer',
  },
  {
    ids: ['C40'],
    file: 'apps/server/src/billing/with-hold.ts',
    find: "      throw cause instanceof Fault\n        ? cause\n        : new Fault('server.ledger', { cause, retryAfterSeconds: 1 })\n",
    replace:
      "      app.log.error({ err: cause }, 'a call is served without a hold')\n      return trackHold(app, call, quote)\n",
    test: 'test/end-to-end/database-unavailable.test.ts',
    title: 'R44 while the database is away',
  },
  {
    ids: ['C43'],
    file: 'apps/server/src/relay/upstream/classify-error.ts',
    find: "  canRetry: !fault.code.startsWith('server.') || fault.code === 'server.busy',",
    replace: "  canRetry: fault.code === 'server.busy',",
    test: 'test/end-to-end/upstream-breaks.test.ts',
    title: 'R7 another channel answers',
  },
  {
    ids: ['C43'],
    file: 'packages/dialects/src/openai-chat/usage.ts',
    find: "  if (Number.isNaN(sums + details)) return 'broken'\n",
    replace: '',
    test: 'test/end-to-end/upstream-malformed.test.ts',
    title: 'R11 usage that cannot be believed',
  },
]
