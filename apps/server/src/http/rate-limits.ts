import { type AddressLimit, Fault, roles } from '@hub/contract'
import type { App } from '../core/app.ts'
import { countAddressAttempt, limitAddressFailures } from '../core/attempt-limits.ts'
import type { SignedInUser } from '../core/implement.ts'
import { addressUnit } from '../lib/ip.ts'

/**
 * Requests to the admin API per minute. A page of the console makes about ten, so that only loops and floods reach a
 * user's limit. Scripts of administrators and offices behind one address need more.
 */
export const requestsPerMinute = { address: 3_000, user: 600, admin: 3_000 }

const limitRequests = async (app: App, key: string, limit: number) => {
  const { ok, retryAfterSeconds } = await app.state.count(key, 60, limit)
  if (!ok) throw new Fault('rate.api', { retryAfterSeconds })
}

/** Runs before the caller is identified, which costs a query. */
export const limitAddress = (app: App, ip: string) =>
  limitRequests(app, `api:${addressUnit(ip)}`, requestsPerMinute.address)

export const limitUser = (app: App, { userId, role }: SignedInUser) =>
  limitRequests(
    app,
    `api:user:${userId}`,
    role >= roles.admin ? requestsPerMinute.admin : requestsPerMinute.user,
  )

/** Runs the work of an endpoint within the limit of its kind per client address. */
export const withinAddressLimit = async <T>(
  app: App,
  kind: AddressLimit,
  ip: string,
  work: () => Promise<T>,
): Promise<T> => {
  if (kind === 'failures') return limitAddressFailures(app, ip, work)
  await countAddressAttempt(app, kind, ip)
  return work()
}
