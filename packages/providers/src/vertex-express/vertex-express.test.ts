import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-400.json': 'upstream.credential' })

const [endpoint] = provider.serves.chat!
const channel = { baseUrl: '', options: {}, other: '', model: 'gemini-2.5-flash' }

it.each([
  [endpoint!.path, false, 'generateContent'],
  [endpoint!.path, true, 'streamGenerateContent?alt=sse'],
  [provider.tokenCounting!.gemini!.path, false, 'countTokens'],
])('an address has no project and no region', (path, stream, action) => {
  expect(addressOf(provider, { path }, { ...channel, stream })).toBe(
    `https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:${action}`,
  )
})

it('the key is a header', () => {
  expect(provider.sign({ now: () => 0 }, 'key')).toEqual({
    headers: { 'x-goog-api-key': 'key' },
    query: {},
  })
})
