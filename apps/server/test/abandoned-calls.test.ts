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
          .every(each => each.abort.reason === 'caller-left'),
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

/** The key of a user with a balance, besides the one who calls in these tests. */
const otherKey = async (): Promise<string> => {
  const user = await hub.app.person()
  const added = await hub.app.root.post(`/api/user/quota/${user.id}`, {
    ...{ quota: 10_000_000, remark: 'test' },
  })
  expect(added.body).toMatchObject({ success: true })
  const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
  return `sk-${data.key.replace(/^sk-/, '')}`
}

const reasoningCall = (model: string, body: object = {}): RelayCall => ({
  path: '/v1/chat/completions',
  body: { model, stream: true, messages, reasoning_effort: 'high', ...body },
})

/** Calls with so much hidden reasoning each, which their callers read to the end. */
const complete = async (model: string, tokens: readonly number[], key = hub.key) => {
  for (const reasoning of tokens) {
    hub.upstream.play(model, turn => {
      beginStream(turn)
      turn.response.end(chatFrames.text + chatFrames.finish + chatFrames.usage(reasoning))
    })
    const { path, body } = reasoningCall(model)
    const answer = await hub.post(path, body, { authorization: `Bearer ${key}` })
    expect(await answer.text()).toContain('[DONE]')
  }
}

/** Leaves a call at the end of its text. Its upstream sends no more, and keeps the connection. */
const abandon = async (model: string, body: object = {}) => {
  hub.upstream.play(model, turn => {
    beginStream(turn)
    turn.response.write(chatFrames.text)
  })
  await leaveAt(reasoningCall(model, body), 'whole answer')
  return lastCharge(hub)
}

it('SEC-1 hidden reasoning is estimated from other users’ calls, never from the caller’s own', async () => {
  const model = 'left-history'
  await hub.addChannel(1, model)
  await complete(
    model,
    Array.from({ length: 16 }, () => 43),
  )
  const own = await abandon(model)
  expect(own).toMatchObject({ usage: { output: 4, reasoning: 1_024 }, estimated: true })
  await complete(model, [700, 100, 900], await otherKey())
  const estimate = { estimated: true, finish: 'caller-left', estimatedReasoning: 700 }
  expect(await abandon(model)).toMatchObject({ usage: { output: 4, reasoning: 700 }, ...estimate })
  const within = await abandon(model, { max_completion_tokens: 104 })
  expect(within).toMatchObject({ usage: { output: 4, reasoning: 100 } })
  const budget = await abandon(model, {
    reasoning_effort: undefined,
    reasoning: { max_tokens: 60 },
  })
  expect(budget).toMatchObject({ usage: { output: 4, reasoning: 60 } })
  const without = await abandon(model, { reasoning_effort: 'none' })
  expect(without?.usage.reasoning).toBeUndefined()
})

it('SEC-1 the estimate of a model that reasons unasked is a figure of the shipped list, and never 0', async () => {
  const model = 'gpt-5-mini'
  await hub.addChannel(1, model)
  const unset = { reasoning_effort: undefined }
  expect(await abandon(model, unset)).toMatchObject({ usage: { output: 4, reasoning: 1_024 } })
  const key = await otherKey()
  const { path, body } = reasoningCall(model, unset)
  hub.upstream.play(model, turn => {
    beginStream(turn)
    turn.response.end(chatFrames.text + chatFrames.finish + chatFrames.usage(0))
  })
  await (await hub.post(path, body, { authorization: `Bearer ${key}` })).text()
  expect(await abandon(model, unset)).toMatchObject({ usage: { output: 4, reasoning: 1 } })
})

it('SEC-1 a model that hid nothing from other users is closed at once, and nothing is estimated', async () => {
  const model = 'left-plain'
  await hub.addChannel(1, model)
  const unset = { reasoning_effort: undefined }
  const key = await otherKey()
  const closedAfter = async () => {
    const startedAt = performance.now()
    expect((await abandon(model, unset))?.usage).toEqual({ input: expect.any(Number), output: 4 })
    return performance.now() - startedAt
  }
  expect(await closedAfter()).toBeGreaterThan(1_900)
  for (let call = 0; call < 8; call += 1) {
    hub.upstream.play(model, turn => {
      beginStream(turn)
      turn.response.end(chatFrames.text + chatFrames.finish + chatFrames.usage(0))
    })
    const { path, body } = reasoningCall(model, unset)
    await (await hub.post(path, body, { authorization: `Bearer ${key}` })).text()
  }
  expect(await closedAfter()).toBeLessThan(1_500)
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
  await hub.app.root.put('/api/option/', { key: 'AbandonedPointsPerMinute', value: '60' })
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
