import { anthropic } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

const credential = 'us-west-2|sk-planted-credential-2718281828'
conform(provider, import.meta.url, {}, { credential })

const endpointOf = (model: string) =>
  provider.serves.chat!.find(({ onlyModels }) => onlyModels?.test(model) ?? true)!
const channel = { baseUrl: '', stream: false, options: {}, other: '', credential: 'eu-west-1|k' }

it.each([
  ['anthropic.claude-opus-4-8', 'anthropic', '/anthropic/v1/messages'],
  ['claude-haiku-4-5', 'anthropic', '/anthropic/v1/messages'],
  ['openai.gpt-oss-120b', 'openai-chat', '/v1/chat/completions'],
])('%s is called in %s', (model, dialect, path) => {
  const endpoint = endpointOf(model)
  expect(endpoint.dialect).toBe(dialect)
  expect(addressOf(provider, endpoint, { ...channel, model })).toBe(
    `https://bedrock-mantle.eu-west-1.api.aws${path}`,
  )
})

it.each([
  ['claude-haiku-4-5', 'anthropic.claude-haiku-4-5'],
  ['anthropic.claude-haiku-4-5', undefined],
])('the name %s is sent as %s', (model, sent) => {
  const read = anthropic.read(Buffer.from(JSON.stringify({ model, max_tokens: 1, messages: [] })))
  if (!read.ok) throw new Error(read.hint)
  expect(topEdits(endpointOf(model).quirks, read.parsed, model, {}).model).toBe(sent)
})

const sign = (credential: string, path: string) => {
  const outgoing = { method: 'POST', origin: 'https://a.example', path, body: null }
  return provider.sign({ now: () => 0 }, credential, outgoing).headers
}

it('an API key is sent as each dialect expects it', () => {
  expect(sign('us-east-1|key', '/anthropic/v1/messages')).toEqual({ 'x-api-key': 'key' })
  expect(sign('us-east-1|key', '/v1/chat/completions')).toEqual({ authorization: 'Bearer key' })
})

it('access keys sign for the service of this host', () => {
  const headers = sign('us-east-1|AKIDEXAMPLE|made-up-secret', '/anthropic/v1/messages')
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/us-east-1\/bedrock-mantle\//,
  )
  expect(JSON.stringify(headers)).not.toContain('made-up-secret')
})
