import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { findErrorRule } from '../error-rules.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

const { chat = [], embeddings = [] } = provider.serves
const context = { model: 'm/1', stream: false, options: {}, other: '' }

it.each([
  'https://a.example',
  'https://a.example/',
  'https://a.example/v1',
  'https://a.example/v1/',
])(
  'every dialect has its usual path below %s, whether or not the address names a version',
  baseUrl => {
    const urls = [...chat, ...embeddings].map(each =>
      addressOf(provider, each, { ...context, baseUrl }),
    )
    expect(urls).toEqual([
      'https://a.example/v1/chat/completions',
      'https://a.example/v1/responses',
      'https://a.example/v1/messages',
      'https://a.example/v1beta/models/m%2F1:generateContent',
      'https://a.example/v1/embeddings',
      'https://a.example/v1beta/models/m%2F1:embedContent',
    ])
  },
)

it('a path of the address stays, without its version', () => {
  const at = (baseUrl: string) => addressOf(provider, chat[2]!, { ...context, baseUrl })
  expect(at('https://a.example/relay/v1')).toBe('https://a.example/relay/v1/messages')
  expect(at('https://a.example/v1beta')).toBe('https://a.example/v1/messages')
})

const headersFor = (path: string, credential: string) =>
  provider.sign({ now: () => 0 }, credential, {
    ...{ method: 'POST', origin: 'https://a.example', path, body: null },
  }).headers

it('each dialect gets the key in the header of its vendor too', () => {
  const authorization = 'Bearer sk-1'
  expect(headersFor('/v1/chat/completions', 'sk-1')).toEqual({ authorization })
  expect(headersFor('/v1/responses', 'sk-1')).toEqual({ authorization })
  expect(headersFor('/v1/messages', 'sk-1')).toEqual({ authorization, 'x-api-key': 'sk-1' })
  expect(headersFor('/relay/v1/messages/count_tokens', 'sk-1')).toEqual({
    authorization,
    'x-api-key': 'sk-1',
  })
  expect(headersFor('/v1beta/models/m:streamGenerateContent?alt=sse', 'sk-1')).toEqual({
    authorization,
    'x-goog-api-key': 'sk-1',
  })
})

it('the access token of the account is sent to the path of the account alone', () => {
  const credential = 'sk-1|token-of-the-account|42'
  expect(headersFor('/api/user/self', credential)).toEqual({
    authorization: 'Bearer token-of-the-account',
    'new-api-user': '42',
  })
  for (const path of ['/v1/chat/completions', '/v1/usage', '/api/status', '/v1/models'])
    expect(headersFor(path, credential)).toEqual({ authorization: 'Bearer sk-1' })
  const { isFor } = provider.balance!
  expect([isFor!(credential), isFor!('sk-1'), isFor!('sk-1|')]).toEqual([true, false, false])
})

const isMissing = (message: string, code = '', type = '', status = 500) =>
  provider.missingDialect!.test(`${status} ${message} ${type} ${code}`)

it('the words of each gateway for a dialect that it lacks are known', () => {
  expect(isMissing('The API interface is not supported', 'unsupported_api')).toBe(true)
  expect(isMissing('not implemented', 'convert_request_failed', 'new_api_error')).toBe(true)
  expect(isMissing('This group does not allow /v1/messages dispatch', '', 'permission_error')).toBe(
    true,
  )
  expect(isMissing('Messages API is not supported for this platform')).toBe(true)
  expect(isMissing('API key group platform is not gemini', '400')).toBe(true)
  expect(isMissing('No channel supports this.', '', '', 501)).toBe(true)
})

it('other refusals say nothing about the dialect', () => {
  expect(isMissing('当前分组 default 下对于模型 m 无可用渠道', 'model_not_found')).toBe(false)
  expect(isMissing('temperature is not supported with this model', 'unsupported_value')).toBe(false)
  expect(isMissing('invalid character', 'convert_request_failed', 'new_api_error')).toBe(false)
  expect(isMissing('Invalid API key', 'invalid_api_key')).toBe(false)
  expect(findErrorRule(provider.errorRules, { status: 404, message: '', type: '', code: '' })).toBe(
    undefined,
  )
})
