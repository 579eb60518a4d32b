import type { App } from '../../core/app.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'
import { siteAddress } from '../../core/site/address.ts'
import { botToken } from '../../core/telegram-bot.ts'
import type { TelegramClient } from '../../integrations/telegram/client.ts'
import { telegramFetch } from './network.ts'

export type BotConfig = Omit<TelegramClient, 'fetch'> & {
  mode: 'webhook' | 'polling'
  proxy: string
  /** The public address of this site. Empty: it is not set. */
  server: string
}

/** Returns undefined if the bot is switched off or has no token. */
export const botConfig = (app: App): BotConfig | undefined => {
  const token = botToken(app)
  if (!token) return undefined
  const { telegram } = app.settings()
  return {
    token,
    apiRoot: telegram.TelegramApiRoot,
    mode: telegram.TelegramUpdateMode,
    proxy: openSecret(app, 'TelegramProxy'),
    server: siteAddress(app) ?? '',
  }
}

export const sameConfig = (a: BotConfig | undefined, b: BotConfig | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

export const clientOf = (app: App, { token, apiRoot, proxy }: BotConfig): TelegramClient => ({
  token,
  apiRoot,
  fetch: telegramFetch(app, { token, apiRoot, proxy }),
})

/** The text by which Telegram proves its requests. All nodes derive the same one. */
export const webhookSecret = (app: App, token: string): string =>
  app.seal.fingerprint('telegram-bot', `webhook:${token}`)
