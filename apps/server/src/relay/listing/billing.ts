import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import * as accounts from '../../db/queries/accounts.ts'
import * as tokenSpend from '../../db/queries/token-spend.ts'
import { type Exchange, writeJson } from '../exchange.ts'
import { identify } from '../identify.ts'

// OpenAI's old billing addresses, by which clients show a balance beside the chat (NextChat among them). One Hub's
// answers: the API key's own quota where it has one, else its user's; in dollars where the site shows money, else in
// points. Dates in the query are not looked at.

const asksMax = 300
const asksSeconds = 180

/** All that may ever be spent, and until when. */
export const relaySubscription = async (app: App, exchange: Exchange): Promise<void> => {
  const { token, spent, left } = await spendingOf(app, exchange)
  const limit = shown(app, spent + left)
  writeJson(exchange, {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: Math.max(token.expiresAt, 0),
  })
}

/** What was spent, in hundredths. */
export const relayUsage = async (app: App, exchange: Exchange): Promise<void> => {
  const { spent } = await spendingOf(app, exchange)
  writeJson(exchange, { object: 'list', total_usage: shown(app, spent * 100) })
}

const spendingOf = async (app: App, exchange: Exchange) => {
  const asked = await app.state.count(`billing:${exchange.ip}`, asksSeconds, asksMax)
  if (!asked.ok) throw new Fault('rate.critical', { retryAfterSeconds: asked.retryAfterSeconds })
  const { token } = await identify(app, exchange)
  return { token, ...(await quotaOf(app, token.caller)) }
}

/** Points. What running calls have reserved is not spent yet. */
const quotaOf = async (app: App, { tokenId, userId }: Caller) => {
  const own = await tokenSpend.find(app.db, tokenId)
  if (own && own.cap !== null) return { spent: own.used, left: Math.max(own.cap - own.used, 0) }
  const account = await accounts.find(app.db, userId)
  return { spent: account?.used ?? 0, left: account?.balance ?? 0 }
}

const shown = (app: App, points: number): number => {
  const { DisplayInCurrencyEnabled, QuotaPerUnit } = app.settings().site
  return DisplayInCurrencyEnabled ? points / QuotaPerUnit : points
}
