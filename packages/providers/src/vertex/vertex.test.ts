import { generateKeyPairSync, verify } from 'node:crypto'
import { anthropic, gemini, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { deepEdits, topEdits } from '../quirks.ts'
import provider from './index.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const credential = JSON.stringify({
  type: 'service_account',
  client_email: 'hub@my-project.iam.gserviceaccount.com',
  private_key_id: 'made-up',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
})

conform(provider, import.meta.url, {}, { credential, other: 'us-east5|my-project' })

const tokenAt = (now: number, account = credential) =>
  provider.sign({ now: () => now }, account).headers.authorization!.replace(/^Bearer /, '')

it('the service account signs a token for one hour', () => {
  const now = Date.UTC(2026, 0, 1, 12, 20)
  const [head = '', body = '', signature = ''] = tokenAt(now).split('.')
  const claims = JSON.parse(String(Buffer.from(body, 'base64url')))
  expect(claims).toEqual({
    iss: 'hub@my-project.iam.gserviceaccount.com',
    sub: 'hub@my-project.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    iat: Date.UTC(2026, 0, 1, 12) / 1_000,
    exp: Date.UTC(2026, 0, 1, 13) / 1_000,
  })
  const signedText = Buffer.from(`${head}.${body}`)
  expect(verify('RSA-SHA256', signedText, publicKey, Buffer.from(signature, 'base64url'))).toBe(
    true,
  )
})

it('a token is replaced before it expires, and each account has its own', () => {
  const at = (minute: number) => tokenAt(Date.UTC(2026, 0, 1, 12, minute))
  expect(at(29)).toBe(at(0))
  expect(at(30)).not.toBe(at(29))
  expect(tokenAt(0, credential.replace('hub@', 'other@'))).not.toBe(tokenAt(0))
})

it('an invalid service account gives an empty token', () => {
  expect(tokenAt(0, 'no json')).toBe('')
  expect(tokenAt(0, '{"client_email":"a","private_key":"no key"}')).toBe('')
})

it.each([
  ['gemini-2.5-flash', false, 'google/models/gemini-2.5-flash:generateContent'],
  ['gemini-2.5-flash', true, 'google/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
  ['claude-sonnet-4-5-20250929', false, 'anthropic/models/claude-sonnet-4-5@20250929:rawPredict'],
  [
    'claude-3-5-sonnet-20241022',
    true,
    'anthropic/models/claude-3-5-sonnet-v2@20241022:streamRawPredict',
  ],
  ['claude-opus-4-6', true, 'anthropic/models/claude-opus-4-6:streamRawPredict'],
  ['mistral-medium-3', false, 'mistralai/models/mistral-medium-3:rawPredict'],
  ['codestral-2', true, 'mistralai/models/codestral-2:streamRawPredict'],
])('the address of %s with stream %s', (model, stream, path) => {
  const endpoint = provider.serves.chat!.find(each => each.onlyModels!.test(model))
  const at = (other: string) =>
    addressOf(provider, endpoint!, { baseUrl: '', model, stream, options: {}, other })
  expect(at('us-east5|my-project')).toBe(
    `https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/${path}`,
  )
  expect(at('global|my-project')).toBe(
    `https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/publishers/${path}`,
  )
  expect(at('us-east5')).toBeUndefined()
  expect(at('evil.example/|my-project')).toBeUndefined()
})

it.each([
  'meta/llama-3.3-70b-instruct-maas',
  'deepseek-ai/deepseek-v3.1-maas',
  'openai/gpt-oss-120b-maas',
])('%s is called in OpenAI’s dialect', model => {
  const endpoint = provider.serves.chat!.find(each => each.onlyModels!.test(model))!
  expect([endpoint.dialect, endpoint.usageFlag]).toEqual(['openai-chat', true])
  const channel = { baseUrl: '', model, stream: true, options: {}, other: 'us-central1|my-project' }
  expect(addressOf(provider, endpoint, channel)).toBe(
    'https://us-central1-aiplatform.googleapis.com/v1/projects/my-project/locations/us-central1/endpoints/openapi/chat/completions',
  )
})

it('a request to a model of Mistral has the fields that its vendor knows', () => {
  const { quirks } = provider.serves.chat!.find(each => each.onlyModels!.test('mistral-medium-3'))!
  const body = { model: 'mistral-medium-3', messages: [], max_completion_tokens: 9, store: true }
  const read = openaiChat.read(Buffer.from(JSON.stringify(body)))
  if (!read.ok) throw new Error(read.hint)
  const sent = openaiChat.splice(read.parsed, topEdits(quirks, read.parsed, body.model, {}))
  expect(JSON.parse(String(sent))).toEqual({
    model: 'mistral-medium-3',
    messages: [],
    max_tokens: 9,
  })
})

it('token counting for Claude has its own address and the vendor name of the model in the body', () => {
  const { path, onlyModels, quirks } = provider.tokenCounting!.anthropic!
  expect([path, onlyModels?.test('gemini-2.5-pro')]).toEqual([
    '/publishers/anthropic/models/count-tokens:rawPredict',
    false,
  ])
  const body = { model: 'claude-haiku-4-5-20251001', messages: [] }
  const read = anthropic.read(Buffer.from(JSON.stringify(body)))
  if (!read.ok) throw new Error(read.hint)
  const sent = anthropic.splice(read.parsed, topEdits(quirks, read.parsed, body.model, {}))
  expect(JSON.parse(String(sent))).toEqual({ ...body, model: 'claude-haiku-4-5@20251001' })
})

it('token counting for Gemini accepts a request and a wrapped generateContentRequest', () => {
  const { path, onlyModels, quirks } = provider.tokenCounting!.gemini!
  const context = { model: 'gemini-2.5-pro', stream: false, options: {}, other: '' }
  const address = typeof path === 'string' ? path : path(context)
  expect([address, onlyModels?.test('claude-opus-4-6')]).toEqual([
    '/publishers/google/models/gemini-2.5-pro:countTokens',
    false,
  ])
  const contents = [{ role: 'user', parts: [{ text: 'a' }] }]
  const wrapped = { generateContentRequest: { model: 'models/gemini-2.5-pro', contents } }
  for (const body of [{ contents }, wrapped]) {
    const read = gemini.read(Buffer.from(JSON.stringify(body)), context)
    if (!read.ok) throw new Error(read.hint)
    expect(JSON.parse(String(deepEdits(quirks, read.parsed.body, context.model)))).toEqual({
      contents,
    })
  }
})

it.each([
  ['images', 'imagen-4.0-generate-001', 'imagen-4.0-generate-001:predict'],
  ['images', 'gemini-2.5-flash-image', 'gemini-2.5-flash-image:generateContent'],
  ['speech', 'gemini-2.5-flash-tts', 'gemini-2.5-flash-tts:generateContent'],
] as const)('%s of %s are made at %s', (operation, model, path) => {
  const [endpoint] = provider.serves[operation]!
  const fields = { baseUrl: '', stream: false, options: {}, other: 'us-east5|my-project' }
  expect(endpoint!.onlyModels!.test(model)).toBe(true)
  expect(addressOf(provider, endpoint!, { ...fields, model })).toBe(
    `https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/google/models/${path}`,
  )
})
