import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { HttpContext } from '../../core/implement.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'
import { isBotCheckEnabled } from '../../core/sign-in/bot-check.ts'
import { verifyTurnstile } from '../../integrations/bot-check/turnstile.ts'

/** The widgets of the console. A token of one is not accepted for another. */
type BotCheckAction = 'login' | 'register' | 'reset' | 'verification'

/** Refuses a request without a token of the bot check, while that is on. It runs before anything is looked up. */
export const requireBotCheck = async (
  app: App,
  context: HttpContext,
  action: BotCheckAction,
  token: string,
): Promise<void> => {
  if (!isBotCheckEnabled(app)) return
  if (token === '') throw new Fault('turnstile.missing')
  const { site, turnstile } = app.settings()
  const result = await verifyTurnstile({
    address: app.env.turnstileAddress,
    secret: openSecret(app, 'TurnstileSecretKey'),
    hostname: new URL(site.ServerAddress).hostname,
    ip: context.ip,
    action,
    token,
  })
  if (result === 'refused') throw new Fault('turnstile.refused')
  if (result === 'passed') return
  app.log.warn({ action }, 'the bot check is unavailable')
  if (!turnstile.TurnstileOutageAllowed) throw new Fault('turnstile.unavailable')
}
