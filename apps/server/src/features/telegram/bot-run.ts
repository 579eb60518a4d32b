import { botCommands } from '@hub/contract'
import type { Api, Bot } from 'grammy'
import type { Update } from 'grammy/types'
import { type App, nowSeconds } from '../../core/app.ts'
import { requireSiteUrl } from '../../core/site/address.ts'
import { botTokenHash } from '../../core/telegram-bot.ts'
import * as lease from '../../db/queries/telegram-bot.ts'
import * as menus from '../../db/queries/telegram-menus.ts'
import { errorLine, makeTelegramApi } from '../../integrations/telegram/client.ts'
import { allowedUpdates, pollUpdates } from '../../integrations/telegram/poll.ts'
import { makeBot } from './bot.ts'
import { type BotConfig, botConfig, clientOf, sameConfig, webhookSecret } from './config.ts'
import { leaseMilliseconds, pause } from './lease.ts'
import { botTexts } from './texts/index.ts'

/** The bot skips an update after this many failed answers. */
const triesPerUpdate = 3
/** One Hub's value. */
const webhookConnectionsMax = 100

type BotRunOptions = {
  /** The epoch under which this node got the lease. A node that was declared dead continues under another one. */
  epoch: number
  signal: AbortSignal
  markStarted(): void
}

/** One run with one configuration, on the node that has the lease. */
export class BotRun {
  readonly #api: Api
  readonly #app: App
  readonly #config: BotConfig
  readonly #epoch: number
  readonly #signal: AbortSignal
  readonly #markStarted: () => void

  constructor(app: App, config: BotConfig, { epoch, signal, markStarted }: BotRunOptions) {
    this.#app = app
    this.#config = config
    this.#epoch = epoch
    this.#signal = signal
    this.#markStarted = markStarted
    this.#api = makeTelegramApi(clientOf(app, config), this.#mayRun)
  }

  /** Resolves when the signal came or the lease was lost. */
  async run(): Promise<void> {
    const { mode, token } = this.#config
    try {
      const { username } = await this.#api.getMe(this.#signal as never)
      await registerCommands(this.#app, this.#api)
      if (mode === 'webhook') await this.#setWebhook()
      else await this.#api.deleteWebhook({}, this.#signal as never)
      const token_hash = botTokenHash(this.#app, token)
      await this.#report({ mode, token_hash, username, last_error: '', last_error_at: 0 })
      this.#markStarted()
      if (mode === 'webhook') await this.#keepLease()
      else await this.#poll(username)
    } catch (error) {
      if (!this.#signal.aborted) await this.#reportFailure(error)
      throw error
    } finally {
      await this.#leave()
    }
  }

  #report(change: Parameters<typeof lease.report>[2]) {
    return this.#app.db.transaction().execute(async tx => {
      await lease.report(tx, this.#epoch, change)
      await this.#app.changes.notify(tx, 'telegram')
    })
  }

  async #reportFailure(error: unknown) {
    const last_error = errorLine(error).slice(0, 500)
    const failure = { mode: '', last_error, last_error_at: nowSeconds(this.#app) }
    const report = this.#report(failure)
    await report.catch(cause => this.#app.log.warn({ err: cause }, 'no report of the bot'))
  }

  #mayRun = () => lease.acquire(this.#app.db, this.#epoch)

  async #setWebhook() {
    const url = requireSiteUrl(this.#app, '/api/telegram/webhook')
    const options = {
      secret_token: webhookSecret(this.#app, this.#config.token),
      allowed_updates: allowedUpdates,
      max_connections: webhookConnectionsMax,
    }
    await this.#api.setWebhook(url, options, this.#signal as never)
  }

  async #keepLease() {
    while (!this.#signal.aborted && (await this.#mayRun()))
      await pause(this.#signal, leaseMilliseconds)
  }

  #poll(username: string) {
    const bot = makeBot(this.#app, this.#config, { username, mayCall: this.#mayRun })
    const handle = (update: Update) => this.#handle(bot, update)
    return pollUpdates(this.#api, { mayPoll: this.#mayRun, handle, signal: this.#signal })
  }

  async #handle(bot: Bot, update: Update) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await bot.handleUpdate(update)
      } catch (error) {
        this.#app.log.warn({ err: error }, 'an update of Telegram could not be answered')
        if (tries === triesPerUpdate || this.#signal.aborted || !(await this.#mayRun())) return
        await pause(this.#signal, 1000 * tries)
      }
    }
  }

  /** A webhook stays when the node stops, because the other nodes and the next start serve it. */
  async #leave() {
    const { mode } = this.#config
    const next = botConfig(this.#app)
    const isObsolete = !sameConfig(next, this.#config)
    if (mode === 'webhook' && isObsolete)
      await this.#api
        .deleteWebhook()
        .catch(error => this.#app.log.warn({ err: error }, 'the old webhook stays'))
    await lease.release(this.#app.db, this.#epoch)
  }
}

/** Tells Telegram which commands to offer, in each language; account commands in private chats only. */
export const registerCommands = async (app: App, api: Api): Promise<void> => {
  const own = (await menus.listAll(app.db)).map(({ command, description }) => ({
    command,
    description,
  }))
  const builtIn = (language: keyof typeof botTexts) =>
    botCommands.map(command => ({ command, description: botTexts[language].commands[command] }))
  const privately = { scope: { type: 'all_private_chats' as const } }
  const site = app.env.language
  await api.setMyCommands(own)
  await api.setMyCommands([...builtIn(site), ...own], privately)
  const languages = { en: 'en_US', ja: 'ja_JP', zh: site === 'zh_HK' ? site : 'zh_CN' } as const
  for (const [language_code, language] of Object.entries(languages))
    await api.setMyCommands([...builtIn(language), ...own], {
      ...privately,
      language_code: language_code as keyof typeof languages,
    })
}
