import * as bot from '../db/queries/telegram-bot.ts'
import type { App } from './app.ts'
import { cachedQuery } from './app-scoped.ts'
import { openSecret } from './secrets/setting-secrets.ts'

/** The token of the Telegram bot. Undefined: the bot is switched off, or has none. */
export const botToken = (app: App): string | undefined =>
  app.settings().telegram.TelegramBotEnabled
    ? openSecret(app, 'TelegramBotToken') || undefined
    : undefined

export const botTokenHash = (app: App, token: string): string =>
  app.seal.fingerprint('telegram-bot', `token:${token}`)

/** Reads the report of the node that runs the bot. */
const botReport = cachedQuery(['telegram'], app => bot.find(app.db))

/** Returns the name of the bot without @, or an empty text while it is off or has not reached Telegram yet. */
export const botUsername = async (app: App): Promise<string> => {
  const token = botToken(app)
  if (!token) return ''
  const report = await botReport(app).get()
  return report?.token_hash === botTokenHash(app, token) ? report.username : ''
}
