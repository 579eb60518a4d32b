import { afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../../../test/harness/runner/until.ts'
import type { Served, Turn } from '../../../test/upstream/turn.ts'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { beginStream, frame, lastCharge, sendCall } from './relay-calls.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const budgetMs = 10_000
let offset = 0
const passBudget = () => {
  offset += budgetMs + 50
}

const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

/** Two channels of one model: the first is asked first. */
const addPair = async (type: number, model: string) => {
  for (const [name, priority] of [
    ['first', 2],
    ['second', 1],
  ] as const)
    await hub.addChannel(type, model, { name, priority, base_url: `${hub.upstream.url}/${name}` })
}

beforeAll(async () => {
  const { app } = hub.app
  const { monotonic } = app
  app.monotonic = () => monotonic() + offset
  await setOption('HedgedStartMilliseconds', budgetMs)
  await setOption('HedgedStartEnabled', true)
  await addPair(1, 'gpt:out=3')
  await addPair(14, 'claude:out=3')
  await addPair(25, 'gemini-x')
})
afterEach(() => {
  for (const name of ['first', 'second']) hub.upstream.behave(name, '')
  hub.upstream.forget()
})

const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
type Dialect = { model: string; path: string; body: object }
const chat = (model = 'gpt:out=3'): Dialect => ({
  ...{ model, path: '/v1/chat/completions', body: { model, messages } },
})
const dialects: Record<string, (stream: boolean) => Dialect> = {
  chat: stream => ({ ...chat(), body: { ...chat().body, stream } }),
  messages: stream => {
    const model = 'claude:out=3'
    return { model, path: '/v1/messages', body: { model, max_tokens: 99, messages, stream } }
  },
  responses: stream => {
    const model = 'gpt:out=3'
    return { model, path: '/v1/responses', body: { model, store: false, input: 'hi', stream } }
  },
  gemini: stream => {
    const model = 'gemini-x'
    const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return { model, path: `/v1beta/models/${model}:${action}`, body: { contents } }
  },
}
const cases = Object.keys(dialects).flatMap(name => [
  [name, 'streamed'] as const,
  [name, 'whole'] as const,
])

/** Lets every timer fire that is due: one of the same length that starts later fires later. */
const fireTimers = async () => {
  const { timers } = await import('../src/core/timers.ts')
  await new Promise<void>(resolve => timers(hub.app.app).start(0, resolve))
}
/** Passes the budget of a call that has ended. A second attempt would reach its channel before the next call is answered. */
const expectNoLateAttempt = async () => {
  passBudget()
  await fireTimers()
  expect((await post(chat())).status).toBe(200)
  expect(channelsAsked()).toEqual(['first', 'first'])
}

const channelsAsked = (): string[] => hub.upstream.served.map(each => each.channel)
const untilAsked = (count: number) =>
  until(`${count} attempts`, async () => channelsAsked().length === count)
const servedBy = (channel: string): Served =>
  hub.upstream.served.find(each => each.channel === channel)!
const isClosed = (channel: string) => servedBy(channel).closedAt !== undefined

/** The answer without what differs between two calls. */
const textOf = (text: string) =>
  text.replaceAll(
    /"(id|response_id|responseId|item_id|marks)": ?"[^"]*"|"created(_at)?": ?\d+/g,
    '',
  )

const post = async ({ path, body }: Dialect) => {
  const response = await hub.post(path, body)
  return { status: response.status, text: await response.text() }
}

const newestRow = async (model: string): Promise<Json> => {
  await errorLog(hub.app.app).flush()
  const rows = await hub.app.root.get(
    `/api/log/?model_name=${encodeURIComponent(model)}&order=-id&size=1`,
  )
  return rows.body.data.data[0]
}
const routeOf = async (model: string): Promise<Json> => {
  const { id } = await newestRow(model)
  return (await hub.app.root.get(`/api/log/${id}/route`)).body.data
}
const billedAttempts = (id: number) =>
  hub.app.app.db.selectFrom('attempt_costs').select('usage').where('call_id', '=', id).execute()
const chargeCount = async (): Promise<number> =>
  (
    await hub.app.app.db
      .selectFrom('transfers')
      .select('id')
      .where('kind', '=', 'request')
      .execute()
  ).length

it.each(cases)(
  'of a %s call (%s) whose first channel sends headers alone the second answers, charged once',
  async (name, kind) => {
    const call = dialects[name]!(kind === 'streamed')
    hub.upstream.behave('first', 'status=500')
    const plain = await post(call)
    const plainCharge = await lastCharge(hub)
    hub.upstream.forget()
    const before = await chargeCount()
    hub.upstream.behave('first', 'stall=headers')
    const answer = post(call)
    await untilAsked(1)
    passBudget()
    await untilAsked(2)
    const hedged = await answer
    expect(channelsAsked()).toEqual(['first', 'second'])
    expect(hedged.status).toBe(200)
    expect(textOf(hedged.text)).toBe(textOf(plain.text))
    await until('the loser is cancelled', async () => isClosed('first'))
    const charge = await lastCharge(hub)
    expect(charge).toMatchObject({ amount: plainCharge!.amount })
    expect(await chargeCount()).toBe(before + 1)
    await until('the vendor may bill the loser', async () => {
      const rows = await billedAttempts(charge!.id)
      return rows.length === 1 && JSON.parse(rows[0]!.usage).input > 0
    })
    const route = await routeOf(call.model)
    expect(route.attempts).toMatchObject([
      { channel: 'first', code: 'hedge.cancelled', status: null, detail: '' },
    ])
    expect(route.served).toMatchObject({ channel: 'second' })
    expect(route.served.after).toBeGreaterThanOrEqual(budgetMs)
  },
)

it('a channel that answers within the budget is the only one', async () => {
  expect((await post(chat())).status).toBe(200)
  await expectNoLateAttempt()
  expect((await newestRow('gpt:out=3')).metadata.attempts ?? []).toEqual([])
})

const completion = (content: string) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
const chunk = (delta: object, finish: string | null = null) =>
  frame({ id: 'chatcmpl-1', choices: [{ index: 0, delta, finish_reason: finish }] })
const wholeStream = (content: string) =>
  `${chunk({ role: 'assistant', content })}${chunk({}, 'stop')}data: [DONE]\n\n`

type Play = (turn: Turn) => unknown
/** A pair of its own, so that the health of its channels is its own too. */
const playPair = async (model: string, first: Play, second: Play) => {
  await addPair(1, model)
  hub.upstream.play(model, async turn => {
    await (turn.served.channel === 'first' ? first : second)(turn)
  })
  return chat(model)
}
const hang = () => new Promise<void>(() => {})
const answering = (content: string) => (turn: Turn) => answerJson(turn, completion(content))
const streaming = ({ body, ...call }: Dialect): Dialect => ({
  ...call,
  body: { ...body, stream: true },
})

it('an answer that began within the budget and outlasts it is the only one', async () => {
  const gate = Promise.withResolvers<void>()
  const call = await playPair(
    'long',
    async turn => {
      const stream = beginStream(turn)
      stream.write(chunk({ role: 'assistant', content: 'from the first' }))
      await gate.promise
      stream.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
    },
    turn => beginStream(turn).end(wholeStream('from the second')),
  )
  const response = await hub.post(call.path, streaming(call).body)
  await expectNoLateAttempt()
  gate.resolve()
  const text = await response.text()
  expect([text.includes('from the first'), text.includes('from the second')]).toEqual([true, false])
})

it('the first channel still wins if its first event comes before that of the second', async () => {
  const gate = Promise.withResolvers<void>()
  const call = await playPair(
    'late',
    async turn => {
      await gate.promise
      answering('from the first')(turn)
    },
    beginStream,
  )
  const answer = post(call)
  await untilAsked(1)
  passBudget()
  await untilAsked(2)
  gate.resolve()
  expect((await answer).text).toContain('from the first')
  await until('the loser is cancelled', async () => isClosed('second'))
  const route = await routeOf('late')
  expect(route.attempts).toMatchObject([{ channel: 'second', code: 'hedge.cancelled' }])
  expect(route.served).toMatchObject({ channel: 'first' })
  expect(route.served.after).toBeLessThan(budgetMs)
  expect(route).toMatchObject({ priority: 2, drawn_from: 1 })
})

it('comments before the first event decide nothing, and reach no caller', async () => {
  const call = await playPair(
    'comments',
    turn => beginStream(turn).write(': PROCESSING\n\n'),
    turn => beginStream(turn).end(wholeStream('from the second')),
  )
  const answer = post(streaming(call))
  await untilAsked(1)
  passBudget()
  const { text } = await answer
  expect(text).toContain('from the second')
  expect(text).not.toContain('PROCESSING')
})

const opening = chunk({ role: 'assistant', content: '' })

it('a channel that has sent its opening is not silent, so that no second one is asked', async () => {
  const { timers } = await import('../src/core/timers.ts')
  // The opening is held back for two seconds at most.
  await setOption('HedgedStartMilliseconds', 1_000)
  const opened = Promise.withResolvers<Turn>()
  const call = await playPair('opened', opened.resolve, turn =>
    beginStream(turn).end(wholeStream('from the second')),
  )
  const answer = hub.post(call.path, streaming(call).body)
  const stream = beginStream(await opened.promise)
  stream.write(opening)
  // The opening is read before another call is answered, and a later timer of the same length fires later.
  expect((await post(chat())).status).toBe(200)
  const passed = new Promise<void>(resolve => timers(hub.app.app).start(1_000, resolve))
  offset += 1_100
  await passed
  expect((await post(chat())).status).toBe(200)
  stream.end(wholeStream('from the first'))
  expect(await (await answer).text()).toContain('from the first')
  const ofModel = hub.upstream.served.filter(each => each.model === 'opened')
  expect(ofModel.map(each => each.channel)).toEqual(['first'])
  await setOption('HedgedStartMilliseconds', budgetMs)
})

it.each([
  ['a refusal', (turn: Turn) => answerJson(turn, { error: { message: 'down' } }, 500)],
  [
    'an error as the first event',
    (turn: Turn) => beginStream(turn).write(frame({ error: { message: 'overloaded', code: 503 } })),
  ],
  [
    'an error after the opening',
    (turn: Turn) =>
      beginStream(turn).write(opening + frame({ error: { message: 'overloaded', code: 503 } })),
  ],
  ['an opening without an end', (turn: Turn) => beginStream(turn).end(opening)],
  ['a closing frame alone', (turn: Turn) => beginStream(turn).end('data: [DONE]\n\n')],
  ['a stream without an event', (turn: Turn) => beginStream(turn).end()],
  ['a broken connection', ({ request }: Turn) => request.socket.resetAndDestroy()],
])('%s does not win: the other attempt answers', async (name, fail) => {
  const model = `fails-${name.replaceAll(' ', '-')}`
  const [broken, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const call = await playPair(
    model,
    async turn => {
      await broken.promise
      fail(turn)
    },
    async turn => {
      await answered.promise
      beginStream(turn).end(wholeStream('from the second'))
    },
  )
  const answer = post(streaming(call))
  await untilAsked(1)
  passBudget()
  await untilAsked(2)
  broken.resolve()
  await until('the first failed', async () => isClosed('first'))
  answered.resolve()
  const { status, text } = await answer
  expect([status, text.includes('from the second')]).toEqual([200, true])
  expect(text).not.toContain('overloaded')
  const route = await routeOf(model)
  expect(route.attempts).toHaveLength(1)
  expect(route.attempts[0]).toMatchObject({ channel: 'first' })
  expect(route.attempts[0].code).toMatch(/^upstream\./)
  expect(channelsAsked()).toEqual(['first', 'second'])
})

it('a call whose two attempts fail gets an error and costs nothing', async () => {
  const gate = Promise.withResolvers<void>()
  const refuse = async (turn: Turn) => {
    await gate.promise
    answerJson(turn, { error: { message: 'down' } }, 500)
  }
  const call = await playPair('both-fail', refuse, refuse)
  const before = await chargeCount()
  const answer = post(call)
  await untilAsked(1)
  passBudget()
  await untilAsked(2)
  gate.resolve()
  expect((await answer).status).toBe(502)
  expect(channelsAsked()).toEqual(['first', 'second'])
  const route = await routeOf('both-fail')
  expect(route).toMatchObject({ served: null, stop: 'no_candidate' })
  expect(route.attempts.map((each: Json) => each.code)).toEqual([
    'upstream.failed',
    'upstream.failed',
  ])
  expect(await chargeCount()).toBe(before)
})

it.each(['whole', 'streamed'])(
  'a caller who leaves before the answer (%s) cancels both attempts, and pays nothing',
  async kind => {
    const call = await playPair(`left-${kind}`, hang, hang)
    const before = await chargeCount()
    const sent = sendCall(hub, kind === 'streamed' ? streaming(call) : call)
    await untilAsked(1)
    passBudget()
    await untilAsked(2)
    sent.destroy()
    await until('both are cancelled', async () => isClosed('first') && isClosed('second'))
    await lastCharge(hub)
    expect(await chargeCount()).toBe(before)
  },
)

it('a caller who leaves before the second attempt starts gets none', async () => {
  const call = await playPair('left-early', hang, hang)
  const sent = sendCall(hub, streaming(call))
  await untilAsked(1)
  sent.destroy()
  await until('the first is cancelled', async () => isClosed('first'))
  await lastCharge(hub)
  await expectNoLateAttempt()
})

it('a caller who leaves a stream that the second attempt won ends both, and pays once', async () => {
  const call = await playPair('left-late', hang, turn =>
    beginStream(turn).write(chunk({ role: 'assistant', content: 'from the second' })),
  )
  const before = await chargeCount()
  const sent = sendCall(hub, streaming(call))
  const hasBegun = new Promise(resolve =>
    sent.once('response', answer => answer.once('data', resolve)),
  )
  await untilAsked(1)
  passBudget()
  await hasBegun
  sent.destroy()
  await until('both have ended', async () => isClosed('first') && isClosed('second'))
  await lastCharge(hub)
  expect(await chargeCount()).toBe(before + 1)
})

it('equal calls of a token with a response cache share one pair of attempts and one charge', async () => {
  await setOption('ChatCacheEnabled', true)
  const user = await hub.app.person(1, { quota: 1_000_000 })
  const token = await user.post('/api/token/', { name: 't', chat_cache: true })
  const call = await playPair('cached', hang, answering('from the second'))
  const send = async () => {
    const authorization = `Bearer ${token.body.data.key}`
    const response = await hub.post(call.path, { ...call.body, temperature: 0 }, { authorization })
    return { cache: response.headers.get('x-cache'), text: await response.text() }
  }
  const answers = [send(), send(), send()]
  await untilAsked(1)
  passBudget()
  const seen = await Promise.all(answers)
  expect(seen.map(each => each.cache).sort()).toEqual(['HIT', 'HIT', 'MISS'])
  for (const each of seen) expect(each.text).toContain('from the second')
  expect(channelsAsked()).toEqual(['first', 'second'])
  expect(1_000_000 - (await user.get('/api/user/self')).body.data.quota).toBe(2)
  await setOption('ChatCacheEnabled', false)
})

/** Sends a call that must not be hedged, and sees that the budget passes without a second attempt. */
const expectAlone = async (call: Dialect, headers?: Record<string, string>) => {
  const gate = Promise.withResolvers<void>()
  hub.upstream.play(call.model, async turn => {
    await gate.promise
    answerJson(turn, { error: { message: 'no' } }, 400)
  })
  const answer = hub.post(call.path, call.body, headers)
  await untilAsked(1)
  passBudget()
  await fireTimers()
  gate.resolve()
  expect((await answer).status).toBe(400)
  expect(channelsAsked()).toHaveLength(1)
  hub.upstream.forget()
}

it('calls that a second request could harm have one attempt at a time', async () => {
  await addPair(1, 'alone')
  const responses = { ...chat('alone'), path: '/v1/responses' }
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const mcp = { type: 'mcp', server_label: 's', server_url: 'https://example.com/mcp' }
  await expectAlone({ ...responses, body: { model: 'alone', input: 'hi' } })
  await expectAlone({
    ...responses,
    body: { model: 'alone', input: 'hi', store: false, tools: [mcp] },
  })
  await expectAlone({
    ...chat('alone'),
    body: { model: 'alone', messages: [{ role: 'user', content: [image] }] },
  })
  await expectAlone({
    ...{ model: 'alone', path: '/v1/images/generations', body: { model: 'alone', prompt: 'x' } },
  })
})

it('without the setting, without retries and with a forced channel there is one attempt at a time', async () => {
  await addPair(1, 'off')
  await setOption('HedgedStartEnabled', false)
  await expectAlone(chat('off'))
  await setOption('HedgedStartEnabled', true)
  await setOption('RetryTimes', 0)
  await expectAlone(chat('off'))
  await setOption('RetryTimes', 3)
  const channels = await hub.app.root.get('/api/channel/?size=100&order=-id')
  const { id } = channels.body.data.data.find((each: Json) => each.models === 'off')
  const first = channels.body.data.data.find(
    (each: Json) => each.models === 'off' && each.name === 'first',
  )
  expect(id).toBeGreaterThan(0)
  await expectAlone(chat('off'), { authorization: `Bearer ${hub.key}#${first.id}` })
})

it('hedges take at most three quarters of the retry budget, and the rest is left to failed calls', async () => {
  const gate = Promise.withResolvers<void>()
  const call = await playPair(
    'bounded',
    async turn => {
      await gate.promise
      answering('from the first')(turn)
    },
    hang,
  )
  const answers = Array.from({ length: 12 }, () => post(call))
  await untilAsked(12)
  passBudget()
  await untilAsked(12 + 8)
  gate.resolve()
  for (const each of await Promise.all(answers)) expect(each.text).toContain('from the first')
  expect(channelsAsked().filter(each => each === 'second')).toHaveLength(8)
  hub.upstream.forget()
  // The vendor of the second channel fails at once now; that of the first as well.
  hub.upstream.play('bounded', turn => answerJson(turn, { error: { message: 'down' } }, 500))
  expect((await post(call)).status).toBe(502)
  expect(channelsAsked()).toEqual(['first', 'second'])
})

const slowDown = (turn: Turn) => {
  turn.response.setHeader('retry-after', '60')
  answerJson(turn, { error: { message: 'slow down' } }, 429)
}
/** Three channels whose vendors behave as told, with cooldowns of the first ones that are over. */
const addCooled = async (model: string, cooled: readonly string[]) => {
  const vendors: Record<string, Play> = { third: answering('from the third') }
  for (const name of cooled) vendors[name] = slowDown
  await playPair(model, hang, hang)
  const address = `${hub.upstream.url}/third`
  await hub.addChannel(1, model, { name: 'third', priority: 0, base_url: address })
  hub.upstream.play(model, async turn => {
    await (vendors[turn.served.channel] ?? answering('from another'))(turn)
  })
  expect((await post(chat(model))).status).toBe(200)
  expect(channelsAsked().slice(0, cooled.length)).toEqual(cooled)
  offset += 61_000
  hub.upstream.forget()
  return vendors
}

it('after a cooldown, a caller who leaves both attempts leaves no channel that is passed over', async () => {
  const vendors = await addCooled('cooled-left', ['first', 'second'])
  Object.assign(vendors, { first: hang, second: hang })
  const sent = sendCall(hub, chat('cooled-left'))
  await untilAsked(1)
  passBudget()
  await untilAsked(2)
  sent.destroy()
  await until('both are cancelled', async () => isClosed('first') && isClosed('second'))
  await lastCharge(hub)
  hub.upstream.forget()
  const down = (turn: Turn) => answerJson(turn, { error: { message: 'down' } }, 500)
  Object.assign(vendors, { first: down, second: answering('from the second') })
  expect((await post(chat('cooled-left'))).text).toContain('from the second')
  expect(channelsAsked()).toEqual(['first', 'second'])
})

it('after a cooldown, an attempt that fails before the other leaves no channel that is passed over', async () => {
  const vendors = await addCooled('cooled-failed', ['first'])
  const [one, both] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const refuse = (turn: Turn) => answerJson(turn, { error: { message: 'no' } }, 400)
  vendors.first = async turn => {
    await one.promise
    slowDown(turn)
  }
  vendors.second = async turn => {
    await both.promise
    refuse(turn)
  }
  const answer = post(chat('cooled-failed'))
  await untilAsked(1)
  passBudget()
  await untilAsked(2)
  one.resolve()
  await until('the first has failed', async () => isClosed('first'))
  both.resolve()
  expect((await answer).status).toBe(400)
  offset += 61_000
  hub.upstream.forget()
  Object.assign(vendors, { first: answering('from the first'), second: refuse })
  expect((await post(chat('cooled-failed'))).text).toContain('from the first')
  expect(channelsAsked()).toEqual(['first'])
})
