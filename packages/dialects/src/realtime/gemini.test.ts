import { describe, expect, it } from 'vitest'
import { inputTokens, outputTokens } from '../usage.ts'
import { geminiLive, readLiveSetup, replaceSessionHandle } from './gemini.ts'
import { turns } from './gemini-turns.ts'

const open = () => {
  const reader = geminiLive.openReader()
  return {
    read: (message: unknown) => reader.read(JSON.stringify(message)),
    send: (message: unknown) => reader.readSent(Buffer.from(JSON.stringify(message))),
  }
}
type Session = ReturnType<typeof open>
const play = ({ read, send }: Session, messages: readonly object[]) =>
  messages.flatMap(each => {
    if (!('toolResponse' in each)) return read(each)
    send(each)
    return []
  })
const ends = (events: ReturnType<typeof play>) =>
  events.flatMap(each => (each.kind === 'done' ? [each] : []))

describe('usage of a turn', () => {
  it.each(Object.entries(turns))('%s', (_name, { messages, usage }) => {
    const session = open()
    for (const turn of [0, 1]) {
      const [end, ...others] = ends(play(session, messages))
      expect(others).toEqual([])
      expect(end).toMatchObject({ responseId: `turn_${turn}`, usage })
    }
  })

  it('has disjoint classes that add up to the totals', () => {
    const { messages } = turns['one report with the end']!
    const [end] = ends(play(open(), messages))
    if (typeof end?.usage !== 'object') throw new TypeError('no usage')
    expect([inputTokens(end.usage), outputTokens(end.usage)]).toEqual([412, 96])
  })

  it.each([
    ['no report', undefined, undefined],
    ['an empty report', {}, undefined],
    ['a negative count', { promptTokenCount: -1 }, 'broken'],
    ['a text', { promptTokenCount: '7' }, 'broken'],
  ])('%s is no usage', (_name, usageMetadata, usage) => {
    const message = { serverContent: { turnComplete: true }, usageMetadata }
    expect(open().read(message)).toEqual([{ kind: 'done', responseId: 'turn_0', usage }])
  })

  it('is known before the end where it is reported then', () => {
    const { read } = open()
    const usageMetadata = { promptTokenCount: 5, responseTokenCount: 2 }
    expect(read({ serverContent: {}, usageMetadata })).toMatchObject([
      { kind: 'usage', usage: { input: 5, output: 2 } },
    ])
  })
})

it('output is metered: a second of audio, four letters a token, and the arguments of a tool call', () => {
  const { read } = open()
  const parts = [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: 'A'.repeat(64_000) } }]
  const created = { kind: 'created', responseId: 'turn_0' }
  expect(read({ serverContent: { modelTurn: { parts } } })).toEqual([
    created,
    { kind: 'delta', audioTokens: 25, textTokens: 0 },
  ])
  expect(read({ serverContent: { modelTurn: { parts: [{ text: 'Gray.' }] } } })).toEqual([
    { kind: 'delta', audioTokens: 0, textTokens: 1.25 },
  ])
  const [delta] = read({ toolCall: { functionCalls: [{ id: '1', name: 'f', args: {} }] } })
  expect(delta).toMatchObject({ kind: 'delta', textTokens: expect.closeTo(14, -1) })
})

it('messages of the caller are metered: a second of audio, a frame of video, text', () => {
  const { send } = open()
  const audio = { data: 'A'.repeat(42_667 - 36), mimeType: 'audio/pcm' }
  expect(send({ realtimeInput: { audio } }).audio).toBeCloseTo(32, 0)
  expect(send({ realtimeInput: { video: { data: 'A' } } })).toEqual({
    ...{ text: 0, audio: 0, image: 258 },
  })
  const turns = [{ role: 'user', parts: [{ text: 'four' }] }]
  expect(send({ clientContent: { turns } }).text).toBe(1)
})

it.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['a message without content', '{"setupComplete":{}}'],
])('%s is relayed without a charge', (_name, text) => {
  expect(geminiLive.openReader().read(text)).toEqual([])
})

describe('the first message', () => {
  const setup = (fields: object) => readLiveSetup(Buffer.from(JSON.stringify({ setup: fields })))

  it.each([
    'gemini-live',
    'models/gemini-live',
    'publishers/google/models/gemini-live',
    'projects/p/locations/l/publishers/google/models/gemini-live',
  ])('names its model: %s', model => {
    expect(setup({ model })).toMatchObject({ model: 'gemini-live', handle: undefined })
  })

  it('gets the names that the vendor knows, and keeps all else', () => {
    const fields = { model: 'models/a', tools: [{}], sessionResumption: { handle: 'mine', x: 1 } }
    const read = setup(fields)
    if (typeof read === 'string') throw new TypeError(read)
    expect(read.handle).toBe('mine')
    expect(JSON.parse(read.encode('models/b', 'theirs'))).toEqual({
      setup: { model: 'models/b', tools: [{}], sessionResumption: { handle: 'theirs', x: 1 } },
    })
    expect(JSON.parse(read.encode('models/b', undefined)).setup.sessionResumption.x).toBe(1)
  })

  it.each([
    ['no setup', '{"clientContent":{}}'],
    ['no JSON', 'hello'],
    ['no model', '{"setup":{}}'],
  ])('is refused with a reason: %s', (_name, text) => {
    expect(readLiveSetup(Buffer.from(text))).toEqual(expect.stringContaining("'setup'"))
  })
})

it('the handle of a session is replaced, and other messages are left alone', () => {
  const update = { sessionResumptionUpdate: { newHandle: 'theirs', resumable: true } }
  const replaced = replaceSessionHandle(Buffer.from(JSON.stringify(update)), each => `<${each}>`)
  expect(JSON.parse(replaced ?? '')).toEqual({
    sessionResumptionUpdate: { newHandle: '<theirs>', resumable: true },
  })
  const text = { serverContent: { modelTurn: { parts: [{ text: '"newHandle"' }] } } }
  expect(replaceSessionHandle(Buffer.from(JSON.stringify(text)), String)).toBeUndefined()
})

it('an error is the reason of the close frame, and an end in order is announced', () => {
  const info = { status: 402, message: 'Empty.', requestId: '7' }
  expect(geminiLive.encodeEnd({ ...info, code: 'quota.exhausted' })).toEqual({ reason: 'Empty.' })
  expect(geminiLive.encodeEnd({ ...info, code: 'server.stopping' })).toMatchObject({
    message: '{"goAway":{"timeLeft":"0s"}}',
  })
})
