import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
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
])('the address has only the account of the credential %s', (credential, address) => {
  const channel = { baseUrl: '', model: 'm', stream: true, options: {}, other: '', credential }
  expect(addressOf(provider, provider.serves.chat![0]!, channel)).toBe(address)
})

it('a token without an account is not a valid credential', () => {
  expect(provider.credential.safeParse('token').success).toBe(false)
  expect(provider.sign({ now: () => 0 }, '023e105f|token').headers).toEqual({
    authorization: 'Bearer token',
  })
})
