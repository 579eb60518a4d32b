import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { buildApp, type RunningApp } from '../src/app.ts'
import { readEnv } from '../src/env.ts'
import { liveCalls } from '../src/relay/limits/live-calls.ts'

const key = 'sk-0123456789012345678901234567890123456789012'
const accessToken = 'access-token-of-the-first-root'
let dataDir: string
let running: RunningApp
let upstream: Upstream
let url: string

const chatModel = 'left-chat'
const responsesModel = 'left-responses'
const claudeModel = 'left-claude'
const geminiModel = 'left-gemini'

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-left-'))
  upstream = await startUpstream()
  running = await buildApp(
    readEnv({
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      INITIAL_ROOT_PASSWORD: 'password-of-root',
      INITIAL_ROOT_TOKEN: key,
      INITIAL_ROOT_ACCESS_TOKEN: accessToken,
    }),
  )
  url = `http://127.0.0.1:${await running.listen()}`
  const channel = { key: 'sk-vendor', group: 'default', base_url: `${upstream.url}/a` }
  const openai = `${chatModel},${responsesModel}`
  await admin('POST', '/api/channel/', { ...channel, type: 1, name: 'openai', models: openai })
  await admin('POST', '/api/channel/', { ...channel, type: 14, name: 'c', models: claudeModel })
  await admin('POST', '/api/channel/', { ...channel, type: 25, name: 'g', models: geminiModel })
  for (const model of [chatModel, responsesModel, claudeModel, geminiModel])
    await admin('POST', '/api/prices/single', { model, type: 'tokens', input: 1, output: 1 })
  await admin('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
})

afterAll(async () => {
  await running?.close(1)
  await upstream?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const admin = async (method: string, path: string, body: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  })
  const reply = (await response.json()) as { success: boolean; message: string }
  expect(reply.success, `${path}: ${reply.message}`).toBe(true)
}

/** The last charge, as its posting stores it. */
const lastCharge = async () => {
  const { app } = running
  await expect
    .poll(() => app.db.selectFrom('holds').select('id').execute(), { interval: 5 })
    .toEqual([])
  const posting = await app.db
    .selectFrom('transfers')
    .select(['id', 'amount', 'usage'])
    .where('kind', '=', 'request')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return posting && { id: posting.id, amount: posting.amount, ...JSON.parse(posting.usage) }
}

/** Resolves when the gateway has noticed that every caller left. */
const gatewayNoticed = () =>
  expect
    .poll(
      () =>
        liveCalls(running.app)
          .toArray()
          .every(each => each.aborted === 'caller-left'),
      {
        interval: 2,
      },
    )
    .toBe(true)

type Call = { path: string; body: object }

const send = ({ path, body }: Call): ClientRequest => {
  const call = request(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  })
  call.on('error', () => undefined)
  call.end(JSON.stringify(body))
  return call
}

/** Reads an answer until this text arrived, then disconnects. */
const leaveAt = (call: Call, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = send(call)
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

const readAll = (call: Call): Promise<string> =>
  new Promise((resolve, reject) => {
    send(call)
      .on('error', reject)
      .on('response', async response => {
        let seen = ''
        for await (const chunk of response) seen += chunk
        resolve(seen)
      })
  })

const begin = ({ response }: Pick<Turn, 'response'>) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

const frame = (value: { type?: string } & Record<string, unknown>) =>
  `${value.type === undefined ? '' : `event: ${value.type}\n`}data: ${JSON.stringify(value)}\n\n`
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

const finished: { name: string; call: Call; model: string; seen: string[]; rest: string }[] = [
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
    upstream.play(model, async turn => {
      begin(turn)
      for (const part of seen) turn.response.write(part)
      await gatewayNoticed()
      turn.response.end(rest)
    })
    await leaveAt(call, lastText(seen))
    await gatewayNoticed()
    expect(await lastCharge()).toMatchObject({
      amount: 9_020,
      usage: { input: 10, output: 10, reasoning: 9_000 },
      ...{ estimated: false, endRead: true, finish: 'caller-left' },
    })
  },
)

it('SEC-1 before the finish hidden reasoning is estimated from the recent calls of the model', async () => {
  const call = (body: object = {}): Call => ({
    path: '/v1/chat/completions',
    body: { model: chatModel, stream: true, messages, reasoning_effort: 'high', ...body },
  })
  for (const reasoning of [700, 100, 900]) {
    upstream.play(chatModel, turn => {
      begin(turn)
      turn.response.end(chatFrames.text + chatFrames.finish + chatFrames.usage(reasoning))
    })
    expect(await readAll(call())).toContain('[DONE]')
  }
  upstream.play(chatModel, async turn => {
    begin(turn)
    turn.response.write(chatFrames.text)
  })
  const abandoned = async (body: object = {}) => {
    await leaveAt(call(body), 'whole answer')
    return lastCharge()
  }
  const estimate = { estimated: true, finish: 'caller-left', estimatedReasoning: 700 }
  expect(await abandoned()).toMatchObject({ usage: { output: 4, reasoning: 700 }, ...estimate })
  const within = await abandoned({ max_completion_tokens: 104 })
  expect(within).toMatchObject({ usage: { output: 4, reasoning: 100 } })
  const without = await abandoned({ reasoning_effort: 'none' })
  expect(without.usage.reasoning).toBeUndefined()
})

it('SEC-1 figures that a stream reported at its start are no bound of what was delivered', async () => {
  upstream.play(claudeModel, turn => {
    begin(turn)
    turn.response.write(claudeFrames.start + claudeFrames.text)
  })
  const body = { model: claudeModel, stream: true, max_tokens: 100, messages }
  const thinking = { type: 'disabled' }
  await leaveAt({ path: '/v1/messages', body: { ...body, thinking } }, 'whole answer')
  expect(await lastCharge()).toMatchObject({ amount: 14, usage: { input: 10, output: 4 } })
})

it('SEC-1 of calls left before the first byte, the prompt is charged above the allowed number', async () => {
  upstream.play(chatModel, async ({ response, served }) => {
    // The head of a stream is no byte of its answer.
    if (served.body.includes('"stream":true')) begin({ response }).flushHeaders()
    await new Promise(resolve => response.once('close', resolve))
  })
  await admin('PUT', '/api/option/', { key: 'AbandonedCallsPerMinute', value: '2' })
  const before = await lastCharge()
  const leave = async (stream: boolean) => {
    upstream.forget()
    const call = send({
      path: '/v1/chat/completions',
      body: { model: chatModel, stream, messages },
    })
    await expect.poll(() => upstream.served.length, { interval: 2 }).toBe(1)
    call.destroy()
    await expect.poll(() => liveCalls(running.app).size(), { interval: 2 }).toBe(0)
    return lastCharge()
  }
  expect(await leave(false)).toEqual(before)
  expect(await leave(true)).toEqual(before)
  for (const stream of [false, true]) {
    const charged = await leave(stream)
    expect(charged.id).toBeGreaterThan(before.id)
    expect(charged).toMatchObject({ estimated: true, finish: 'caller-left' })
    expect(charged.usage).toEqual({ input: charged.amount })
  }
})

it('SEC-1 of a whole answer that had begun to arrive when the caller left, the usage is charged', async () => {
  const usage = {
    ...{ prompt_tokens: 10, completion_tokens: 9_010 },
    completion_tokens_details: { reasoning_tokens: 9_000 },
  }
  const message = { role: 'assistant', content: 'the whole answer' }
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
  upstream.play(chatModel, async ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(body.slice(0, 20))
    await gatewayNoticed()
    response.end(body.slice(20))
  })
  const long = [{ role: 'user', content: 'word '.repeat(1_000) }]
  const call = send({ path: '/v1/chat/completions', body: { model: chatModel, messages: long } })
  // An expensive prompt is saved at the first byte.
  const saved = () => running.app.db.selectFrom('holds').select('accrued').executeTakeFirst()
  await expect.poll(async () => (await saved())?.accrued, { interval: 2 }).toBeGreaterThan(0)
  call.destroy()
  await gatewayNoticed()
  expect(await lastCharge()).toMatchObject({ amount: 9_020, endRead: true, finish: 'caller-left' })
})
