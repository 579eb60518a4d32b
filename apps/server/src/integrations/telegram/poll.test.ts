import { afterAll, beforeAll, expect, it } from 'vitest'
import { botToken, FakeTelegram } from '../../../../../test/harness/telegram/server.ts'
import { makeTelegramApi } from './client.ts'
import { pollUpdates } from './poll.ts'

let telegram: FakeTelegram
beforeAll(async () => {
  telegram = await new FakeTelegram().start()
})
afterAll(() => telegram.close())

it('updates of a poll whose node lost the bot are neither handled nor confirmed', async () => {
  const { signal } = new AbortController()
  const api = makeTelegramApi({ token: botToken, apiRoot: telegram.url, fetch })
  for (const text of ['one', 'two', 'three']) telegram.say({ id: 1 }, text)
  const handled: (string | undefined)[] = []
  let hasBot = true
  await pollUpdates(api, {
    mayPoll: async () => hasBot,
    handle: async ({ message }) => {
      handled.push(message?.text)
      hasBot = false
    },
    signal,
  })
  expect(handled).toEqual(['one'])
  expect(telegram.pending).toBe(3)
  expect(telegram.calls).toEqual(['getUpdates'])
})
