import { Fault, type SignInResult } from '@hub/contract'
import * as secondFactors from '../../db/queries/second-factors.ts'
import * as users from '../../db/queries/users.ts'
import { randomText } from '../../lib/random.ts'
import { asOwnUser } from '../accounts/money-rights.ts'
import { type App, nowSeconds } from '../app.ts'
import type { HttpContext } from '../implement.ts'
import { emit } from '../notifications/emit.ts'
import { attemptToken, issueToken, redeemToken } from './one-time-codes.ts'
import { checkSecondFactor } from './second-factor.ts'

const secondStepSeconds = 600

/**
 * Ends a sign-in whose first factor was right, whichever it was. A user with a second factor gets no session but a token
 * for the second step, unless a passkey verified the user, which is two factors in one. No other way starts a session
 * for a user who was not signed in.
 */
export const finishSignIn = async (
  app: App,
  userId: number,
  context: HttpContext,
  { isUserVerified = false } = {},
): Promise<SignInResult> => {
  const user = await users.find(app.db, userId)
  if (user?.status !== 1) throw new Fault('sign_in.refused')
  if (!isUserVerified && (await secondFactors.isEnabled(app.db, userId)))
    return {
      require_2fa: true,
      token: await issueToken(app, app.db, 'second-step', { userId }, secondStepSeconds),
    }
  return startSession(app, userId, context)
}

/** The second step. Throws `second_factor.expired` when the sign-in must begin anew. */
export const finishSecondStep = async (
  app: App,
  token: string,
  code: string,
  context: HttpContext,
): Promise<SignInResult> => {
  const pending = await attemptToken(app, 'second-step', token)
  if (!pending) throw new Fault('second_factor.expired')
  await checkSecondFactor(app, context, pending.userId, code)
  if (!(await redeemToken(app, app.db, 'second-step', token)))
    throw new Fault('second_factor.expired')
  return startSession(app, pending.userId, context)
}

const startSession = async (app: App, userId: number, context: HttpContext) => {
  await app.db.transaction().execute(async tx => {
    await users.update(tx, userId, {
      last_login_time: nowSeconds(app),
      last_login_ip: context.ip,
    })
    if (context.knownBrowser(userId) === undefined)
      await emit(app, tx, {
        event: 'sign_in.new_device',
        key: `sign_in.new_device:${randomText(16)}`,
        userIds: [userId],
        facts: { ip: context.ip, device: context.userAgent },
      })
  })
  const user = await users.find(app.db, userId)
  if (user?.status !== 1) throw new Fault('sign_in.refused')
  await context.startSession(userId)
  return asOwnUser(app, user)
}
