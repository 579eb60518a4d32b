import { type AddressLimit, Fault } from '@hub/contract'
import { addressUnit } from '../lib/ip.ts'
import { randomText } from '../lib/random.ts'
import type { App } from './app.ts'
import { appScoped } from './app-scoped.ts'

export const limitWindowSeconds = (app: App): number =>
  app.settings().signInLimits.SignInLimitMinutes * 60

type AttemptLimit = { key: string; limit: number }
/** Takes the count back, because nothing was guessed. */
type Uncount = () => Promise<void>

/** Counts an attempt before it is made, so that parallel ones count too. */
const take = async (app: App, { key, limit }: AttemptLimit): Promise<Uncount | Fault> => {
  const windowSeconds = limitWindowSeconds(app)
  const request = { kind: 'sum' as const, key, limit, amount: 1, windowSeconds }
  const { ok, statuses, ...taken } = await app.state.take(randomText(12), [request])
  if (!ok) return new Fault('rate.critical', { retryAfterSeconds: statuses[0]!.retryAfterSeconds })
  const [window = 0] = 'windows' in taken ? taken.windows : []
  return () => app.state.release([{ kind: 'sum', key, window, change: -1 }])
}

/** Counts a call of a kind whose calls all count. Throws `rate.critical` above the limit. */
export const countAddressAttempt = async (
  app: App,
  kind: AddressLimit,
  ip: string,
): Promise<void> => {
  const taken = await take(app, addressLimit(app, kind, ip))
  if (taken instanceof Fault) throw taken
}

const addressLimit = (app: App, kind: AddressLimit, ip: string): AttemptLimit => ({
  key: `${kind}:${addressUnit(ip)}`,
  limit: addressMax(app, kind),
})

const addressMax = (app: App, kind: AddressLimit): number => {
  const limits = app.settings().signInLimits
  if (kind === 'failures') return limits.FailuresPerAddressMax
  if (kind === 'starts') return limits.StartsPerAddressMax
  return kind === 'messages' ? limits.MessagesPerAddressMax : limits.RegistrationsPerAddressMax
}

/** Refusals before a secret is looked at: they ask for the next step of a person who has done nothing wrong. */
const askingCodes: readonly string[] = ['second_factor.needed', 'session.not_recent']

/** The calls of one key in this process: all of them, those whose attempt runs, and how to wake those that wait. */
type Attempts = { calls: number; running: number; waiting: (() => void)[] }
const attemptsByKey = appScoped(() => new Map<string, Attempts>())

/**
 * Runs the work of a call that checks a secret. A success is not counted, so that many people behind one address do not
 * use its limit up; nor is a failure of ours. Only this call is taken back: a success clears no failures before it.
 * Throws `rate.critical` above the limit.
 */
export const limitFailures = async <T>(
  app: App,
  limit: AttemptLimit,
  work: () => Promise<T>,
): Promise<T> => {
  const byKey = attemptsByKey(app)
  const attempts = byKey.get(limit.key) ?? { calls: 0, running: 0, waiting: [] }
  byKey.set(limit.key, attempts)
  attempts.calls += 1
  try {
    return await runCounted(await takeTurn(app, limit, attempts), attempts, work)
  } finally {
    attempts.calls -= 1
    if (attempts.calls === 0) byKey.delete(limit.key)
  }
}

export const limitAddressFailures = <T>(app: App, ip: string, work: () => Promise<T>): Promise<T> =>
  limitFailures(app, addressLimit(app, 'failures', ip), work)

/** An attempt above the limit waits while others run: each that succeeds is taken back, and makes room for one. */
const takeTurn = async (app: App, limit: AttemptLimit, attempts: Attempts): Promise<Uncount> => {
  try {
    for (;;) {
      const taken = await take(app, limit)
      if (!(taken instanceof Fault)) {
        attempts.running += 1
        return taken
      }
      if (attempts.running === 0) throw taken
      await new Promise<void>(resolve => attempts.waiting.push(resolve))
    }
  } catch (error) {
    wake(attempts, attempts.waiting.length)
    throw error
  }
}

const wake = ({ waiting }: Attempts, count: number) => {
  for (const resolve of waiting.splice(0, count)) resolve()
}

const runCounted = async <T>(
  uncount: Uncount,
  attempts: Attempts,
  work: () => Promise<T>,
): Promise<T> => {
  let isGuess = false
  try {
    return await work()
  } catch (error) {
    isGuess = error instanceof Fault && error.status < 500 && !askingCodes.includes(error.code)
    throw error
  } finally {
    try {
      if (!isGuess) await uncount()
    } finally {
      attempts.running -= 1
      // Without a running attempt nothing would wake the others.
      wake(attempts, attempts.running === 0 ? attempts.waiting.length : isGuess ? 0 : 1)
    }
  }
}
