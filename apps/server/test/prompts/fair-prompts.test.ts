import { countPrompt, usualRatioOf } from '@hub/dialects/prompt-count'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Turn } from '../../../../test/upstream/turn.ts'
import { frame, lastCharge, sendCall } from '../relay-calls.ts'
import { answerJson, useRelayHub } from '../relay-hub.ts'

const hub = useRelayHub()

beforeAll(async () => {
  await hub.addChannel(1, 'plain,completions-model,embedding-model,text-moderation-stable')
  await hub.addChannel(1, 'gpt-image-1,gpt-4o-mini-tts,responses-model')
  await hub.addChannel(14, 'claude-any')
  await hub.addChannel(25, 'gemini-any,gemini-embedding')
  await hub.addChannel(47, 'jina-any')
})

/** JSON, escapes and schemas make the bytes of the body a bad measure of it. */
const line = 'The "quick" brown fox jumps over the lazy dog, and nobody knows the reason.\n\n'
const words = `Tell "me" about 北京 and Санкт-Петербург:\n${line.repeat(20)}`
const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'Tells the weather of a place.',
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['place', 'unit'],
        properties: {
          place: { type: 'string', description: 'A city.' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        },
      },
    },
  },
]
const messages = [{ role: 'user', content: words }]

/** The events of a message until its first word. */
const beginMessage = (usage: { input_tokens: number; output_tokens: number }): string =>
  frame({
    type: 'message_start',
    message: { ...{ id: 'm', type: 'message', role: 'assistant', content: [] }, usage },
  }) +
  frame({
    ...{ type: 'content_block_start', index: 0 },
    content_block: { type: 'text', text: '' },
  }) +
  frame({
    ...{ type: 'content_block_delta', index: 0 },
    delta: { type: 'text_delta', text: 'a word' },
  })

const tokenize = (text: string) => countTokens(text, { disallowedSpecial: new Set() })

/** The prompt as a vendor counts it. */
const fairOf = (body: object, format: string, model: string): number => {
  const count = countPrompt(Buffer.from(JSON.stringify(body)), { format, model }, tokenize)
  return Math.round(count.textTokens * usualRatioOf(model) + count.otherTokens)
}

type Case = {
  name: string
  path: string
  format: string
  model: string
  body: object
  /** The whole answer of a vendor that reports no usage. */
  answer?: object
  /** The first frames of a stream, before any usage. */
  begin?: string
}

const chatAnswer = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
}
const cases: Case[] = [
  {
    ...{ name: 'chat', path: '/v1/chat/completions', format: 'openai-chat', model: 'plain' },
    body: { messages, tools },
    answer: chatAnswer,
    begin: frame({ choices: [{ index: 0, delta: { content: 'a word' } }] }),
  },
  {
    ...{ name: 'Messages, answered in chat', path: '/v1/messages' },
    ...{ format: 'openai-chat', model: 'plain' },
    body: { messages, max_tokens: 100 },
    answer: chatAnswer,
    begin: frame({ choices: [{ index: 0, delta: { content: 'a word' } }] }),
  },
  {
    ...{ name: 'completions', path: '/v1/completions' },
    ...{ format: 'openai', model: 'completions-model' },
    body: { prompt: words },
    answer: { choices: [{ index: 0, text: 'yes', finish_reason: 'stop' }] },
    begin: frame({ choices: [{ index: 0, text: 'a word' }] }),
  },
  {
    ...{ name: 'Responses', path: '/v1/responses' },
    ...{ format: 'openai-responses', model: 'responses-model' },
    body: { input: words, instructions: 'Be short.' },
    answer: {
      ...{ id: 'resp_1', object: 'response', status: 'completed' },
      output: [
        {
          ...{ type: 'message', id: 'i', role: 'assistant', status: 'completed' },
          content: [{ type: 'output_text', text: 'yes', annotations: [] }],
        },
      ],
    },
    begin:
      frame({
        type: 'response.created',
        response: { id: 'resp_1', object: 'response', output: [] },
      }) +
      frame({
        ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
        delta: 'a word',
      }),
  },
  {
    ...{ name: 'Messages', path: '/v1/messages', format: 'anthropic', model: 'claude-any' },
    body: { messages, max_tokens: 100, system: 'Be short.' },
    answer: {
      ...{ id: 'm', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'yes' }],
    },
    begin: beginMessage({ input_tokens: 0, output_tokens: 0 }),
  },
  {
    ...{ name: 'Gemini', path: '/v1beta/models/gemini-any:generateContent' },
    ...{ format: 'gemini', model: 'gemini-any' },
    body: { contents: [{ role: 'user', parts: [{ text: words }] }] },
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP' }],
    },
    begin: frame({ candidates: [{ content: { role: 'model', parts: [{ text: 'a word' }] } }] }),
  },
  {
    ...{ name: 'embeddings', path: '/v1/embeddings' },
    ...{ format: 'openai-chat', model: 'embedding-model' },
    body: { input: [words, 'more'] },
    answer: { object: 'list', data: [{ index: 0, embedding: [0.5] }] },
  },
  {
    ...{ name: 'embeddings of Gemini', path: '/v1beta/models/gemini-embedding:embedContent' },
    ...{ format: 'gemini', model: 'gemini-embedding' },
    body: { content: { parts: [{ text: words }] } },
    answer: { embedding: { values: [0.5] } },
  },
  {
    ...{ name: 'moderations', path: '/v1/moderations' },
    ...{ format: 'openai', model: 'text-moderation-stable' },
    body: { input: words },
    answer: { id: 'm', results: [{ flagged: false }] },
  },
  {
    ...{ name: 'reranking', path: '/v1/rerank', format: 'jina', model: 'jina-any' },
    body: { query: words, documents: ['one', 'two'] },
    answer: { results: [{ index: 0, relevance_score: 0.5 }] },
  },
  {
    ...{ name: 'images', path: '/v1/images/generations', format: 'openai', model: 'gpt-image-1' },
    body: { prompt: words },
    answer: { created: 1, data: [{ b64_json: 'AAAA' }] },
  },
]

const cautiousOf = ({ body, model }: Case): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify({ model, ...body })) / 3)

const play = (model: string, answer: (turn: Turn) => void) => hub.upstream.play(model, answer)

describe.each(cases)('$name', one => {
  const { path, model, body, format, answer, begin } = one
  const isInPath = path.includes('/models/')
  const sent = isInPath ? body : { model, ...body }

  it('a whole answer without usage costs the fair prompt, and less than was held', async () => {
    play(model, turn => answerJson(turn, answer))
    const response = await hub.post(path, sent)
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    const charge = await lastCharge(hub)
    expect(charge?.usage.input).toBe(fairOf(sent, format, model))
    expect(charge!.usage.input).toBeLessThan(cautiousOf(one))
  })

  it.runIf(begin)('a caller who leaves after the first words pays the fair prompt', async () => {
    play(model, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(begin)
    })
    const streamed = isInPath
      ? { path: path.replace('generateContent', 'streamGenerateContent?alt=sse'), body }
      : { path, body: { ...sent, stream: true } }
    await leaveAt(streamed, 'a word')
    const charge = await lastCharge(hub)
    expect(charge).toMatchObject({ estimated: true, finish: 'caller-left' })
    expect(charge?.usage.input).toBe(fairOf(sent, format, model))
  })
})

const leaveAt = (call: { path: string; body: object }, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = sendCall(hub, { ...call, headers: { 'x-goog-api-key': hub.key } })
    sent.on('response', response => {
      let seen = ''
      response.on('error', () => undefined)
      response.on('data', chunk => {
        seen += chunk
        if (!seen.includes(text)) return
        sent.destroy()
        resolve()
      })
      response.on('end', () => reject(new Error(`the answer ended: ${seen}`)))
    })
  })

it('a prompt costs the same however its JSON is written', async () => {
  play('plain', turn => answerJson(turn, chatAnswer))
  const body = { model: 'plain', messages: [{ role: 'user', content: '你好，世界。'.repeat(40) }] }
  const written = JSON.stringify(body)
  const escaped = written.replace(
    /[^\0-\x7f]/g,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const inputs: (number | undefined)[] = []
  for (const text of [written, escaped, JSON.stringify(body, undefined, 8)]) {
    const response = await fetch(`${hub.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${hub.key}` },
      body: text,
    })
    expect(response.status).toBe(200)
    await response.text()
    inputs.push((await lastCharge(hub))?.usage.input)
  }
  expect(new Set(inputs)).toEqual(new Set([fairOf(body, 'openai-chat', 'plain')]))
})

it('a checkpoint, which a crash charges, has the fair prompt while the hold covers the cautious one', async () => {
  play('plain', ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame({ choices: [{ index: 0, delta: { content: 'a word' } }] }))
  })
  const body = {
    model: 'plain',
    stream: true,
    messages: [{ role: 'user', content: words.repeat(9) }],
  }
  const call = sendCall(hub, { path: '/v1/chat/completions', body })
  call.on('response', response => response.on('error', () => undefined).resume())
  const hold = () =>
    hub.app.app.db.selectFrom('holds').select(['accrued', 'amount']).executeTakeFirst()
  await expect.poll(async () => (await hold())?.accrued, { interval: 5 }).toBeGreaterThan(0)
  const { accrued, amount } = (await hold())!
  const fair = fairOf(body, 'openai-chat', 'plain')
  const cautious = Math.ceil(Buffer.byteLength(JSON.stringify(body)) / 3)
  expect(amount).toBeGreaterThan(cautious + 4_000)
  expect(accrued / fair).toBeGreaterThan(0.8)
  expect(accrued / fair).toBeLessThan(1.2)
  expect(accrued).toBeLessThan(cautious)
  call.destroy()
  expect((await lastCharge(hub))?.usage.input).toBe(fair)
})

it("the vendor's count of other calls scales the count of one without usage", async () => {
  await hub.addChannel(1, 'scaled')
  const body = { model: 'scaled', messages: [{ role: 'user', content: words }] }
  const fair = fairOf(body, 'openai-chat', 'scaled')
  const figures = () =>
    hub.app.app.db.selectFrom('prompt_ratios').selectAll().where('model', '=', 'scaled').execute()
  const usage = { prompt_tokens: Math.round(fair * 1.1), completion_tokens: 1 }
  play('scaled', turn => answerJson(turn, { ...chatAnswer, usage }))
  await (await hub.post('/v1/chat/completions', body)).text()
  await expect.poll(async () => (await figures()).length, { interval: 5 }).toBe(1)
  const [figure] = await figures()
  expect(figure!.permille).toBeGreaterThan(1_050)
  expect(figure!.permille).toBeLessThan(1_150)
  play('scaled', turn => answerJson(turn, chatAnswer))
  await (await hub.post('/v1/chat/completions', body)).text()
  expect((await lastCharge(hub))?.usage.input).toBeCloseTo(fair * 1.1, -1)
})

it('a model is compared at most once a minute', async () => {
  await hub.addChannel(1, 'compared')
  const body = { model: 'compared', messages: [{ role: 'user', content: words }] }
  const usages = [300, 450].map(prompt_tokens => ({ prompt_tokens, completion_tokens: 1 }))
  const rows = () =>
    hub.app.app.db.selectFrom('prompt_ratios').selectAll().where('model', '=', 'compared').execute()
  play('compared', turn => answerJson(turn, { ...chatAnswer, usage: usages[0] }))
  await (await hub.post('/v1/chat/completions', body)).text()
  await expect.poll(async () => (await rows()).length, { interval: 5 }).toBe(1)
  const before = await rows()
  hub.app.clock.now += 7_200_000
  play('compared', turn => answerJson(turn, { ...chatAnswer, usage: usages[1] }))
  await (await hub.post('/v1/chat/completions', body)).text()
  // Prompts are counted one after another, so a comparison would have been made before this one.
  play('compared', turn => answerJson(turn, chatAnswer))
  await (await hub.post('/v1/chat/completions', body)).text()
  await lastCharge(hub)
  expect(await rows()).toEqual(before)
})

it('a response that continues a stored one costs that one too', async () => {
  const { body, begin, answer } = cases.find(each => each.name === 'Responses')!
  const sent = { model: 'responses-model', ...body }
  const usage = { input_tokens: 5_000, output_tokens: 700 }
  play('responses-model', turn => answerJson(turn, { ...answer, id: 'resp_long', usage }))
  await (await hub.post('/v1/responses', sent)).text()
  await lastCharge(hub)
  play('responses-model', ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(begin)
  })
  const next = { ...sent, stream: true, previous_response_id: 'resp_long' }
  await leaveAt({ path: '/v1/responses', body: next }, 'a word')
  const fair = fairOf(next, 'openai-responses', 'responses-model')
  expect((await lastCharge(hub))?.usage.input).toBe(fair + 5_700)
})

const early: [string, string, object, string][] = [
  [
    ...(['chat', '/v1/chat/completions', { model: 'plain', messages }] as const),
    frame({
      choices: [{ index: 0, delta: { content: 'a word' } }],
      usage: { prompt_tokens: 77, completion_tokens: 1 },
    }),
  ],
  [
    ...(['Responses', '/v1/responses', { model: 'responses-model', input: words }] as const),
    frame({
      type: 'response.created',
      response: {
        ...{ id: 'resp_1', object: 'response', output: [] },
        usage: { input_tokens: 77, output_tokens: 0 },
      },
    }) +
      frame({
        ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
        delta: 'a word',
      }),
  ],
  [
    ...(['Messages', '/v1/messages', { model: 'claude-any', max_tokens: 100, messages }] as const),
    beginMessage({ input_tokens: 77, output_tokens: 1 }),
  ],
  [
    'Gemini',
    '/v1beta/models/gemini-any:streamGenerateContent?alt=sse',
    { contents: [{ parts: [{ text: words }] }] },
    frame({
      candidates: [{ content: { role: 'model', parts: [{ text: 'a word' }] } }],
      usageMetadata: { promptTokenCount: 77, candidatesTokenCount: 1 },
    }),
  ],
]

it.each(early)(
  'what the vendor counted before the caller left is charged: %s',
  async (_, path, body, begin) => {
    const model = (body as { model?: string }).model ?? 'gemini-any'
    play(model, ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(begin)
    })
    await leaveAt(
      { path, body: { ...body, ...(path.includes('?') ? {} : { stream: true }) } },
      'a word',
    )
    expect((await lastCharge(hub))?.usage.input).toBe(77)
  },
)

it('speech that is sold by tokens costs its fair text', async () => {
  play('gpt-4o-mini-tts', ({ response }) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.end('sound'.repeat(100))
  })
  const body = { model: 'gpt-4o-mini-tts', input: words, voice: 'alloy' }
  expect((await (await hub.post('/v1/audio/speech', body)).text()).length).toBe(500)
  const charge = await lastCharge(hub)
  expect(charge?.usage.input).toBe(fairOf(body, 'openai', body.model))
})

it('a token count that no vendor answers is the fair one', async () => {
  const body = { model: 'plain', max_tokens: 100, messages }
  const response = await hub.post('/v1/messages/count_tokens', body)
  expect(await response.json()).toEqual({ input_tokens: fairOf(body, 'anthropic', 'plain') })
})
