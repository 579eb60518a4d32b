import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import { beginStream, frame, lastCharge } from './relay-calls.ts'
import { answerJson, framesOf, type Json, useRelayHub } from './relay-hub.ts'
import { outputOf, vendorStream, wholeStream } from './vendors/openings.ts'

const hub = useRelayHub()
const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

beforeAll(async () => {
  const vendors = { openai: 1, claude: 14, gemini: 25 }
  for (const [model, type] of Object.entries(vendors))
    for (const [name, priority] of [
      ['first', 2],
      ['second', 1],
    ] as const)
      await hub.addChannel(type, model, { name, priority, base_url: `${hub.upstream.url}/${name}` })
  await hub.addChannel(1, 'alone', { base_url: `${hub.upstream.url}/first` })
})
beforeEach(async () => {
  hub.upstream.forget()
  await setOption('EmptyAnswerRetryEnabled', false)
})

const channelsAsked = () => hub.upstream.served.map(each => each.channel)
const messages = [{ role: 'user', content: 'hi' }]

type Call = (model: string, stream: boolean) => { path: string; body: object }
const calls = {
  chat: (model, stream) => ({ path: '/v1/chat/completions', body: { model, messages, stream } }),
  completions: (model, stream) => ({
    path: '/v1/completions',
    body: { model, prompt: 'hi', stream },
  }),
  responses: (model, stream) => ({ path: '/v1/responses', body: { model, input: 'hi', stream } }),
  messages: (model, stream) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 9, messages, stream },
  }),
  gemini: (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
} satisfies Record<string, Call>
type Name = keyof typeof calls

const chat = (content: string | null, finish_reason: unknown) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
})
const claude = (content: unknown[], stop_reason: unknown) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason },
  ...{ stop_sequence: null, usage: { input_tokens: 7, output_tokens: 0 } },
})
const gemini = (parts: unknown[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason }],
  usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
})
const response = (output: unknown[], status: unknown) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', output, status },
  usage: { input_tokens: 7, output_tokens: 0, total_tokens: 7 },
})
const completion = (finish_reason: unknown) => ({
  ...{ id: 'cmpl-1', object: 'text_completion', created: 1, model: 'm' },
  choices: [{ index: 0, text: '', finish_reason }],
  usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
})

/** Caller, vendor, and the vendor's whole answer without output: unfinished, stopped by itself, and limited. */
const table: [Name, string, object[], object, object | undefined][] = [
  [
    'chat',
    'openai',
    [{ ...chat('', null), choices: [] }, chat('', null)],
    chat('', 'stop'),
    chat(null, 'content_filter'),
  ],
  ['chat', 'claude', [claude([], null)], claude([], 'end_turn'), claude([], 'refusal')],
  ['chat', 'gemini', [gemini([])], gemini([], 'STOP'), gemini([], 'SAFETY')],
  ['completions', 'openai', [completion(null)], completion('stop'), completion('length')],
  [
    'responses',
    'openai',
    [response([], undefined)],
    response([], 'completed'),
    response([], 'incomplete'),
  ],
  ['responses', 'claude', [claude([], null)], claude([], 'end_turn'), claude([], 'max_tokens')],
  [
    'messages',
    'claude',
    [claude([], null), claude([{ type: 'text', text: '' }], null)],
    claude([], 'end_turn'),
    claude([], 'max_tokens'),
  ],
  ['messages', 'openai', [chat('', null)], chat('', 'stop'), chat('', 'length')],
  [
    'gemini',
    'gemini',
    [gemini([]), { candidates: [] }],
    gemini([{ text: '' }], 'STOP'),
    gemini([], 'SAFETY'),
  ],
  ['gemini', 'openai', [chat('', null)], chat('', 'stop'), chat('', 'length')],
]

/** A whole answer with output, in the dialect of the vendor. */
const whole = (model: string, path: string): object => {
  if (model === 'claude') return { ...claude([{ type: 'text', text: 'x' }], 'end_turn') }
  if (model === 'gemini') return gemini([{ text: 'x' }], 'STOP')
  if (path.endsWith('/responses'))
    return response(
      [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }],
      'completed',
    )
  if (path.endsWith('/chat/completions')) return chat('x', 'stop')
  return { ...completion('stop'), choices: [{ index: 0, text: 'x', finish_reason: 'stop' }] }
}
const play = (model: string, first: object) =>
  hub.upstream.play(model, turn =>
    answerJson(turn, turn.served.channel === 'first' ? first : whole(model, turn.served.path)),
  )
const send = async (name: Name, model: string, stream = false) => {
  const { path, body } = calls[name](model, stream)
  const answer = await hub.post(path, body)
  return { status: answer.status, text: await answer.text() }
}

it.each(table)(
  'a whole answer of %s from %s with neither output nor a finish is a failure of its channel',
  async (name, model, unfinished) => {
    for (const first of unfinished) {
      hub.upstream.forget()
      play(model, first)
      const { status, text } = await send(name, model)
      expect([status, channelsAsked()]).toEqual([200, ['first', 'second']])
      expect(text).toContain('"x"')
    }
  },
)

it.each(table)(
  'a whole answer of %s from %s with a finish is delivered and charged, and the setting retries it once',
  async (name, model, _unfinished, stopped, limited) => {
    for (const first of [stopped, limited]) {
      hub.upstream.forget()
      play(model, first!)
      expect((await send(name, model)).status).toBe(200)
      expect(channelsAsked()).toEqual(['first'])
      expect(await lastCharge(hub)).toMatchObject({ amount: 7 })
    }
    await setOption('EmptyAnswerRetryEnabled', true)
    hub.upstream.forget()
    play(model, stopped)
    expect((await send(name, model)).text).toContain('"x"')
    expect(channelsAsked()).toEqual(['first', 'second'])
    hub.upstream.forget()
    play(model, limited!)
    await send(name, model)
    expect(channelsAsked()).toEqual(['first'])
  },
)

it('a second empty answer of one call is delivered', async () => {
  await setOption('EmptyAnswerRetryEnabled', true)
  const base_url = `${hub.upstream.url}/third`
  await hub.addChannel(1, 'openai', { name: 'third', priority: 0, base_url })
  hub.upstream.play('openai', turn => answerJson(turn, chat('', 'stop')))
  expect((await send('chat', 'openai')).status).toBe(200)
  expect(channelsAsked()).toEqual(['first', 'second'])
  expect(await lastCharge(hub)).toMatchObject({ amount: 7 })
})

it('an empty answer is delivered where no other channel could answer', async () => {
  await setOption('EmptyAnswerRetryEnabled', true)
  hub.upstream.play('alone', turn => answerJson(turn, chat('', 'stop')))
  expect((await send('chat', 'alone')).status).toBe(200)
})

it('an empty response that the caller asks to store is delivered', async () => {
  await setOption('EmptyAnswerRetryEnabled', true)
  play('openai', response([], 'completed'))
  const { path, body } = calls.responses('openai', false)
  expect((await hub.post(path, { ...body, store: true })).status).toBe(200)
  expect(channelsAsked()).toEqual(['first'])
})

it.each([false, true])(
  'an answer with neither output nor a finish is an error that costs nothing where no channel is left (stream: %s)',
  async stream => {
    const before = await lastCharge(hub)
    hub.upstream.play('alone', turn => {
      if (stream) beginStream(turn).end('data: [DONE]\n\n')
      else answerJson(turn, chat('', null))
    })
    const { status, text } = await send('chat', 'alone', stream)
    expect([status, text]).toEqual([502, expect.stringContaining('without content')])
    expect(await lastCharge(hub)).toEqual(before)
  },
)

it('a stream whose opening the caller has, and that ends with neither, is an error event that costs nothing', async () => {
  const before = await lastCharge(hub)
  hub.upstream.play('alone', turn => {
    beginStream(turn).write(vendorStream(turn).opening[0])
    setTimeout(() => turn.response.end('data: [DONE]\n\n'), 30)
  })
  const { status, text } = await send('chat', 'alone', true)
  expect([status, text]).toEqual([200, expect.stringContaining('without content')])
  expect(await lastCharge(hub)).toEqual(before)
})

/** An empty stream of a vendor, with a finish. */
const emptyStream = (turn: Turn): string => {
  const { opening, end } = vendorStream(turn)
  if (!turn.served.path.endsWith('/responses')) return opening.join('') + end
  const completed = {
    id: 'resp_1',
    object: 'response',
    model: 'm',
    status: 'completed',
    output: [],
  }
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 }
  return opening.join('') + frame({ type: 'response.completed', response: { ...completed, usage } })
}

it.each([
  ['chat', 'openai'],
  ['chat', 'claude'],
  ['completions', 'openai'],
  ['responses', 'openai'],
  ['responses', 'gemini'],
  ['messages', 'claude'],
  ['messages', 'openai'],
  ['gemini', 'gemini'],
] as const)(
  'an empty stream of %s from %s with a finish is delivered, and the setting retries it',
  async (name, model) => {
    hub.upstream.play(model, turn => {
      const isFirst = turn.served.channel === 'first'
      beginStream(turn).end(isFirst ? emptyStream(turn) : wholeStream(turn))
    })
    const { status, text } = await send(name, model, true)
    expect([status, outputOf(framesOf(text)), channelsAsked()]).toEqual([200, '', ['first']])
    expect(await lastCharge(hub)).toMatchObject({ amount: 10 })
    await setOption('EmptyAnswerRetryEnabled', true)
    hub.upstream.forget()
    const again = await send(name, model, true)
    expect(outputOf(framesOf(again.text))).toBe('from second')
    expect(channelsAsked()).toEqual(['first', 'second'])
  },
)

it('delivered empty answers are counted in the health of their channel, apart from failures', async () => {
  await hub.addChannel(1, 'hollow', { base_url: `${hub.upstream.url}/first` })
  hub.upstream.play('hollow', turn => answerJson(turn, chat('', 'stop')))
  for (let n = 0; n < 2; n++) await send('chat', 'hollow')
  hub.upstream.play('hollow', turn => answerJson(turn, chat('', null)))
  await send('chat', 'hollow')
  await lastCharge(hub)
  const { errorLog } = await import('../src/relay/error-log/error-log.ts')
  await errorLog(hub.app.app).flush()
  const list = await hub.app.root.get('/api/channel/?name=hollow')
  const [{ id }]: Json[] = list.body.data.data
  const figures = (await hub.app.root.get(`/api/channel/${id}/figures?period=day`)).body.data
  expect(figures.totals).toMatchObject({ requests: 2, empty: 2, failed: 1 })
  expect(figures.failures).toEqual([{ code: 'upstream.empty', count: 1 }])
  const health = (await hub.app.root.get(`/api/channel/health?ids=${id}`)).body.data
  const last = health.channels[0].hours.at(-1)
  expect(last).toMatchObject({ empty: 2, failed: 1 })
  const rows = await hub.app.root.get('/api/log/?model_name=hollow&log_type=2&size=1')
  const route = (await hub.app.root.get(`/api/log/${rows.body.data.data[0].id}/route`)).body.data
  expect(route.attempts).toMatchObject([{ channel_id: id, code: 'answer.empty' }])
})
