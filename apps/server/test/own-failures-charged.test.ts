import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Play } from '../../../test/upstream/start.ts'
import { frame, lastCharge, sendCall } from './relay-calls.ts'
import { answerJson, useRelayHub } from './relay-hub.ts'

// Failures that carry the model's output, or report usage. What reaches the caller is charged, else nothing.

const hub = useRelayHub()
const paths = {
  'paid-chat': '/v1/chat/completions',
  'paid-responses': '/v1/responses',
  'paid-messages': '/v1/messages',
  'paid-gemini': '/v1beta/models/paid-gemini:generateContent',
  'paid-gemini-stream': '/v1beta/models/paid-gemini-stream:streamGenerateContent?alt=sse',
} as const
type Name = keyof typeof paths
const chatOnly = 'paid-translated'
beforeAll(async () => {
  for (const name of Object.keys(paths)) await hub.addChannel(67, name)
  await hub.addChannel(67, chatOnly)
})
beforeEach(() => hub.upstream.forget())

const essay = 'The sea is wide and old. '.repeat(160)
const essayTokens = essay.length / 4
const groq = (code: string, generated: unknown = essay) => ({
  ...{
    message: `Failed. See 'failed_generation' for more details.`,
    type: 'invalid_request_error',
  },
  ...{ code, failed_generation: generated },
})
const inText = JSON.stringify({ error: groq('json_validate_failed') })
const filtered = { code: 'content_filter', message: 'It was filtered.' }
const item = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: essay }] }
const response = { id: 'resp_1', object: 'response', status: 'failed', error: filtered, output: [] }
const responsesUsage = { input_tokens: 30, output_tokens: 20, total_tokens: 50 }
const choice = { index: 0, delta: { content: essay }, finish_reason: null }
const chatUsage = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 }
const blocked = { promptFeedback: { blockReason: 'SAFETY' } }
const geminiUsage = { promptTokenCount: 30, candidatesTokenCount: 20, totalTokenCount: 50 }

/** `free`: no charge; `output`: the essay, estimated; `usage`: the reported figures. */
type Charged = 'free' | 'output' | 'usage'

const bodyOf = (name: string, more: object) => {
  if (name.startsWith('paid-gemini')) return { contents: [{ parts: [{ text: 'Hi.' }] }] }
  if (name === 'paid-responses') return { model: name, input: 'Hi.', store: false, ...more }
  const messages = [{ role: 'user', content: 'Hi.' }]
  return { model: name, max_tokens: 5_000, messages, ...more }
}
const chargeOf = async (name: Name | typeof chatOnly, play: Play, more: object = {}) => {
  const before = (await lastCharge(hub))?.id
  hub.upstream.play(name, play)
  const path = name === chatOnly ? paths['paid-messages'] : paths[name]
  const answered = await hub.post(path, bodyOf(name, more))
  const text = await answered.text()
  const charge = await lastCharge(hub)
  return { status: answered.status, text, charge: charge?.id === before ? undefined : charge }
}
const expectCharged = ({ charge }: Awaited<ReturnType<typeof chargeOf>>, charged: Charged) => {
  if (charged === 'free') return expect(charge).toBeUndefined()
  if (charged === 'usage')
    return expect(charge).toMatchObject({ usage: { input: 30, output: 20 }, estimated: false })
  expect(charge).toMatchObject({ estimated: true })
  const { input = 0, output = 0 } = charge!.usage
  expect(output).toBeGreaterThan(essayTokens * 0.9)
  expect(output).toBeLessThan(essayTokens * 1.2)
  expect(input).toBeGreaterThan(0)
  return expect(input).toBeLessThan(20)
}

const refusals: [string, Name, object, Charged][] = [
  ['no output', 'paid-chat', { error: { message: 'No.', type: 'invalid_request_error' } }, 'free'],
  ['an empty output', 'paid-chat', { error: groq('json_validate_failed', '') }, 'free'],
  ['an unfit JSON answer', 'paid-chat', { error: groq('json_validate_failed') }, 'output'],
  ['an unfit call', 'paid-chat', { error: groq('tool_use_failed') }, 'output'],
  [
    'calls as a list',
    'paid-chat',
    { error: groq('tool_use_failed', [{ input: essay }]) },
    'output',
  ],
  ['an unfit answer of Responses', 'paid-responses', { error: groq('tool_use_failed') }, 'output'],
  ['an unfit answer of Messages', 'paid-messages', { error: groq('tool_use_failed') }, 'output'],
  ['a relayed text', 'paid-chat', { error: { message: `GroqException - ${inText}` } }, 'output'],
  [
    'the raw error of another gateway',
    'paid-chat',
    { error: { message: 'Provider returned error', code: 400, metadata: { raw: inText } } },
    'output',
  ],
  ['output beside it', 'paid-chat', { error: filtered, choices: [choice] }, 'output'],
  ['usage beside it', 'paid-chat', { error: filtered, usage: chatUsage }, 'usage'],
  ['usage of zeros', 'paid-chat', { error: filtered, usage: { prompt_tokens: 0 } }, 'free'],
  ['usage and output', 'paid-chat', { error: groq('x'), usage: chatUsage }, 'usage'],
  ['output of a response', 'paid-responses', { ...response, output: [item] }, 'output'],
  ['usage of Gemini', 'paid-gemini', { error: filtered, usageMetadata: geminiUsage }, 'usage'],
  [
    'an echo of the request',
    'paid-chat',
    { detail: [{ msg: 'no', input: { messages: [{ content: essay, output: essay }] } }] },
    'free',
  ],
]
it.each(refusals)('a refusal with %s at %s is charged what reaches the caller', async (...row) => {
  const [, name, body, charged] = row
  const called = await chargeOf(name, turn => answerJson(turn, body, 400))
  expect([called.status, called.text]).toEqual([400, JSON.stringify(body)])
  expectCharged(called, charged)
})

const failed: [string, Name, object, Charged][] = [
  ['nothing', 'paid-responses', response, 'free'],
  ['output', 'paid-responses', { ...response, output: [item] }, 'output'],
  ['usage', 'paid-responses', { ...response, usage: responsesUsage }, 'usage'],
  ['both', 'paid-responses', { ...response, output: [item], usage: responsesUsage }, 'usage'],
  ['usage of a block', 'paid-gemini', { ...blocked, usageMetadata: geminiUsage }, 'usage'],
]
it.each(failed)('a failed answer of status 200 with %s at %s is charged', async (...row) => {
  const [, name, body, charged] = row
  const called = await chargeOf(name, turn => answerJson(turn, body))
  expect([called.status, called.text]).toEqual([200, JSON.stringify(body)])
  expectCharged(called, charged)
})

const delta = {
  ...{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0 },
  delta: essay,
}
const failedEvent = (more: object) => ({
  type: 'response.failed',
  response: { ...response, ...more },
})
const hi = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' } }] }
const streams: [string, Name, Record<string, unknown>[], Charged][] = [
  ['no output', 'paid-chat', [{ error: filtered }], 'free'],
  ['an unfit JSON answer', 'paid-chat', [{ error: groq('json_validate_failed') }], 'output'],
  ['an unfit call after a text', 'paid-chat', [hi, { error: groq('tool_use_failed') }], 'output'],
  ['output beside it', 'paid-chat', [{ error: filtered, choices: [choice] }], 'output'],
  ['usage beside it', 'paid-chat', [{ error: filtered, usage: chatUsage }], 'usage'],
  ['usage behind output', 'paid-chat', [hi, { error: filtered, usage: chatUsage }], 'usage'],
  ['nothing', 'paid-responses', [failedEvent({})], 'free'],
  ['output', 'paid-responses', [failedEvent({ output: [item] })], 'output'],
  ['output that came before', 'paid-responses', [delta, failedEvent({ output: [item] })], 'output'],
  ['usage', 'paid-responses', [failedEvent({ usage: responsesUsage })], 'usage'],
  ['both', 'paid-responses', [delta, failedEvent({ usage: responsesUsage })], 'usage'],
  ['an unfit call', 'paid-messages', [{ type: 'error', error: groq('tool_use_failed') }], 'output'],
  ['an unfit call', 'paid-gemini-stream', [{ error: groq('tool_use_failed') }], 'output'],
  ['usage', 'paid-gemini-stream', [{ error: filtered, usageMetadata: geminiUsage }], 'usage'],
]
it.each(streams)('a stream that ends in a failure with %s at %s is charged', async (...row) => {
  const [, name, frames, charged] = row
  const text = frames.map(frame).join('')
  const play: Play = ({ response: answer }) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(text)
  }
  const called = await chargeOf(name, play, { stream: true })
  expect([called.status, called.text]).toEqual([200, text])
  expectCharged(called, charged)
})

const searched = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search' },
}
it.each([
  ['whole', [], response],
  ['streamed', [{ type: 'response.output_item.done', output_index: 0, item: searched }], {}],
])('a %s failure with usage is charged with its calls of tools', async (...row) => {
  const [, frames, whole] = row
  const output = [searched, item]
  const failure = failedEvent({ output, usage: responsesUsage })
  const text = [...frames, failure].map(each => frame(each as { type: string })).join('')
  const isStream = frames.length > 0
  const play: Play = turn => {
    if (!isStream) return answerJson(turn, { ...whole, output, usage: responsesUsage })
    turn.response.writeHead(200, { 'content-type': 'text/event-stream' })
    turn.response.end(text)
  }
  const called = await chargeOf('paid-responses', play, { stream: isStream })
  expectCharged(called, 'usage')
  expect(called.charge).toMatchObject({ usage: { tools: { web_search: 1 } } })
})

const broken = { error: { code: 'server_error', message: 'It broke.' }, usage: chatUsage }
it('a stream that its vendor breaks after output is charged by the usage that the failure reports', async () => {
  const play: Play = ({ response: answer }) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(frame({ choices: [choice] }) + frame(broken))
  }
  const called = await chargeOf('paid-chat', play, { stream: true })
  expect(called.text).not.toContain('It broke.')
  expectCharged(called, 'usage')
})

it.each<[string, Name, object]>([
  ['usage', 'paid-chat', broken],
  ['output', 'paid-chat', { error: filtered, choices: [choice] }],
  ['a generation', 'paid-chat', { error: groq('json_validate_failed') }],
  ['output', 'paid-messages', { type: 'error', error: filtered, content: [{ text: essay }] }],
  ['output', 'paid-gemini', { error: filtered, candidates: [{ content: [{ text: essay }] }] }],
])('an error of status 200 with %s at %s is kept from the caller, and free', async (...row) => {
  const [, name, body] = row
  const called = await chargeOf(name, turn => answerJson(turn, body))
  expect([called.status >= 400, called.text.includes('The sea')]).toEqual([true, false])
  expectCharged(called, 'free')
})

it('an error inside a choice is an end of the answer, whose usage is charged', async () => {
  const error = { code: 502, message: 'Provider disconnected' }
  const inner = { index: 0, message: { content: essay }, finish_reason: 'error', error }
  const body = { id: 'c', choices: [inner], usage: chatUsage }
  expectCharged(await chargeOf('paid-chat', turn => answerJson(turn, body)), 'usage')
})

it.each([
  { error: groq('json_validate_failed') },
  { error: { message: `GroqException - ${inText}`, type: 'invalid_request_error' } },
])('a translated refusal shows no output of the model, and costs nothing', async body => {
  const called = await chargeOf(chatOnly, turn =>
    turn.served.path.endsWith('/chat/completions')
      ? answerJson(turn, body, 400)
      : answerJson(turn, { error: { message: 'Not Found' } }, 404),
  )
  expect(called.status).toBe(400)
  expect(called.text).not.toContain('The sea')
  expectCharged(called, 'free')
})

it('a caller who left before a failure was read pays like any who left', async () => {
  const finished = { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] }
  const began = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  hub.upstream.play('paid-chat', async ({ response: answer }) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write(frame(finished))
    await left.promise
    answer.end(frame({ error: groq('json_validate_failed') }))
    began.resolve()
  })
  const body = bodyOf('paid-chat', { stream: true })
  const call = sendCall(hub, { path: paths['paid-chat'], body })
  call.on('response', answer => {
    answer.on('error', () => undefined)
    answer.once('data', () => {
      call.destroy()
      call.once('close', () => setImmediate(left.resolve))
    })
  })
  await began.promise
  const charge = await lastCharge(hub)
  expect(charge).toMatchObject({ finish: 'caller-left', estimated: true })
  expect(charge!.usage.output).toBeLessThan(10)
})
