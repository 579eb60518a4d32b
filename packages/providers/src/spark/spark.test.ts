import { readFileSync } from 'node:fs'
import { type ChatEvent, collectAnswer, frameReader, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { topEdits } from '../quirks.ts'
import provider from './index.ts'

const planted = 'sk-planted-credential-2718281828'
conform(provider, import.meta.url)
conform(provider, import.meta.url, {}, { credential: `appid|secret|${planted}` })

const endpoint = provider.serves.chat![0]!
const editsOf = (body: object, other = '') => {
  const result = openaiChat.read(Buffer.from(JSON.stringify({ messages: [], ...body })))
  if (!result.ok) throw new Error(result.hint)
  return topEdits(endpoint.quirks, result.parsed, result.parsed.model, {}, { other })
}

it.each([
  ['appid|secret|key', 'Bearer key:secret'],
  ['password', 'Bearer password'],
])('signs with %s as %s', (credential, authorization) => {
  expect(provider.sign({ now: () => 0 }, credential).headers).toEqual({ authorization })
})

it.each([
  ['SparkDesk', 'lite'],
  ['SparkDesk-v3.5', 'generalv3.5'],
  ['SparkDesk-v4.0', '4.0Ultra'],
  ['SparkDesk-v9.9', undefined],
])('sends the model %s of One Hub as %s', (model, name) => {
  expect(editsOf({ model }).model).toBe(name)
})

it.each([
  ['SparkDesk', 'v3.5', 'generalv3.5'],
  ['SparkDesk-v4.0', 'v3.5', '4.0Ultra'],
  ['SparkDesk', 'v9.9', undefined],
  ['lite', 'v3.5', undefined],
])('the model %s in a channel with the version %s is sent as %s', (model, other, name) => {
  expect(editsOf({ model }, other).model).toBe(name)
})

it('asks for a list of tool calls where the request has tools', () => {
  expect(editsOf({ model: 'lite', tools: [] })).toEqual({ tool_calls_switch: true })
  expect(editsOf({ model: 'lite' })).toEqual({})
})

it.each([
  ['x1', '/v2/chat/completions'],
  ['lite', '/v1/chat/completions'],
])('calls %s at %s', (model, path) => {
  const channel = { baseUrl: '', stream: false, options: {}, other: '', model }
  expect(new URL(addressOf(provider, endpoint, channel)!).pathname).toBe(path)
})

it.each([
  ['\n\ndata:[DONE]\n\n', 'end'],
  ['\n\n', 'failure'],
])('translates a stream without finish reasons that ends with %j to its %s', (tail, type) => {
  const stream = String(readFileSync(new URL('./fixtures/chat.stream.sse', import.meta.url)))
  const events: ChatEvent[] = []
  const decoder = openaiChat.decodeFrames(event => events.push(event))
  const reader = frameReader('sse', (data, event) => decoder.pushFrame(data, event))
  reader.push(Buffer.from(stream.replace(/\s*data:\[DONE\]\s*$/, tail)))
  reader.end()
  decoder.end()
  expect(events.at(-1)?.type).toBe(type)
  expect(collectAnswer(events).choices[0]?.parts).toEqual([
    { type: 'text', text: '你好！很高兴见到你。' },
  ])
})
