import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import * as lease from '../../db/queries/telegram-bot.ts'
import type { BotRun } from './bot-run.ts'
import { botConfig, sameConfig } from './config.ts'
import { leaseMilliseconds, pause } from './lease.ts'

const retryMillisecondsMax = 60_000

export type TelegramBotService = {
  /** Gives the bot to another node. */
  stop(): Promise<void>
}

/**
 * Runs the bot on this node while it is switched on and no other node runs it. The settings are obeyed within 300 ms,
 * and another node takes over when this one stops or is declared dead.
 */
export const startTelegramBot = (app: App): TelegramBotService => {
  const stopped = new AbortController()
  let changed = new AbortController()
  let config = botConfig(app)
  const forget = app.changes.on('settings', () => {
    const next = botConfig(app)
    if (sameConfig(config, next)) return
    config = next
    changed.abort()
    changed = new AbortController()
  })
  const run = async () => {
    for (let failures = 0; !stopped.signal.aborted; ) {
      const signal = AbortSignal.any([stopped.signal, changed.signal])
      const current = config
      const { epoch } = app.ledger
      const markStarted = () => {
        failures = 0
        void reportSuccess(app, { service: 'bot' })
      }
      try {
        if (!current) await pause(signal)
        else if (await lease.acquire(app.db, epoch))
          await runBot(app, current, { epoch, signal, markStarted })
        else await pause(signal, leaseMilliseconds)
      } catch (error) {
        if (signal.aborted) continue
        failures += 1
        await reportFailure(
          app,
          { service: 'bot' },
          new Fault('telegram.unreachable', { hint: messageOf(error) }),
        )
        app.log.warn({ err: error }, 'the Telegram bot failed')
        await pause(signal, Math.min(retryMillisecondsMax, 1000 * 2 ** (failures - 1)))
      }
    }
  }
  const running = run()
  return {
    stop: async () => {
      forget()
      stopped.abort()
      await running
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Loads the bot's library first, since most installations have no bot. */
const runBot = async (...args: ConstructorParameters<typeof BotRun>) => {
  const { BotRun } = await import('./bot-run.ts')
  await new BotRun(...args).run()
}
