import { expect } from 'vitest'
import { until } from '../harness/runner/until.ts'
import { botToken, FakeTelegram } from '../harness/telegram/server.ts'
import type { TestHub } from '../harness/test-hub.ts'

type State = { state: string; username: string; last_error: string }

/** The part of `settings.test.ts` about the Telegram bot. */
export const telegramSettings = (hub: () => TestHub) => {
  const set = (key: string, value: string) => hub().admin.setOption(key, value)
  const untilState = (expected: string): Promise<State> =>
    until(`the bot is ${expected}`, async () => {
      const state = await hub().admin.api<State>('GET', '/api/option/telegram/status')
      return state.state === expected ? state : undefined
    })
  const withBot = async (work: (telegram: FakeTelegram) => Promise<void>) => {
    const telegram = await new FakeTelegram().start()
    try {
      await set('TelegramApiRoot', telegram.url)
      await set('TelegramBotToken', botToken)
      await set('TelegramBotEnabled', 'true')
      await untilState('polling')
      await work(telegram)
    } finally {
      await set('TelegramBotEnabled', 'false')
      await telegram.close()
    }
  }
  return {
    TelegramBotEnabled: () =>
      withBot(async () => {
        await set('TelegramBotEnabled', 'false')
        await untilState('off')
      }),
    TelegramBotToken: () =>
      withBot(async () => {
        await set('TelegramBotToken', '42:AAAnotherTokenAnotherToken')
        expect((await untilState('failed')).last_error).toMatch('Unauthorized')
      }),
    TelegramApiRoot: () =>
      withBot(async telegram => {
        expect(telegram.calls).toContain('getMe')
        await set('TelegramApiRoot', 'http://127.0.0.1:1')
        await untilState('off')
      }),
    TelegramUpdateMode: () =>
      withBot(async telegram => {
        await set('TelegramUpdateMode', 'webhook')
        await untilState('webhook')
        expect(telegram.webhook).toBeDefined()
        await set('TelegramUpdateMode', 'polling')
        await untilState('polling')
        expect(telegram.webhook).toBeUndefined()
      }),
    TelegramProxy: () =>
      withBot(async () => {
        await set('TelegramProxy', 'http://127.0.0.1:1')
        expect((await untilState('failed')).last_error).toMatch('ECONNREFUSED')
        await set('TelegramProxy', '')
        await untilState('polling')
      }),
  }
}
