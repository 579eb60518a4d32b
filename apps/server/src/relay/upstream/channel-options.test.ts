import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()
const bodies: Json[] = []
const plugin = { web_search: { enable: true } }
const routing = { allow_fallbacks: false }

const channels = [
  [17, 'qwen-plus', { plugin }],
  [17, 'qwen-max', {}],
  [16, 'glm-4.7', { plugin }],
  [25, 'gemini-passed', { plugin: { use_openai_api: { enable: true } } }],
  [20, 'vendor/model', { plugin: { other: { provider: JSON.stringify({ vendor: routing }) } } }],
] as const

beforeAll(async () => {
  for (const [type, model, fields] of channels) {
    await hub.addChannel(type, model, fields)
    hub.upstream.play(model, turn => {
      bodies.push(receivedBody(turn))
      const message = { role: 'assistant', content: 'Sunny.' }
      answerJson(turn, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      })
    })
  }
})

const call = async (path: string, model: string, fields: object) => {
  const response = await hub.post(path, { model, ...fields })
  expect(response.status, await response.text()).toBe(200)
}
const messages = [{ role: 'user', content: 'Hi' }]

// https://www.alibabacloud.com/help/zh/model-studio/web-search
it.each([
  ['/v1/chat/completions', { messages }],
  ['/v1/responses', { store: false, input: 'Hi' }],
])('a call of %s searches the web only if the channel has that option on', async (path, fields) => {
  bodies.length = 0
  for (const model of ['qwen-plus', 'qwen-max', 'glm-4.7']) await call(path, model, fields)
  const searches = [{ type: 'web_search', web_search: { search_engine: 'search_std' } }]
  expect(bodies.map(body => body.enable_search)).toEqual([true, undefined, undefined])
  expect(bodies[2].tools).toMatchObject(searches)
})

// https://openrouter.ai/docs/docs/routing/provider-selection
it('a call has the routing that the channel gives to the vendor of the model', async () => {
  bodies.length = 0
  await call('/v1/chat/completions', 'vendor/model', { messages })
  expect(bodies[0].provider).toEqual(routing)
})

// https://ai.google.dev/gemini-api/docs/openai
it('a call of OpenAI passes to the OpenAI address of the vendor only if the channel has that option on', async () => {
  bodies.length = 0
  await call('/v1/chat/completions', 'gemini-passed', { messages, prediction: { type: 'x' } })
  expect(bodies).toEqual([{ model: 'gemini-passed', messages, prediction: { type: 'x' } }])
  const last = hub.upstream.served.at(-1)!
  expect([last.path, last.credential]).toEqual([
    '/a/v1beta/openai/chat/completions',
    'Bearer vendor-key',
  ])
})
