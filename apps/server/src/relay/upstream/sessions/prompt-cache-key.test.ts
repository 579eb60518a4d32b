import { anthropic } from '@hub/dialects'
import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import type { App } from '../../../core/app.ts'
import { makeSealer } from '../../../lib/seal.ts'
import { promptCacheKeyOf } from './prompt-cache-key.ts'

const openai = providers.find(each => each.id === 'openai')!
const endpoint = openai.serves.chat!.find(each => each.dialect === 'openai-responses')!

type Case = {
  userId?: number
  session?: string
  text?: string
  scope?: string
  baseUrl?: string
  masterKey?: number
}

const keyFor = ({ userId = 1, text = 'Hi', baseUrl = '', masterKey = 1, ...more }: Case = {}) => {
  const app = { seal: makeSealer(Buffer.alloc(32, masterKey)) } as App
  const messages = [{ role: 'user', content: text }]
  const read = anthropic.read(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages })))
  if (!read.ok) throw new TypeError(read.hint)
  const options = more.scope === undefined ? {} : { prompt_cache_key: { scope: more.scope } }
  const channel = { options, baseUrl, provider: openai }
  const attempt = { channel, endpoint, translation: {} } as unknown as Parameters<
    typeof promptCacheKeyOf
  >[2]
  const context = { caller: { userId }, parsed: read.parsed, session: more.session }
  return promptCacheKeyOf(app, context as Parameters<typeof promptCacheKeyOf>[1], attempt)
}

it('S40 a derived cache key belongs to one user and one session', () => {
  const cases: Case[] = [
    { session: 'a' },
    { session: 'a', userId: 2 },
    { session: 'b' },
    { session: 'a', scope: 'user' },
    { session: 'a', scope: 'user', userId: 2 },
    { session: 'a', masterKey: 2 },
    { text: 'a' },
    { text: 'a', userId: 2 },
    { text: 'b' },
  ]
  const keys = cases.map(keyFor)
  for (const each of keys) expect(each).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(cases.length)
  expect(cases.map(keyFor)).toEqual(keys)
})

it('all sessions of a user have one key where the channel says so', () => {
  expect(keyFor({ session: 'a', scope: 'user' })).toBe(keyFor({ session: 'b', scope: 'user' }))
})

it.each([
  ['', true],
  ['https://api.openai.com', true],
  ['https://gateway.example', false],
])('a channel at "%s" gets a key by itself: %s', (baseUrl, isSent) => {
  expect(keyFor({ session: 'a', baseUrl }) !== undefined).toBe(isSent)
  expect(keyFor({ session: 'a', baseUrl, scope: 'session' })).toBeDefined()
  expect(keyFor({ session: 'a', baseUrl, scope: 'off' })).toBeUndefined()
})
