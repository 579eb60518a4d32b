import { afterEach, beforeAll, expect, it } from 'vitest'
import { until } from '../../../test/harness/runner/until.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { beginStream, frame, lastCharge, sendCall } from './relay-calls.ts'
import { framesOf, type Json, useRelayHub } from './relay-hub.ts'
import { namesIn, outputOf, vendorStream, wholeStream } from './vendors/openings.ts'

const hub = useRelayHub()
let offset = 0

const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

const addPair = async (type: number, model: string, fields = {}) => {
  for (const [name, priority] of [
    ['first', 2],
    ['second', 1],
  ] as const)
    await hub.addChannel(type, model, {
      ...{ name, priority, base_url: `${hub.upstream.url}/${name}` },
      ...fields,
    })
}

beforeAll(async () => {
  const { app } = hub.app
  // The clock stands still, so that an opening that is held back by mistake never reaches the caller.
  const start = app.monotonic()
  app.monotonic = () => start + offset
  await setOption('PingSeconds', 0)
  await addPair(1, 'pair')
  await addPair(14, 'claude')
  await addPair(25, 'gemini')
  await addPair(1, 'shared', { plugin: { links: { objects: 'conv_shared' } } })
  await hub.addChannel(1, 'another', { base_url: `${hub.upstream.url}/other` })
  hub.upstream.play('another', answerWhole)
  for (const [model, type] of [
    ['alone', 1],
    ['claude-alone', 14],
    ['gemini-alone', 25],
  ] as const)
    await hub.addChannel(type, model, { base_url: `${hub.upstream.url}/first` })
})
afterEach(() => hub.upstream.forget())

const messages = [{ role: 'user', content: 'hi' }]
const chat = (model: string, more = {}) => ({
  path: '/v1/chat/completions',
  body: { model, messages, stream: true, ...more },
})
const responses = (more = {}) => ({
  path: '/v1/responses',
  body: { model: 'pair', input: 'hi', stream: true, ...more },
})
const claudeOf = (model: string) => ({
  path: '/v1/messages',
  body: { model, max_tokens: 9, messages, stream: true },
})
const claude = claudeOf('claude')
const geminiOf = (model: string) => ({
  path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
})

const channelsAsked = () =>
  hub.upstream.served.map(each => each.channel).filter(each => each !== 'other')
const answerWhole = (turn: Turn): void => void beginStream(turn).end(wholeStream(turn))
const play = (model: string, first: (turn: Turn) => unknown) =>
  hub.upstream.play(model, async turn => {
    await (turn.served.channel === 'first' ? first(turn) : answerWhole(turn))
  })
const failAfterOpening = (turn: Turn): void => {
  const { opening, failure } = vendorStream(turn)
  beginStream(turn).end(opening.join('') + failure)
}

const send = async ({ path, body }: { path: string; body: object }, headers = {}) => {
  const response = await hub.post(path, body, headers)
  const text = await response.text()
  return { status: response.status, text, frames: framesOf(text) }
}

/** A vendor that opens at once, and continues when the test says so. */
const openAndWait = (model: string) => {
  const opened = Promise.withResolvers<Turn>()
  play(model, turn => {
    beginStream(turn).write(vendorStream(turn).opening.join(''))
    opened.resolve(turn)
  })
  return opened.promise
}
const begin = (call: { path: string; body: object }) => {
  const request = sendCall(hub, call)
  const received = { text: '', isOver: false }
  request.on('response', response =>
    response
      .on('data', chunk => {
        received.text += chunk
      })
      .on('end', () => {
        received.isOver = true
      }),
  )
  return received
}
/** Answers another call, before which everything is read that a vendor has sent. */
const answerAnother = () => send(chat('another'))

const responsesOf = (model: string) => ({
  path: '/v1/responses',
  body: { ...responses().body, model },
})

it.each([
  ['chat', chat('alone'), 'alone'],
  ['chat that is stored', chat('alone', { store: true }), 'alone'],
  ['Responses', responsesOf('alone'), 'alone'],
  ['Messages', claudeOf('claude-alone'), 'claude-alone'],
  ['Gemini', geminiOf('gemini-alone'), 'gemini-alone'],
  ['chat, translated', chat('claude-alone'), 'claude-alone'],
  ['Responses, translated', responsesOf('gemini-alone'), 'gemini-alone'],
  ['Messages, translated', claudeOf('alone'), 'alone'],
])(
  'the opening of %s reaches the caller at once where no other channel could answer',
  async (_name, call, model) => {
    const opened = openAndWait(model)
    const received = begin(call)
    const turn = await opened
    await until('the opening', async () => received.text !== '')
    turn.response.end(vendorStream(turn).output + vendorStream(turn).end)
    await until('the end', async () => received.isOver)
    expect(outputOf(framesOf(received.text))).toBe('from first')
  },
)

it.each([
  ['the call forces the channel', chat('pair'), { authorization: () => `Bearer ${hub.key}-1` }],
  ['no retries are allowed', chat('pair'), {}],
])('the opening reaches the caller at once where %s', async (reason, call, headers) => {
  if (reason === 'no retries are allowed') await setOption('RetryTimes', 0)
  const opened = openAndWait('pair')
  const response = hub.post(
    call.path,
    call.body,
    'authorization' in headers ? { authorization: headers.authorization!() } : {},
  )
  const turn = await opened
  const reader = (await response).body!.getReader()
  expect(String(Buffer.from((await reader.read()).value!))).toContain('assistant')
  await setOption('RetryTimes', 3)
  turn.response.end(vendorStream(turn).failure)
  let rest = ''
  for (let next = await reader.read(); !next.done; next = await reader.read())
    rest += Buffer.from(next.value).toString()
  expect(rest).toContain('error')
  expect(channelsAsked()).toEqual(['first'])
})

it.each([
  ['chat', chat('pair'), 'pair'],
  ['responses', responses(), 'pair'],
  ['messages', claude, 'claude'],
  ['gemini', geminiOf('gemini'), 'gemini'],
  ['chat, translated', chat('claude'), 'claude'],
  ['responses, translated', responsesOf('gemini'), 'gemini'],
  ['messages, translated', claudeOf('pair'), 'pair'],
])(
  'the opening of a silent vendor of %s is held back for two seconds, after which a failure is an error event',
  async (_name, call, model) => {
    const opened = openAndWait(model)
    const received = begin(call)
    const turn = await opened
    await answerAnother()
    offset += 1_900
    await answerAnother()
    expect(received.text).toBe('')
    offset += 200
    await until('the opening', async () => received.text !== '')
    offset += 6_000
    turn.response.end(vendorStream(turn).failure)
    await until('the end', async () => received.isOver)
    expect(received.text).toMatch(/error|failed/)
    expect(channelsAsked()).toEqual(['first'])
    await lastCharge(hub)
  },
)

it.each([
  ['chat', chat('pair'), 'pair'],
  ['responses', responses(), 'pair'],
  ['messages', claude, 'claude'],
  ['gemini', geminiOf('gemini'), 'gemini'],
  ['chat, translated', chat('claude'), 'claude'],
  ['responses, translated', responsesOf('gemini'), 'gemini'],
  ['messages, translated', claudeOf('pair'), 'pair'],
])(
  'a vendor of %s that speaks after two seconds answers, and its opening reaches the caller once',
  async (name, call, model) => {
    const opened = openAndWait(model)
    const received = begin(call)
    const turn = await opened
    await answerAnother()
    offset += 2_100
    await until('the opening', async () => received.text !== '')
    const { opening, output, end } = vendorStream(turn)
    turn.response.end(output + end)
    await until('the end', async () => received.isOver)
    expect(outputOf(framesOf(received.text))).toBe('from first')
    const isTranslated = name.includes('translated')
    expect(received.text.split(opening[0]!)).toHaveLength(isTranslated ? 1 : 2)
    expect(namesIn(framesOf(received.text)).ids.length).toBeLessThan(2)
    expect(channelsAsked()).toEqual(['first'])
  },
)

it('an opening of more than 64 KiB is delivered, so that a failure after it is an error event', async () => {
  const ping = frame({ type: 'ping', padding: 'x'.repeat(70_000) })
  play('claude', turn => {
    const { opening, failure } = vendorStream(turn)
    beginStream(turn).write(opening[0] + ping)
    setTimeout(() => turn.response.end(failure), 30)
  })
  const { text } = await send(claude)
  expect(text).toContain('"id":"msg_first"')
  expect(text).toContain('error')
  expect(channelsAsked()).toEqual(['first'])
})

/** Fails once its opening has reached a caller from whom it is not held back. */
const failLater = (turn: Turn): void => {
  const { opening, failure } = vendorStream(turn)
  beginStream(turn).write(opening.join(''))
  setTimeout(() => turn.response.end(failure), 30)
}

it('a response that the caller asks to store is not given up for another channel', async () => {
  play('pair', failLater)
  expect((await send(responses({ store: true }))).text).toContain('response.failed')
  expect(channelsAsked()).toEqual(['first'])
})

it('a response in a conversation is not given up for another channel', async () => {
  play('shared', failLater)
  const { path, body } = responses({ model: 'shared', conversation: 'conv_shared' })
  expect((await send({ path, body })).text).toContain('response.failed')
  expect(channelsAsked()).toEqual(['first'])
})

it('the response of an attempt that was given up does not belong to the caller', async () => {
  await hub.app.app.db.deleteFrom('stored_answers').execute()
  play('pair', failAfterOpening)
  const { frames, text } = await send(responses())
  expect(outputOf(frames)).toBe('from second')
  expect(text).not.toContain('resp_first')
  await lastCharge(hub)
  const owned = await hub.app.app.db.selectFrom('stored_answers').select('id').execute()
  expect(owned.map(each => each.id)).toContain('resp_second')
  expect(owned.map(each => each.id)).not.toContain('resp_first')
})

it.each([
  ['chat', chat('pair'), 'pair', { error: { message: 'no', type: 'invalid_request_error' } }],
  [
    'messages',
    claude,
    'claude',
    { type: 'error', error: { type: 'invalid_request_error', message: 'no' } },
  ],
])('an error of %s that the request caused is not repeated at another channel', async (...args) => {
  const [, call, model, error] = args
  play(model, turn => beginStream(turn).end(vendorStream(turn).opening.join('') + frame(error)))
  const { status } = await send(call)
  expect(status).toBe(400)
  expect(channelsAsked()).toEqual(['first'])
})

it('a retry with the same idempotency key receives the answer of the second channel', async () => {
  play('pair', failAfterOpening)
  const key = { 'idempotency-key': 'one' }
  const { text } = await send(chat('pair'), key)
  await lastCharge(hub)
  expect((await send(chat('pair'), key)).text).toBe(text)
  expect(channelsAsked()).toEqual(['first', 'second'])
})

it('the next candidate of a virtual model answers where the first fails after its opening', async () => {
  const candidates = [
    { model: 'alone', tier: 1 },
    { model: 'pair', tier: 2 },
  ]
  await hub.app.root.post('/api/virtual_model/', { name: 'either', candidates })
  hub.upstream.play('alone', failLater)
  play('pair', answerWhole)
  const { frames } = await send(chat('either'))
  expect(outputOf(frames)).toBe('from first')
  expect(hub.upstream.served.map(each => each.model)).toEqual(['alone', 'pair'])
})

it('the backup group of a key answers where the channel of its group fails after its opening', async () => {
  const { root, person } = hub.app
  await root.post('/api/user_group/', { symbol: 'extra', name: 'E', ratio: 1, public: true })
  await hub.addChannel(1, 'backed', { base_url: `${hub.upstream.url}/first` })
  await hub.addChannel(1, 'backed', { group: 'extra', base_url: `${hub.upstream.url}/second` })
  play('backed', failLater)
  const user = await person(1, { quota: 100_000_000 })
  const made = await user.post('/api/token/', { name: 't', backup_group: 'extra' })
  const { frames } = await send(chat('backed'), {
    authorization: `Bearer ${made.body.data.key}`,
  })
  expect(outputOf(frames)).toBe('from second')
})

it('a call without any channel left ends with an error that HTTP tells, and is not charged', async () => {
  const before = await lastCharge(hub)
  hub.upstream.play('pair', failAfterOpening)
  const { status } = await send(chat('pair'))
  expect(status).toBe(502)
  expect(await lastCharge(hub)).toEqual(before)
  await errorLog(hub.app.app).flush()
  const rows = await hub.app.root.get('/api/log/?order=-id&size=1&log_type=5')
  const [row]: Json[] = rows.body.data.data
  expect(row.metadata.attempts.map((each: Json) => each.channel)).toEqual(['first', 'second'])
})

it('a response in the background is not given up for another channel', async () => {
  play('pair', failLater)
  await send(responses({ background: true }))
  expect(channelsAsked()).toEqual(['first'])
})
