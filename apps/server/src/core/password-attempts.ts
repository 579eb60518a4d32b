import { Fault } from '@hub/contract'
import { randomText } from '../lib/random.ts'
import type { App } from './app.ts'

const attemptsMax = 10
const windowSeconds = 900

/**
 * Counts a password attempt before the password is checked, so that parallel guesses count too. Returns a function
 * that resets the count; call it when the password was right. Throws `sign_in.locked` above the limit.
 */
export const countPasswordAttempt = async (
  app: App,
  account: string,
): Promise<() => Promise<void>> => {
  const counterKey = `attempts:${account}`
  const current = (await app.state.recall(counterKey)) ?? ''
  const key = `${counterKey}:${current}`
  const { ok, retryAfterSeconds } = await app.state.count(key, windowSeconds, attemptsMax)
  if (!ok) throw new Fault('sign_in.locked', { retryAfterSeconds })
  return () => app.state.remember(counterKey, randomText(6), windowSeconds)
}
