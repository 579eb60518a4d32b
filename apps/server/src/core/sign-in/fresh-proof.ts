import { Fault, type FreshProof } from '@hub/contract'
import type { z } from 'zod'
import * as secondFactors from '../../db/queries/second-factors.ts'
import type { UserRow } from '../../db/queries/users.ts'
import { verifyPassword } from '../../lib/credentials/password.ts'
import { type App, nowSeconds } from '../app.ts'
import type { HttpContext } from '../implement.ts'
import { attemptToken, redeemToken } from './one-time-codes.ts'
import { countPasswordAttempt } from './password-attempts.ts'
import { checkSecondFactor } from './second-factor.ts'

const recentSeconds = 600

/**
 * Shows that a signed-in caller is the user, and nobody with a stolen session: by the password or a passkey, and the
 * second factor if there is one and no passkey verified the user. An account without any of them needs a sign-in of the
 * last ten minutes. Throws `password.wrong`, `passkey.expired`, `second_factor.needed`, `second_factor.wrong` or
 * `session.not_recent`.
 */
export const requireFreshProof = async (
  app: App,
  context: HttpContext,
  user: UserRow,
  { current_password = '', code, passkey_proof }: z.output<typeof FreshProof>,
): Promise<void> => {
  const passkey = passkey_proof
    ? await checkPasskeyProof(app, context, user.id, passkey_proof)
    : undefined
  const hasSecondFactor = await secondFactors.isEnabled(app.db, user.id)
  const needsCode = hasSecondFactor && !passkey?.isUserVerified
  if (needsCode && code === undefined) throw new Fault('second_factor.needed')
  if (!passkey && user.password_hash !== '')
    await checkCurrentPassword(app, context, user, current_password)
  if (needsCode && code !== undefined) await checkSecondFactor(app, context, user.id, code)
  if (passkey_proof) await redeemPasskeyProof(app, passkey_proof)
  else if (user.password_hash === '' && !hasSecondFactor) await requireRecentSignIn(app, context)
}

/** The proof is bound to its user, session and endpoint. It stays valid until everything else is right. */
const checkPasskeyProof = async (app: App, context: HttpContext, userId: number, token: string) => {
  const proof = await attemptToken(app, 'passkey-proof', token)
  const isOwn =
    proof?.userId === userId &&
    proof.session === context.sessionHash() &&
    proof.action === context.action
  if (!isOwn) throw new Fault('passkey.expired')
  return proof
}

const redeemPasskeyProof = async (app: App, token: string) => {
  if (!(await redeemToken(app, app.db, 'passkey-proof', token))) throw new Fault('passkey.expired')
}

const requireRecentSignIn = async (app: App, context: HttpContext) => {
  const signedInAt = (await context.signedInAt()) ?? 0
  if (nowSeconds(app) - signedInAt > recentSeconds) throw new Fault('session.not_recent')
}

/** Attempts are limited as at the sign-in, so that a stolen session cannot guess faster. */
const checkCurrentPassword = async (
  app: App,
  context: HttpContext,
  { id, password_hash }: UserRow,
  password: string,
): Promise<void> => {
  if (password === '') throw new Fault('password.wrong')
  const resetAttempts = await countPasswordAttempt(app, {
    account: `user:${id}`,
    ip: context.ip,
    knownBrowser: context.knownBrowser(id),
  })
  if ((await verifyPassword(password, password_hash)) === 'wrong') throw new Fault('password.wrong')
  await resetAttempts()
}
