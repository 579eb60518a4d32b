import type { SecurityMutation } from './mutation.ts'

const passkeys = 'apps/server/src/core/sign-in/passkeys.ts'
const freshProof = 'apps/server/src/core/sign-in/fresh-proof.ts'
const feature = 'apps/server/src/features/passkeys/index.ts'
const queries = 'apps/server/src/db/queries/passkeys.ts'
const test = 'apps/server/src/features/passkeys/passkeys.test.ts'

const freshTitle = 'S21 a passkey is a fresh proof, once, for one endpoint'

/** Guards of passkeys. */
export const passkeyMutations: readonly SecurityMutation[] = [
  {
    ids: ['S21'],
    file: feature,
    find: 'finishSignIn(app, userId, context, { isUserVerified })',
    replace: 'finishSignIn(app, userId, context, { isUserVerified: true })',
    test,
    title: 'S21 a passkey without user verification leaves the second step',
  },
  {
    ids: ['S21', 'C19'],
    file: feature,
    find: 'finishSignIn(app, userId, context, { isUserVerified })',
    replace: 'finishSignIn(app, userId, context, { isUserVerified: true })',
    test: 'apps/server/src/features/sign-in/second-step.test.ts',
    title: 'gives no session before the second step',
  },
  {
    ids: ['S21'],
    file: passkeys,
    find: '(await redeemToken(app, app.db, purpose, challenge))',
    replace: '(await attemptToken(app, purpose, challenge))',
    also: [
      {
        file: passkeys,
        find: 'type OneTimePayloads, redeemToken }',
        replace: 'type OneTimePayloads, attemptToken }',
      },
    ],
    test,
    title: 'S21 an answer signs in once',
  },
  {
    ids: ['S21'],
    file: passkeys,
    find: '  if (!verified?.verified) throw',
    replace: '  if (!verified) throw',
    test,
    title: 'S21 an answer for another site, of another key',
  },
  {
    ids: ['S21'],
    file: passkeys,
    find: '  if (handle !== undefined && handle !== userHandle(app, passkey.user_id))\n',
    replace: "  if (handle === '')\n",
    test,
    title: 'S21 an answer for another site, of another key',
  },
  {
    ids: ['S21'],
    file: feature,
    find: "  if (userId !== caller.userId) throw new Fault('passkey.refused')\n",
    replace: '',
    test,
    title: 'S21 the passkey of another user proves nothing',
  },
  {
    ids: ['S21'],
    file: freshProof,
    find: '    proof.session === context.sessionHash() &&\n',
    replace: '',
    test,
    title: freshTitle,
  },
  {
    ids: ['S21'],
    file: freshProof,
    find: ' &&\n    proof.action === context.action',
    replace: '',
    test,
    title: freshTitle,
  },
  {
    ids: ['S21'],
    file: freshProof,
    find: "  if (!(await redeemToken(app, app.db, 'passkey-proof', token))) throw new Fault('passkey.expired')",
    replace: '',
    test,
    title: freshTitle,
  },
  {
    ids: ['S21'],
    file: freshProof,
    find: 'hasSecondFactor && !passkey?.isUserVerified',
    replace: 'hasSecondFactor && !passkey',
    test,
    title: 'S21 a passkey without user verification replaces the password',
  },
  {
    ids: ['S21'],
    file: queries,
    find: "where('counter', '<', counter)",
    replace: "where('counter', '<=', counter)",
    test,
    title: 'S21 of many answers with one counter',
  },
  {
    ids: ['S21'],
    file: queries,
    find: "where('counter', '<', counter)",
    replace: "where('counter', '<>', -2)",
    also: [{ file: passkeys, find: 'counter: passkey.counter', replace: 'counter: 0' }],
    test,
    title: 'S21 an answer whose counter does not grow',
  },
  {
    ids: ['C20'],
    file: feature,
    find: "      await notifyOwner(app, tx, user, 'passkey-added', context)\n",
    replace: '',
    test,
    title: 'C20 the owner is notified of a passkey',
  },
  {
    ids: ['C20'],
    file: feature,
    find: "      await notifyOwner(app, tx, user, 'passkey-removed', context)\n",
    replace: '',
    test,
    title: 'C20 the owner is notified of a passkey',
  },
  {
    ids: ['C20'],
    file: 'apps/server/src/features/users/reset-second-factor.ts',
    find: "    await notifyOwner(app, tx, user, 'second-factor-off', context)\n",
    replace: '',
    test,
    title: 'C20 the owner is notified of a passkey',
  },
]
