import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

const expectedFaults = {
  'fault-400-model.json': 'upstream.refused',
  'fault-400-profile.json': 'upstream.refused',
  'fault-424.json': 'upstream.failed',
}
const credential = 'us-west-2|sk-planted-credential-2718281828'
conform(provider, import.meta.url, expectedFaults, { credential })
conform(provider, import.meta.url, expectedFaults, { credential, dialect: 'converse' })

const channel = { baseUrl: '', stream: false, options: {}, other: '', credential: 'eu-west-1|k' }
const endpointOf = (model: string) =>
  provider.serves.chat!.find(({ onlyModels }) => onlyModels?.test(model) ?? true)!

it.each([
  ['claude-sonnet-4-5-20250929', 'anthropic.claude-sonnet-4-5-20250929-v1%3A0'],
  ['us.claude-3-5-sonnet-20241022', 'us.anthropic.claude-3-5-sonnet-20241022-v2%3A0'],
  ['anthropic.claude-opus-4-6-v1', 'anthropic.claude-opus-4-6-v1'],
  [
    'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1',
    'arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.anthropic.claude-opus-4-6-v1',
  ],
])('%s is called by the model id of Bedrock', (model, id) => {
  const endpoint = endpointOf(model)
  expect(endpoint.dialect).toBe('anthropic')
  expect(addressOf(provider, endpoint, { ...channel, model })).toBe(
    `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${id}/invoke`,
  )
})

it.each([
  ['amazon.nova-pro-v1:0', 'amazon.nova-pro-v1%3A0'],
  ['us.amazon.nova-2-lite-v1:0', 'us.amazon.nova-2-lite-v1%3A0'],
  ['global.amazon.nova-2-lite-v1:0', 'global.amazon.nova-2-lite-v1%3A0'],
  ['eu.mistral.pixtral-large-2502-v1:0', 'eu.mistral.pixtral-large-2502-v1%3A0'],
  ['apac.amazon.nova-lite-v1:0', 'apac.amazon.nova-lite-v1%3A0'],
  ['meta.llama3-3-70b-instruct-v1:0', 'meta.llama3-3-70b-instruct-v1%3A0'],
  ['us.deepseek.r1-v1:0', 'us.deepseek.r1-v1%3A0'],
  ['cohere.command-r-plus-v1:0', 'cohere.command-r-plus-v1%3A0'],
  ['qwen.qwen3-32b-v1:0', 'qwen.qwen3-32b-v1%3A0'],
  ['openai.gpt-oss-120b-1:0', 'openai.gpt-oss-120b-1%3A0'],
  [
    'arn:aws:bedrock:eu-west-1:1:application-inference-profile/x',
    'arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Aapplication-inference-profile%2Fx',
  ],
])('%s is called through Converse', (model, id) => {
  const endpoint = endpointOf(model)
  expect(endpoint.dialect).toBe('converse')
  for (const [stream, action] of [
    [false, 'converse'],
    [true, 'converse-stream'],
  ] as const)
    expect(addressOf(provider, endpoint, { ...channel, model, stream })).toBe(
      `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${id}/${action}`,
    )
})

it('access keys sign the request and are not part of it', () => {
  const outgoing = { method: 'POST', origin: 'https://a.example', path: '/', body: null }
  const context = { now: () => 0 }
  const sign = (credential: string) => provider.sign(context, credential, outgoing).headers
  const headers = sign('us-east-1|AKIDEXAMPLE|made-up-secret|made-up-session')
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/us-east-1\/bedrock\//,
  )
  expect(headers['x-amz-security-token']).toBe('made-up-session')
  expect(JSON.stringify(headers)).not.toContain('made-up-secret')
  expect(sign('us-east-1|key')).toEqual({ authorization: 'Bearer key' })
})
