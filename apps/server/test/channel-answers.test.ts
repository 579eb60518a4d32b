import { beforeAll, beforeEach, expect, it } from 'vitest'
import { answerJson, answerStream, framesOf, type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const statusCodes = { answers: { status_codes: '429: 503, 400: 500, 500: 418, 404: 404' } }
const thoughts = { answers: { thoughts_as_text: true } }

beforeAll(async () => {
  for (const model of ['codes', 'plain'])
    await hub.addChannel(8, model, { plugin: model === 'codes' ? statusCodes : {} })
  await hub.addChannel(8, 'two', { plugin: statusCodes, priority: 2 })
  await hub.addChannel(8, 'two', { base_url: `${hub.upstream.url}/b` })
  const types = { chat: 8, claude: 14, gemini: 25 }
  for (const [name, type] of Object.entries(types))
    await hub.addChannel(type, `think-${name}`, { plugin: thoughts })
  await hub.addChannel(8, 'shown')
})
beforeEach(() => hub.upstream.forget())

const messages = [{ role: 'user', content: 'hi' }]
const ask = async (model: string, more: object = {}) => {
  const response = await hub.post('/v1/chat/completions', { model, messages, ...more })
  return { status: response.status, text: await response.text() }
}
const refuse = (model: string, status: number): void =>
  hub.upstream.play(model, turn =>
    answerJson(turn, { error: { message: 'no', type: 'x', code: 'x' } }, status),
  )

it.each([
  [429, 503],
  [400, 500],
  [500, 418],
  [404, 404],
])('the status %i of a vendor is %i for the caller', async (status, expected) => {
  refuse('codes', status)
  expect((await ask('codes')).status).toBe(expected)
})

it('other statuses, and those of other channels, are as they were', async () => {
  refuse('codes', 422)
  refuse('plain', 429)
  expect([(await ask('codes')).status, (await ask('plain')).status]).toEqual([422, 429])
})

it('the mapped status decides whether another channel is asked', async () => {
  hub.upstream.play('two', turn => {
    if (turn.served.channel === 'a') answerJson(turn, { error: { message: 'no' } }, 400)
    else answerJson(turn, whole({ content: 'ok' }))
  })
  const { status, text } = await ask('two')
  expect([status, JSON.parse(text).choices[0].message.content]).toEqual([200, 'ok'])
  expect(hub.upstream.served.map(each => each.channel)).toEqual(['a', 'b'])
})

it('the log keeps the status of the vendor', async () => {
  refuse('codes', 429)
  await ask('codes')
  const { errorLog } = await import('../src/relay/error-log/error-log.ts')
  await errorLog(hub.app.app).flush()
  const { body } = await hub.app.root.get('/api/log/?order=-id&size=1&model_name=codes')
  expect(JSON.stringify(body.data.data[0])).toContain('429')
})

it.each(['429', '429:200', '429: 503, 429: 500', 'busy: 503'])(
  'the statuses “%s” are refused',
  async status_codes => {
    const { status, text } = await hub.app.root.post('/api/channel/', {
      ...{ type: 8, name: 'x', models: 'x', key: 'k', base_url: hub.upstream.url },
      plugin: { answers: { status_codes } },
    })
    expect([status, text]).toEqual([422, expect.stringContaining('plugin.answers.status_codes')])
  },
)

const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
const whole = (message: object): Json => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage },
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
})
const chunk = (delta: object, finish_reason: string | null = null): Json => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
})
const reasoned = { reasoning_content: 'Let me see.', content: 'Four.' }
const shown = '<think>\nLet me see.\n</think>\nFour.'

it('a whole answer has its thoughts in the content', async () => {
  hub.upstream.play('think-chat', turn => answerJson(turn, whole(reasoned)))
  const { text } = await ask('think-chat')
  const { message } = JSON.parse(text).choices[0]
  expect(message.content).toBe(shown)
  expect(message.reasoning_content).toBeUndefined()
  expect(JSON.parse(text).usage).toMatchObject({ completion_tokens: 5 })
})

const textOf = (text: string): string =>
  framesOf(text)
    .map(each => each.choices[0]?.delta.content ?? '')
    .join('')
const streamed = { stream: true, stream_options: { include_usage: true } }

it('a stream has its thoughts in the content, in pieces as they come', async () => {
  hub.upstream.play('think-chat', turn => {
    answerStream(turn, [
      chunk({ role: 'assistant', reasoning_content: 'Let me' }),
      chunk({ reasoning_content: ' see.' }),
      chunk({ content: 'Fo' }),
      chunk({ content: 'ur.' }),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage },
    ])
  })
  const { text } = await ask('think-chat', streamed)
  expect(textOf(text)).toBe(shown)
  expect(text).not.toContain('reasoning_content')
  expect(text).toContain('"completion_tokens":5')
})

it('thoughts without an answer are closed, and an answer without thoughts has no marks', async () => {
  hub.upstream.play('think-chat', turn => {
    const only = turn.served.mark === 'thoughts'
    const deltas = only ? { reasoning_content: 'Hm.' } : { content: 'Four.' }
    answerStream(turn, [chunk({ role: 'assistant', ...deltas }), chunk({}, 'length')])
  })
  const first = await ask('think-chat', { stream: true, user: 'thoughts' })
  expect(textOf(first.text)).toBe('<think>\nHm.\n</think>\n')
  expect(first.text.indexOf('</think>')).toBeLessThan(first.text.indexOf('"length"'))
  expect(textOf((await ask('think-chat', { stream: true })).text)).toBe('Four.')
})

it('thoughts of Claude and Gemini stand in the content, too', async () => {
  hub.upstream.play('think-claude', turn => {
    const content = [
      { type: 'thinking', thinking: 'Let me see.', signature: 's' },
      { type: 'text', text: 'Four.' },
    ]
    const counted = { input_tokens: 3, output_tokens: 5 }
    answerJson(turn, {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      ...{ content, usage: counted },
    })
  })
  hub.upstream.play('think-gemini', turn => {
    const parts = [{ text: 'Let me see.', thought: true }, { text: 'Four.' }]
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 }
    answerJson(turn, {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata,
    })
  })
  for (const model of ['think-claude', 'think-gemini']) {
    const { text } = await ask(model)
    expect(JSON.parse(text).choices[0].message.content, text).toBe(shown)
  }
})

it('callers of other formats, and other channels, get thoughts where their format has them', async () => {
  for (const model of ['think-chat', 'shown'])
    hub.upstream.play(model, turn => answerJson(turn, whole(reasoned)))
  const other = await hub.post('/v1/messages', { model: 'think-chat', max_tokens: 9, messages })
  expect(((await other.json()) as Json).content).toMatchObject([
    { type: 'thinking', thinking: 'Let me see.' },
    { type: 'text', text: 'Four.' },
  ])
  expect(JSON.parse((await ask('shown')).text).choices[0].message).toMatchObject(reasoned)
})

it('fields that the gateway does not know pass in a request whose thoughts become text', async () => {
  hub.upstream.play('think-chat', turn => answerJson(turn, whole(reasoned)))
  await ask('think-chat', { vendor_field: { a: 1 } })
  expect(JSON.parse(String(hub.upstream.served[0]!.body))).toMatchObject({ vendor_field: { a: 1 } })
})

it('parameter rules change what leaves, after the custom parameter, also in a translated request', async () => {
  const rules = [
    {
      when: [{ model: 'ruled*' }, { field: 'top_k', equals: 5 }],
      set: { 'metadata.user_id': 'x' },
    },
    { when: [{ field: 'temperature', is: 'present' }], delete: ['temperature'] },
  ]
  const custom_parameter = JSON.stringify({ top_k: 5, rules })
  await hub.addChannel(14, 'ruled', { custom_parameter })
  expect((await ask('ruled', { temperature: 0.1 })).status).toBe(200)
  const sent = JSON.parse(String(hub.upstream.served[0]!.body))
  expect(sent).toMatchObject({ top_k: 5, metadata: { user_id: 'x' } })
  expect(sent).not.toHaveProperty('temperature')
  expect(sent).not.toHaveProperty('rules')
})

it('a channel is not stored with a rule that cannot be obeyed', async () => {
  const custom_parameter = JSON.stringify({ rules: [{ set: { model: 'other' } }] })
  const { status, text } = await hub.app.root.post('/api/channel/', {
    ...{ type: 8, name: 'x', models: 'x', key: 'k', base_url: hub.upstream.url, custom_parameter },
  })
  expect([status, text]).toEqual([400, expect.stringContaining('rules.0.set.model')])
})

it('a custom parameter does not make an image dearer than the one that the caller pays', async () => {
  const image = { prompt: 'a cat', size: '1024x1024' }
  const send = async (model: string) => {
    const response = await hub.post('/v1/images/generations', { model, ...image })
    return { status: response.status, text: await response.text() }
  }
  const parameters = { 'dall-e-3-dear': { quality: 'hd' }, 'dall-e-3-plain': { user: 'u-1' } }
  for (const [model, custom_parameter] of Object.entries(parameters)) {
    await hub.addChannel(1, model, { custom_parameter: JSON.stringify(custom_parameter) })
    hub.upstream.play(model, turn => answerJson(turn, { created: 1, data: [{ url: 'x' }] }))
  }
  const refused = await send('dall-e-3-dear')
  expect(refused.text).toContain("changes 'quality'")
  expect([refused.status, hub.upstream.served.length]).toEqual([400, 0])
  expect((await send('dall-e-3-plain')).status).toBe(200)
  expect(JSON.parse(String(hub.upstream.served[0]!.body))).toMatchObject({ user: 'u-1' })
})
