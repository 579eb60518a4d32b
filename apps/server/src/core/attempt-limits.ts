import { type AddressLimit, Fault } from '@hub/contract'
import { addressUnit } from '../lib/ip.ts'
import { randomText } from '../lib/random.ts'
import type { App } from './app.ts'

export type CountedAttempt = {
  /** Takes the count back, because nothing was guessed. */
  uncount(): Promise<void>
}

export const limitWindowSeconds = (app: App): number =>
  app.settings().signInLimits.SignInLimitMinutes * 60

/** Counts an attempt before it is made, so that parallel ones count too. Throws `rate.critical` above the limit. */
export const countAttempt = async (
  app: App,
  key: string,
  limit: number,
): Promise<CountedAttempt> => {
  const windowSeconds = limitWindowSeconds(app)
  const request = { kind: 'sum' as const, key, limit, amount: 1, windowSeconds }
  const { ok, statuses, ...taken } = await app.state.take(randomText(12), [request])
  if (!ok) throw new Fault('rate.critical', { retryAfterSeconds: statuses[0]!.retryAfterSeconds })
  const [window = 0] = 'windows' in taken ? taken.windows : []
  return { uncount: () => app.state.release([{ kind: 'sum', key, window, change: -1 }]) }
}

export const countAddressAttempt = (
  app: App,
  kind: AddressLimit,
  ip: string,
): Promise<CountedAttempt> => countAttempt(app, `${kind}:${addressUnit(ip)}`, addressMax(app, kind))

const addressMax = (app: App, kind: AddressLimit): number => {
  const limits = app.settings().signInLimits
  if (kind === 'failures') return limits.FailuresPerAddressMax
  if (kind === 'starts') return limits.StartsPerAddressMax
  return kind === 'messages' ? limits.MessagesPerAddressMax : limits.RegistrationsPerAddressMax
}

/** Refusals before a secret is looked at: they ask for the next step of a person who has done nothing wrong. */
const askingCodes: readonly string[] = ['second_factor.needed', 'session.not_recent']

/**
 * Runs the work of a call that checks a secret. A success is not counted, so that many people behind one address do not
 * use its limit up; nor is a failure of ours. Only this call is taken back: a success clears no failures before it.
 */
export const countFailure = async <T>(
  attempt: CountedAttempt,
  work: () => Promise<T>,
): Promise<T> => {
  let isGuess = false
  try {
    return await work()
  } catch (error) {
    isGuess = error instanceof Fault && error.status < 500 && !askingCodes.includes(error.code)
    throw error
  } finally {
    if (!isGuess) await attempt.uncount()
  }
}
