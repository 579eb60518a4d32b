import { valueAt } from '../balance.ts'
import { makeBalance, quotient } from '../balance-amount.ts'
import type { BalanceQuery } from '../define.ts'
import { bearer, type Sign } from '../signing.ts'
import { pricingPath } from './group-ratios.ts'

/** The path of the account's own data, which an access token of the account reads and no API key. */
const accountPath = '/api/user/self'

/** The parts of `key|access token|user id`. The last two are for the balance alone. */
const partsOf = (credential: string) => {
  const [key = '', token = '', user = ''] = credential.split('|')
  return { key, token, user }
}

/**
 * Every gateway reads Bearer, and some read the vendor's own header at the vendor's paths only: New API's `TokenAuth`,
 * https://github.com/QuantumNous/new-api/blob/main/middleware/auth.go, and One Hub's `ClaudeAuth` and `GeminiAuth`,
 * https://github.com/MartialBE/one-hub/blob/main/middleware/auth.go.
 */
export const sign: Sign = (context, credential, outgoing) => {
  const { key, token, user } = partsOf(credential)
  const path = outgoing?.path.split('?')[0] ?? ''
  // An API key is no credential for this page, which everybody may read.
  if (path.endsWith(pricingPath) && token === '') return { headers: {}, query: {} }
  if (path.endsWith(accountPath) || path.endsWith(pricingPath))
    // New API wants the id beside the token: https://github.com/QuantumNous/new-api/blob/main/middleware/auth.go
    return { headers: { authorization: `Bearer ${token}`, 'new-api-user': user }, query: {} }
  const { headers, query } = bearer(context, key)
  if (/\/v1\/messages(\/|$)/.test(path)) return { headers: { ...headers, 'x-api-key': key }, query }
  if (path.includes('/v1beta/models/'))
    return { headers: { ...headers, 'x-goog-api-key': key }, query }
  return { headers, query }
}

/** Gateways that do not say otherwise count so: https://github.com/QuantumNous/new-api/blob/main/common/constants.go */
const usualPointsPerDollar = 500_000

/**
 * The account's quota in points, and the points of a dollar. Its token is made at `/api/user/token`:
 * https://docs.newapi.pro/zh/docs/api/management/user-management/user-token-get
 */
export const accountBalance = {
  isFor: (credential: string) => partsOf(credential).token !== '',
  paths: [accountPath, '/api/status'],
  read: ([account, status]) => {
    const quota = valueAt(account, 'data', 'quota')
    const isRefused = valueAt(account, 'success') === false
    if (isRefused || typeof quota !== 'number') return undefined
    const pointsPerDollar = valueAt(status, 'data', 'quota_per_unit') ?? usualPointsPerDollar
    return makeBalance('USD', 'wallet', quotient(quota, pointsPerDollar))
  },
} satisfies BalanceQuery
