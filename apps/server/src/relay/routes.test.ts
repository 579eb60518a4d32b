import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { AzureOpenAI } from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerJson, useRelayHub } from '../../test/relay-hub.ts'

const hub = useRelayHub()

const openai = { error: { type: 'invalid_request_error', code: expect.any(String) } }
const anthropic = { type: 'error', error: { type: 'not_found_error' } }
const gemini = { error: { code: 404, status: 'NOT_FOUND' } }

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${hub.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })

it.each([
  ['GET', '/mj/task/1', { type: 'one_hub_error', code: 4, description: expect.any(String) }],
  ['POST', '/fast/mj/whatever', { type: 'one_hub_error', code: 4 }],
  ['GET', '/suno/account', openai],
  ['GET', '/v1/whatever', openai],
  ['POST', '/v1/images/whatever', openai],
  ['GET', '/v1/images/generations', openai],
  ['GET', '/chat/completions', openai],
  ['GET', '/v1/conversations', openai],
  ['GET', '/v1/uploads', openai],
  ['GET', '/rerank', { detail: expect.any(String) }],
  ['GET', '/audio/speech', openai],
  ['POST', '/v2/whatever', openai],
  ['GET', '/openai/deployments', openai],
  ['GET', '/cursor/v1/whatever', openai],
  ['POST', '/v1beta/openai/whatever', openai],
  ['PUT', '/v1beta/openai/models', openai],
  ['GET', '/v1beta/openai/chat/completions', openai],
  ['POST', '/v1beta/openai/responses', openai],
  ['GET', '/v1/messages', anthropic],
  ['POST', '/v1/messages/whatever', anthropic],
  ['GET', '/anthropic/v1/skills', anthropic],
  ['POST', '/claude/v1/whatever', anthropic],
  ['GET', '/v1beta/fileSearchStores', gemini],
  ['POST', '/gemini/v1beta/files', gemini],
  ['POST', '/v1beta/models/gemini-2.5-pro', gemini],
  ['POST', '/v1alpha/whatever', gemini],
])('%s %s is refused in the format of its client', async (method, path, body) => {
  const response = await ask(method, path)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect([response.status, await response.json()]).toMatchObject([404, body])
})

it.each([
  ['GET', '/v1/assistants', 410, 'operation_retired'],
  ['POST', '/v1/threads/thread_1/runs', 410, 'operation_retired'],
  ['POST', '/v1/fine_tuning/jobs', 501, 'operation_unpriced'],
])('%s %s is refused with the reason', async (method, path, status, code) => {
  const response = await ask(method, path)
  expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }])
})

const versions = ['/v1beta', '/v1alpha', '/gemini/v1beta', '/gemini/v1', '/v1']
const interactions = ['', '/v1_id', '/v1_id/cancel', '/v1_id/anything/else']
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

it.each(
  versions.flatMap(version =>
    interactions.flatMap(end => methods.map(each => [each, `${version}/interactions${end}`])),
  ),
)('%s %s names the addresses that serve instead of Interactions', async (method, path) => {
  const response = await ask(method!, path!, { 'x-goog-api-key': hub.key })
  expect([response.status, await response.json()]).toMatchObject([
    501,
    {
      error: {
        code: 501,
        status: 'UNIMPLEMENTED',
        message: expect.stringMatching(/generateContent/),
      },
    },
  ])
})

it('refuses /v1/interactions without a key of Google in the format of OpenAI', async () => {
  const response = await ask('POST', '/v1/interactions')
  expect([response.status, await response.json()]).toMatchObject([404, openai])
})

it.each(['/v1/chat/completions', '/v1/embeddings'])(
  'FID-12 a WebSocket on %s is answered with 426 and a closed connection, so that Codex sends a POST at once',
  async path => {
    const socket = connect(Number(new URL(hub.url).port), '127.0.0.1')
    socket.end(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOpenAI-Beta: responses_websockets=2026-02-06\r\n\r\n`,
    )
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer).toContain('"code":"route_websocket"')
    expect((await ask('GET', path)).status).toBe(404)
  },
)

it.each([
  '/v1/realtime/client_secrets',
  '/realtime/calls',
  '/v1/live/sessions',
  '/v1alpha/auth_tokens',
])('%s is refused with a reason, because nobody would be charged for its use', async path => {
  const response = await ask('POST', path, { authorization: `Bearer ${hub.key}` })
  expect(response.status).toBe(501)
  expect(JSON.stringify(await response.json())).toMatch(/session_direct/i)
})

it('an address that several vendors have is refused in the format that the headers show', async () => {
  const bodyFor = async (headers: Record<string, string>) =>
    (await ask('POST', '/v1/files', headers)).json()
  expect(await bodyFor({ 'anthropic-version': '2023-06-01' })).toMatchObject(anthropic)
  expect(await bodyFor({ 'x-goog-api-key': 'k' })).toMatchObject(gemini)
  expect(await bodyFor({})).toMatchObject(openai)
})

const chatAnswer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'deployed',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}
const messages = [{ role: 'user' as const, content: 'hi' }]

describe('addresses of other gateways and vendors', () => {
  beforeAll(async () => {
    await hub.addChannel(1, 'deployed')
    hub.upstream.play('deployed', turn => answerJson(turn, chatAnswer))
  })

  it("Azure's official client is served by the model that its path names", async () => {
    const client = new AzureOpenAI({
      apiKey: hub.key,
      endpoint: hub.url,
      apiVersion: '2024-10-21',
      deployment: 'deployed',
      maxRetries: 0,
    })
    const result = await client.chat.completions.create({ model: 'ignored', messages })
    expect(result).toEqual(chatAnswer)
    expect(hub.upstream.served.at(-1)).toMatchObject({ model: 'deployed' })
  })

  it.each([
    ['/cursor/v1/chat/completions', { messages }],
    // Cursor sends bodies of Responses to the address of chats.
    ['/cursor/v1/chat/completions', { input: 'hi' }],
    ['/openai/v1/chat/completions', { messages }],
  ])('%s is served with %j', async (path, body) => {
    const response = await hub.post(path, { model: 'deployed', ...body })
    expect(await response.json()).toMatchObject({ choices: chatAnswer.choices })
  })

  it.each<Record<string, string>>([
    { 'mj-api-secret': '' },
    { 'mj-api-secret': '', authorization: 'Bearer midjourney-proxy' },
    { 'api-key': '' },
  ])('the key may stand in %j', async headers => {
    const [name] = Object.keys(headers)
    const response = await ask('GET', '/v1/models', { ...headers, [name!]: hub.key })
    expect(response.status).toBe(200)
  })
})
