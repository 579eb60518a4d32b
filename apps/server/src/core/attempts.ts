import { Fault } from '@hub/contract'
import { randomText } from '../lib/random.ts'
import type { App } from './app.ts'

const attemptsMax = 10
const windowSeconds = 900

/**
 * Counts a guess at a password before it is checked, so that guesses sent at once count as well. Answers what to call
 * when it was right: the account then starts with a clean slate.
 */
export const countAttempt = async (app: App, account: string): Promise<() => Promise<void>> => {
  const slate = `attempts:${account}`
  const current = (await app.state.recall(slate)) ?? ''
  const key = `${slate}:${current}`
  const { ok, retryAfterSeconds } = await app.state.count(key, windowSeconds, attemptsMax)
  if (!ok) throw new Fault('sign-in.locked', { retryAfterSeconds })
  return () => app.state.remember(slate, randomText(6), windowSeconds)
}
