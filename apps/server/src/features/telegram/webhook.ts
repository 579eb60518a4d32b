import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { Bot } from 'grammy'
import type { Update } from 'grammy/types'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { botUsername } from '../../core/telegram-bot.ts'
import { type BotConfig, botConfig, sameConfig, webhookSecret } from './config.ts'

type MadeBot = { config: BotConfig; username: string; bot: Bot }

/** The bot of the current settings, kept between updates. */
const currentBot = appScoped((app): ((config: BotConfig, username: string) => Promise<Bot>) => {
  let made: MadeBot | undefined
  return async (config, username) => {
    const { makeBot } = await import('./bot.ts')
    if (!made || made.username !== username || !sameConfig(made.config, config))
      made = { config, username, bot: makeBot(app, config, { username }) }
    return made.bot
  }
})

/**
 * Answers an update that Telegram sent to this node. It rejects if that fails for now: Telegram repeats the update.
 * Throws `route.unknown` unless the bot has a webhook, and `telegram.secret` if the request does not come from Telegram.
 */
export const handleWebhook = async (
  app: App,
  secret: string | undefined,
  readUpdate: () => Update,
): Promise<void> => {
  const config = botConfig(app)
  if (config?.mode !== 'webhook') throw new Fault('route.unknown')
  if (!isEqual(secret ?? '', webhookSecret(app, config.token))) throw new Fault('telegram.secret')
  const username = await botUsername(app)
  // The node that sets the webhook reports the name. Telegram repeats an update that came before.
  if (username === '') throw new Fault('server.busy')
  const bot = await currentBot(app)(config, username)
  await bot.handleUpdate(readUpdate())
}

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
