import { beforeAll, expect, it } from 'vitest'
import { answerJson, type Json, receivedBody, useRelayHub } from '../../../test/relay-hub.ts'

const hub = useRelayHub()
const bodies: Json[] = []

beforeAll(async () => {
  await hub.addChannel(17, 'qwen-plus', { plugin: { web_search: { enable: true } } })
  await hub.addChannel(17, 'qwen-max')
  for (const model of ['qwen-plus', 'qwen-max'])
    hub.upstream.play(model, turn => {
      bodies.push(receivedBody(turn))
      const message = { role: 'assistant', content: 'Sunny.' }
      answerJson(turn, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      })
    })
})

// https://www.alibabacloud.com/help/zh/model-studio/web-search
it.each([
  ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/v1/responses', { store: false, input: 'Hi' }],
])('a call of %s searches the web only if the channel has that option on', async (path, fields) => {
  bodies.length = 0
  for (const model of ['qwen-plus', 'qwen-max']) {
    const response = await hub.post(path, { model, ...fields })
    expect(response.status, await response.text()).toBe(200)
  }
  expect(bodies.map(body => body.enable_search)).toEqual([true, undefined])
})
