import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'
import { isBotCheckEnabled, isBotCheckIncomplete } from '../../core/sign-in/bot-check.ts'
import { siteAddress } from '../../core/site/address.ts'
import { verifyTurnstile } from '../../integrations/bot-check/turnstile.ts'

/** The widgets of the console. A token of one is not accepted for another. */
type BotCheckAction = 'login' | 'register' | 'reset' | 'verification'

/**
 * Refuses a request without a token of the bot check, while that is on. It runs before anything is looked up. While the
 * check lacks a key, every form is closed except the sign-in, which then is open to super administrators only.
 */
export const requireBotCheck = async (
  app: App,
  context: HttpContext,
  action: BotCheckAction,
  token: string,
): Promise<void> => {
  if (isBotCheckIncomplete(app)) {
    if (action === 'login') return
    throw new Fault('turnstile.unavailable')
  }
  if (!isBotCheckEnabled(app)) return
  if (token === '') throw new Fault('turnstile.missing')
  const { turnstile } = app.settings()
  const address = siteAddress(app)
  const result = await verifyTurnstile({
    address: app.env.turnstileAddress,
    secret: openSecret(app, 'TurnstileSecretKey'),
    hostname: address && new URL(address).hostname,
    ip: context.ip,
    action,
    token,
  })
  if (result === 'refused') throw new Fault('turnstile.refused')
  if (result === 'passed') return
  app.log.warn({ action }, 'the bot check is unavailable')
  if (!turnstile.TurnstileOutageAllowed) throw new Fault('turnstile.unavailable')
}
