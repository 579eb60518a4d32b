import { beforeAll, expect, it } from 'vitest'
import { liveCalls } from '../src/relay/limits/live-calls.ts'
import { beginStream, frame, lastCharge, type RelayCall, sendCall } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()

const chatModel = 'left-chat'
const responsesModel = 'left-responses'
const claudeModel = 'left-claude'
const geminiModel = 'left-gemini'

beforeAll(async () => {
  await hub.addChannel(1, [chatModel, responsesModel].join())
  await hub.addChannel(14, claudeModel)
  await hub.addChannel(25, geminiModel)
})

/** Resolves when the gateway has noticed that every caller left. */
const gatewayNoticed = () =>
  expect
    .poll(
      () =>
        liveCalls(hub.app.app)
          .toArray()
          .every(each => each.aborted === 'caller-left'),
      {
        interval: 2,
      },
    )
    .toBe(true)

/** Reads an answer until this text arrived, then disconnects. */
const leaveAt = (call: RelayCall, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = sendCall(hub, call)
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

const frames = (...values: Record<string, unknown>[]) => values.map(frame).join('')
const messages = [{ role: 'user', content: 'hi' }]

const chatFrames = {
  text: frame({ id: 'c', choices: [{ index: 0, delta: { content: 'the whole answer' } }] }),
  finish: frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  usage: (reasoning: number) =>
    `${frame({
      id: 'c',
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 10 + reasoning,
        completion_tokens_details: { reasoning_tokens: reasoning },
      },
    })}data: [DONE]\n\n`,
}
const claudeFrames = {
  start: frame({
    type: 'message_start',
    message: {
      ...{ id: 'm', type: 'message', role: 'assistant', model: claudeModel, content: [] },
      usage: { input_tokens: 10, output_tokens: 1 },
    },
  }),
  text: frames(
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    {
      ...{ type: 'content_block_delta', index: 0 },
      delta: { type: 'text_delta', text: 'the whole answer' },
    },
  ),
  end: frames(
    {
      ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      usage: { output_tokens: 9_010, output_tokens_details: { thinking_tokens: 9_000 } },
    },
    { type: 'message_stop' },
  ),
}
const responsesText = frames(
  { type: 'response.created', response: { id: 'resp_1', object: 'response', output: [] } },
  {
    ...{ type: 'response.output_item.added', output_index: 0 },
    item: { type: 'message', id: 'i', role: 'assistant', content: [] },
  },
  {
    ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
    delta: 'the whole answer',
  },
)
const geminiFrame = (text: string, more: object, thoughts: number) =>
  frame({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 10,
      thoughtsTokenCount: thoughts,
    },
  })
const geminiPath = `/v1beta/models/${geminiModel}:streamGenerateContent?alt=sse`

const finished: { name: string; call: RelayCall; model: string; seen: string[]; rest: string }[] = [
  {
    name: 'chat',
    call: { path: '/v1/chat/completions', body: { model: chatModel, stream: true, messages } },
    model: chatModel,
    seen: [chatFrames.text, chatFrames.finish],
    rest: chatFrames.usage(9_000),
  },
  {
    name: 'chat, translated for an Anthropic caller',
    call: {
      path: '/v1/messages',
      body: { model: chatModel, stream: true, max_tokens: 9_100, messages },
    },
    model: chatModel,
    seen: [chatFrames.text + chatFrames.finish],
    rest: chatFrames.usage(9_000),
  },
  {
    name: 'Responses',
    call: { path: '/v1/responses', body: { model: responsesModel, stream: true, input: 'hi' } },
    model: responsesModel,
    seen: [
      responsesText,
      frame({
        ...{ type: 'response.output_text.done', item_id: 'i', output_index: 0, content_index: 0 },
        text: 'the whole answer',
      }),
    ],
    rest: frame({
      type: 'response.completed',
      response: {
        ...{ id: 'resp_1', object: 'response', status: 'completed', output: [] },
        usage: {
          input_tokens: 10,
          output_tokens: 9_010,
          output_tokens_details: { reasoning_tokens: 9_000 },
        },
      },
    }),
  },
  {
    name: 'Messages',
    call: {
      path: '/v1/messages',
      body: { model: claudeModel, stream: true, max_tokens: 9_100, messages },
    },
    model: claudeModel,
    seen: [claudeFrames.start + claudeFrames.text, frame({ type: 'content_block_stop', index: 0 })],
    rest: claudeFrames.end,
  },
  {
    name: 'Gemini',
    call: { path: geminiPath, body: { contents: [{ parts: [{ text: 'hi' }] }] } },
    model: geminiModel,
    seen: [geminiFrame('the whole answer', {}, 10) + geminiFrame('', { finishReason: 'STOP' }, 10)],
    rest: geminiFrame('', { finishReason: 'STOP' }, 9_000),
  },
]

const lastText = (seen: readonly string[]) =>
  seen.at(-1)!.includes('the whole answer') ? 'whole answer' : seen.at(-1)!.slice(-40).trim()

it.each(finished)(
  'SEC-1 a caller who leaves at the finish pays for the reasoning that follows: $name',
  async ({ call, model, seen, rest }) => {
    hub.upstream.play(model, async turn => {
      beginStream(turn)
      for (const part of seen) turn.response.write(part)
      await gatewayNoticed()
      turn.response.end(rest)
    })
    await leaveAt(call, lastText(seen))
    await gatewayNoticed()
    expect(await lastCharge(hub)).toMatchObject({
      amount: 9_020,
      usage: { input: 10, output: 10, reasoning: 9_000 },
      ...{ estimated: false, endRead: true, finish: 'caller-left' },
    })
  },
)

it('SEC-1 before the finish hidden reasoning is estimated from the recent calls of the model', async () => {
  const call = (body: object = {}): RelayCall => ({
    path: '/v1/chat/completions',
    body: { model: chatModel, stream: true, messages, reasoning_effort: 'high', ...body },
  })
  for (const reasoning of [700, 100, 900]) {
    hub.upstream.play(chatModel, turn => {
      beginStream(turn)
      turn.response.end(chatFrames.text + chatFrames.finish + chatFrames.usage(reasoning))
    })
    const { path, body } = call()
    expect(await (await hub.post(path, body)).text()).toContain('[DONE]')
  }
  hub.upstream.play(chatModel, async turn => {
    beginStream(turn)
    turn.response.write(chatFrames.text)
  })
  const abandoned = async (body: object = {}) => {
    await leaveAt(call(body), 'whole answer')
    return lastCharge(hub)
  }
  const estimate = { estimated: true, finish: 'caller-left', estimatedReasoning: 700 }
  expect(await abandoned()).toMatchObject({ usage: { output: 4, reasoning: 700 }, ...estimate })
  const within = await abandoned({ max_completion_tokens: 104 })
  expect(within).toMatchObject({ usage: { output: 4, reasoning: 100 } })
  const without = await abandoned({ reasoning_effort: 'none' })
  expect(without?.usage.reasoning).toBeUndefined()
})

it('SEC-1 figures that a stream reported at its start are no bound of what was delivered', async () => {
  hub.upstream.play(claudeModel, turn => {
    beginStream(turn)
    turn.response.write(claudeFrames.start + claudeFrames.text)
  })
  const body = { model: claudeModel, stream: true, max_tokens: 100, messages }
  const thinking = { type: 'disabled' }
  await leaveAt({ path: '/v1/messages', body: { ...body, thinking } }, 'whole answer')
  expect(await lastCharge(hub)).toMatchObject({ amount: 14, usage: { input: 10, output: 4 } })
})

it('SEC-1 of calls left before the first byte, the prompt is charged above the allowed number', async () => {
  hub.upstream.play(chatModel, async ({ response, served }) => {
    // The head of a stream is no byte of its answer.
    if (served.body.includes('"stream":true')) beginStream({ response }).flushHeaders()
    await new Promise(resolve => response.once('close', resolve))
  })
  await hub.app.root.put('/api/option/', { key: 'AbandonedCallsPerMinute', value: '2' })
  const before = await lastCharge(hub)
  const leave = async (stream: boolean) => {
    hub.upstream.forget()
    const call = sendCall(hub, {
      path: '/v1/chat/completions',
      body: { model: chatModel, stream, messages },
    })
    await expect.poll(() => hub.upstream.served.length, { interval: 2 }).toBe(1)
    call.destroy()
    await expect.poll(() => liveCalls(hub.app.app).size(), { interval: 2 }).toBe(0)
    return lastCharge(hub)
  }
  expect(await leave(false)).toEqual(before)
  expect(await leave(true)).toEqual(before)
  for (const stream of [false, true]) {
    const charged = await leave(stream)
    expect(charged?.id).toBeGreaterThan(before?.id ?? 0)
    expect(charged).toMatchObject({ estimated: true, finish: 'caller-left' })
    expect(charged?.usage).toEqual({ input: charged?.amount })
  }
})

it('SEC-1 of a whole answer that had begun to arrive when the caller left, the usage is charged', async () => {
  const usage = {
    ...{ prompt_tokens: 10, completion_tokens: 9_010 },
    completion_tokens_details: { reasoning_tokens: 9_000 },
  }
  const message = { role: 'assistant', content: 'the whole answer' }
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  hub.upstream.play(chatModel, async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(body.slice(0, 20))
    await gatewayNoticed()
    response.end(body.slice(20))
  })
  const long = [{ role: 'user', content: 'word '.repeat(1_000) }]
  const call = sendCall(hub, {
    path: '/v1/chat/completions',
    body: { model: chatModel, messages: long },
  })
  // An expensive prompt is saved at the first byte.
  const saved = () => hub.app.app.db.selectFrom('holds').select('accrued').executeTakeFirst()
  await expect.poll(async () => (await saved())?.accrued, { interval: 2 }).toBeGreaterThan(0)
  call.destroy()
  await gatewayNoticed()
  expect(await lastCharge(hub)).toMatchObject({
    amount: 9_020,
    endRead: true,
    finish: 'caller-left',
  })
})
