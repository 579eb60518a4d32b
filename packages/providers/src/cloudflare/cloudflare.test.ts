import { expect, it } from 'vitest'
import { conform } from '../conform.ts'
import { addressOf } from '../define.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {}, { credential: '023e105f|sk-planted-credential-2718281828' })

it.each([
  [
    '023e105f|token',
    'https://api.cloudflare.com/client/v4/accounts/023e105f/ai/v1/chat/completions',
  ],
  ['|token', undefined],
  ['..|token', undefined],
  ['../../evil|token', undefined],
  ['evil.example/x?|token', undefined],
  ['', undefined],
])('of the credential %s only the account stands in the address', (credential, address) => {
  const channel = { baseUrl: '', model: 'm', stream: true, options: {}, other: '', credential }
  expect(addressOf(provider, provider.serves.chat![0]!, channel)).toBe(address)
})

it('a token alone is no credential', () => {
  expect(provider.credential.safeParse('token').success).toBe(false)
  expect(provider.sign({ now: () => 0 }, '023e105f|token').headers).toEqual({
    authorization: 'Bearer token',
  })
})
