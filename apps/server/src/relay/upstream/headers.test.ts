import { expect, it } from 'vitest'
import { forwardedHeaders, setHeaders } from './headers.ts'

it('what only a vendor understands goes on untouched', () => {
  expect(forwardedHeaders(['X-Vendor-Beta', 'a, b', 'User-Agent', 'sdk/1'])).toEqual([
    'x-vendor-beta',
    'a, b',
    'user-agent',
    'sdk/1',
  ])
})

it.each([
  'Authorization',
  'X-Api-Key',
  'x-goog-api-key',
  'API-KEY',
  'Cookie',
  'Host',
  'Connection',
  'Transfer-Encoding',
  'Content-Length',
  'Content-Type',
  'Expect',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'Via',
  'X-Real-IP',
  'CF-Connecting-IP',
  'Sec-Fetch-Site',
  'Proxy-Authorization',
  'Origin',
  'Referer',
  'OpenAI-Organization',
  'Idempotency-Key',
  'Accept-Encoding',
])('%s stays here', name => {
  expect(forwardedHeaders([name, 'x'])).toEqual([])
})

it('a header that Connection names stays here', () => {
  expect(
    forwardedHeaders(['X-Secret', '1', 'Connection', 'keep-alive, X-Secret', 'X-Other', '2']),
  ).toEqual(['x-other', '2'])
})

it('what is set later replaces what was there, whatever its spelling', () => {
  expect(setHeaders(['a', '1', 'b', '2'], { B: '3', c: '4' })).toEqual([
    'a',
    '1',
    'b',
    '3',
    'c',
    '4',
  ])
})
