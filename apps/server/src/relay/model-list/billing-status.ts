import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import * as accounts from '../../db/queries/accounts.ts'
import * as tokenSpend from '../../db/queries/token-spend.ts'
import { identify } from '../auth/identify.ts'
import type { CachedToken } from '../auth/token-cache.ts'
import type { RequestContext } from '../context.ts'
import { writeJson } from '../response/write.ts'

// OpenAI's old billing routes, as One Hub answers them: clients such as NextChat show a balance by these. It is the API
// key's own quota where it has one, else its user's; in dollars where the site shows money, else in points. Dates in the
// query are ignored.

const requestsMax = 300
const windowSeconds = 180
const daySeconds = 86_400

/** The quota in total, and until when it can be used. */
export const showSubscription = async (app: App, context: RequestContext): Promise<void> => {
  const { token, spent, left } = await spendingOf(app, context)
  const limit = displayed(app, spent + left)
  writeJson(context, {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: Math.max(token.expiresAt, 0),
  })
}

/** The used quota, in hundredths. */
export const showUsage = async (app: App, context: RequestContext): Promise<void> => {
  const { spent } = await spendingOf(app, context)
  writeJson(context, { object: 'list', total_usage: displayed(app, spent * 100) })
}

/** Answers the remaining quota as sub2api does: the key's own where it has one, else its user's balance. */
export const showKeyUsage = async (app: App, context: RequestContext): Promise<void> => {
  const { token, spent, left, isCapped } = await spendingOf(app, context)
  const [limit, used, remaining] = [spent + left, spent, left].map(each => displayed(app, each))
  const unit = app.settings().site.DisplayInCurrencyEnabled ? 'USD' : 'points'
  const common = {
    isValid: true,
    planName: token.caller.group,
    remaining,
    unit,
    ...expiryOf(app, token),
  }
  writeJson(
    context,
    isCapped
      ? {
          ...{ mode: 'quota_limited', status: left > 0 ? 'active' : 'quota_exhausted' },
          ...common,
          quota: { limit, used, remaining, unit },
        }
      : { mode: 'unrestricted', ...common, balance: remaining, usage: { total: { cost: used } } },
  )
}

/** A key without an end has neither of the two. */
const expiryOf = (app: App, { expiresAt }: Pick<CachedToken, 'expiresAt'>) =>
  expiresAt > 0
    ? {
        expires_at: new Date(expiresAt * 1_000).toISOString(),
        days_until_expiry: Math.floor((expiresAt - app.now() / 1_000) / daySeconds),
      }
    : {}

const spendingOf = async (app: App, context: RequestContext) => {
  const rate = await app.state.count(`billing:${context.ip}`, windowSeconds, requestsMax)
  if (!rate.ok) throw new Fault('rate.critical', { retryAfterSeconds: rate.retryAfterSeconds })
  const { token } = await identify(app, context)
  return { token, ...(await quotaOf(app, token.caller)) }
}

/** In points. Reservations of running calls are not spent yet. */
const quotaOf = async (app: App, { tokenId, userId }: Caller) => {
  const own = await tokenSpend.find(app.callDb, tokenId)
  if (own && own.cap !== null)
    return { isCapped: true, spent: own.used, left: Math.max(own.cap - own.used, 0) }
  const account = await accounts.find(app.callDb, userId)
  return { isCapped: false, spent: account?.used ?? 0, left: account?.balance ?? 0 }
}

const displayed = (app: App, points: number): number => {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = app.settings().site
  return DisplayInCurrencyEnabled ? points / QuotaPerUnit : points
}
