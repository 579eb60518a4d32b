import { Fault } from '@hub/contract'
import { addressUnit } from '../../lib/ip.ts'
import { randomText } from '../../lib/random.ts'
import type { App } from '../app.ts'
import { limitWindowSeconds } from '../attempt-limits.ts'

type PasswordAttempt = {
  /**
   * The account, whether it was named by name or by e-mail address. A name without an account has the same limits, so
   * that a lock does not reveal whether it exists.
   */
  account: string
  ip: string
  /** The id of a browser that signed in to this account before. */
  knownBrowser?: string | undefined
}

/**
 * Counts a password attempt before the password is checked, so that parallel guesses count too. Returns a function
 * that resets the counts; call it when the password was right. Throws `sign_in.locked` above a limit.
 *
 * A known browser has a counter of its own: guesses from elsewhere never lock out the owner.
 */
export const countPasswordAttempt = async (
  app: App,
  { account, ip, knownBrowser }: PasswordAttempt,
): Promise<() => Promise<void>> => {
  const { FailuresPerAccountMax: attemptsMax, FailuresPerAccountTotalMax: accountAttemptsMax } =
    app.settings().signInLimits
  const windowSeconds = limitWindowSeconds(app)
  const limits = knownBrowser
    ? [{ key: `attempts:browser:${knownBrowser}`, limit: attemptsMax }]
    : [
        { key: `attempts:${addressUnit(ip)}:${account}`, limit: attemptsMax },
        { key: `attempts:${account}`, limit: accountAttemptsMax },
      ]
  for (const { key, limit } of limits) {
    const current = (await app.state.recall(key)) ?? ''
    const status = await app.state.count(`${key}:${current}`, windowSeconds, limit)
    if (!status.ok)
      throw new Fault('sign_in.locked', { retryAfterSeconds: status.retryAfterSeconds })
  }
  return async () => {
    for (const { key } of limits) await app.state.remember(key, randomText(6), windowSeconds)
  }
}
