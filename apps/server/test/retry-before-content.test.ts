import { afterEach, beforeAll, expect, it } from 'vitest'
import { isEnd, openSocket } from '../../../test/harness/sockets/client.ts'
import type { Served, Turn } from '../../../test/upstream/turn.ts'
import { route } from '../src/features/logs/route.ts'
import { beginStream, lastCharge } from './relay-calls.ts'
import { framesOf, type Json, useRelayHub } from './relay-hub.ts'
import { contents } from './vendors/contents.ts'
import {
  makeConverseStreams,
  namesIn,
  outputOf,
  vendorStream,
  wholeStream,
} from './vendors/openings.ts'
import { endWith, failingHeads, failings } from './vendors/stream-failures.ts'

/** The long tests repeat every call. */
const rounds = Number(process.env.HUB_CONTENT_ROUNDS ?? 1)
/** Each kind of failure comes at least once, and this many calls are made. */
const callsMin = 100
/** Calls in vain bound the retries of all, so that no more than these run at once. */
const atOnce = 10

const hub = useRelayHub()
const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

/** The models are named after the vendor of their two channels, of which the first is asked first. */
const vendors = {
  openai: { type: 1 },
  // The vendor's own models of this generation are asked in Responses.
  'gpt-5.4': { type: 1 },
  claude: { type: 14 },
  gemini: { type: 25 },
  converse: { type: 32, key: 'us-east-1|key' },
}

beforeAll(async () => {
  await makeConverseStreams()
  await setOption('PingSeconds', 0)
  for (const [model, { type, ...fields }] of Object.entries(vendors))
    for (const [name, priority] of [
      ['first', 2],
      ['second', 1],
    ] as const) {
      const base_url = `${hub.upstream.url}/${name}`
      await hub.addChannel(type, model, { name, priority, base_url, ...fields })
    }
})
afterEach(() => hub.upstream.forget())

type Call = (model: string, text: string) => { path: string; body: object }
const messagesOf = (text: string) => [{ role: 'user', content: text }]
const calls: Record<string, Call> = {
  chat: (model, text) => ({
    path: '/v1/chat/completions',
    body: {
      ...{ model, messages: messagesOf(text), stream: true },
      stream_options: { include_usage: true },
      ...(model === 'gpt-5.4' ? { reasoning_effort: 'low' } : {}),
    },
  }),
  completions: (model, text) => ({
    path: '/v1/completions',
    body: { model, prompt: text, stream: true, stream_options: { include_usage: true } },
  }),
  responses: (model, text) => ({
    path: '/v1/responses',
    body: { model, input: messagesOf(text), stream: true },
  }),
  messages: (model, text) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 99, messages: messagesOf(text), stream: true },
  }),
  gemini: (model, text) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text }] }] },
  }),
}

type Received = { frames: Json[]; status: number }
type Send = (
  name: string,
  model: string,
  text: string,
  onFirstByte?: () => void,
) => Promise<Received>
const post: Send = async (name, model, text, onFirstByte) => {
  const { path, body } = calls[name]!(model, text)
  const response = await hub.post(path, body)
  onFirstByte?.()
  return { frames: framesOf(await response.text()), status: response.status }
}
const overSocket: Send = async (_name, model, text, onFirstByte) => {
  const headers = { authorization: `Bearer ${hub.key}` }
  const client = await openSocket(`${hub.url}/v1/responses`, headers)
  client.socket.once('message', () => onFirstByte?.())
  client.send({ type: 'response.create', store: false, model, input: messagesOf(text) })
  await client.next(isEnd)
  client.socket.terminate()
  return { frames: client.events, status: client.events.at(-1)!.status ?? 200 }
}

const pairs = Object.keys(calls).flatMap(name =>
  Object.keys(vendors)
    .filter(model => name !== 'completions' || model === 'openai')
    .map(model => [name, model, 'SSE', post] as const),
)
const sockets = Object.keys(vendors).map(
  model => ['responses', model, 'WebSocket', overSocket] as const,
)
const all = [...pairs, ...sockets]

/** Each call is marked with its number, by which the vendor and the test find it. */
const markOf = (index: number): string => `case ${index}.`
const indexIn = ({ body }: Served): number => Number(/case (\d+)\./.exec(String(body))![1])

const play = (model: string, first: (turn: Turn, index: number) => unknown) =>
  hub.upstream.play(model, async turn => {
    if (turn.served.channel === 'second') endWith(turn, wholeStream(turn))
    else await first(turn, indexIn(turn.served))
  })

/** Makes the calls of these numbers, some at once, and returns what each received. */
const callAll = async (
  count: number,
  call: (index: number) => Promise<Received>,
): Promise<Received[]> => {
  const received: Received[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      received[index] = await call(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return received
}

/** The ids of rows behind this one. */
const idsAfter = async (table: 'logs' | 'transfers', id: number): Promise<number[]> => {
  const rows = hub.app.app.db.selectFrom(table).select('id').where('id', '>', id).orderBy('id')
  const found = await (table === 'logs' ? rows : rows.where('kind', '=', 'request')).execute()
  return found.map(each => each.id)
}
const lastIds = async () => {
  await lastCharge(hub)
  return {
    logs: (await idsAfter('logs', 0)).at(-1) ?? 0,
    transfers: (await idsAfter('transfers', 0)).at(-1) ?? 0,
  }
}
const chargesAfter = async (before: { transfers: number }): Promise<number[]> => {
  await lastCharge(hub)
  const rows = await hub.app.app.db
    .selectFrom('transfers')
    .select('amount')
    .where('id', '>', before.transfers)
    .where('kind', '=', 'request')
    .execute()
  return rows.map(each => each.amount)
}

/** The answer of the second channel alone. */
const expectSecond = ({ frames, status }: Received, at: string): void => {
  expect([at, status, outputOf(frames)]).toEqual([at, 200, 'from second'])
  const { ids, models } = namesIn(frames)
  expect([at, ids.length, models.length]).toEqual([at, Math.min(ids.length, 1), 1])
  expect(JSON.stringify(frames), at).not.toMatch(/first/)
}

/** Headers that no two requests share. */
const ofOneRequest = ['authorization', 'x-amz-date', 'traceparent']
const requestOf = ({ path, body, headers }: Served) => ({
  path: path.replace(/^\/[^/]*/, ''),
  body: String(body),
  headers: Object.entries(headers).filter(([name]) => !ofOneRequest.includes(name)),
})

it.each(all)(
  'the second channel answers a call of %s to %s over %s wherever the first fails before its content',
  async (name, model, _transport, send) => {
    let opening = 0
    play(model, turn => {
      opening = vendorStream(turn).opening.length
      endWith(turn, wholeStream(turn))
    })
    await send(name, model, markOf(0))
    const cases: (readonly [at: string, fail: (turn: Turn) => unknown])[] = [
      ...Object.entries(failingHeads),
      ...Object.entries(failings).flatMap(([how, fail]) =>
        Array.from(
          { length: opening + 1 },
          (_, frames) =>
            [`${how} after ${frames} frames`, (turn: Turn) => fail(turn, frames)] as const,
        ),
      ),
    ]
    const caseOf = (index: number) => cases[index % cases.length]!
    const count = rounds * Math.max(callsMin, cases.length)
    const before = await lastIds()
    hub.upstream.forget()
    play(model, (turn, index) => caseOf(index)[1](turn))
    const received = await callAll(count, index => send(name, model, markOf(index)))
    for (const [index, each] of received.entries()) expectSecond(each, caseOf(index)[0])
    expect(await chargesAfter(before)).toEqual(received.map(() => 10))
    const attempts = Map.groupBy(hub.upstream.served, indexIn)
    for (const [index, served] of attempts) {
      const at = caseOf(index)[0]
      expect([at, served.map(each => each.channel)]).toEqual([at, ['first', 'second']])
      expect(requestOf(served[1]!), at).toEqual(requestOf(served[0]!))
    }
    const rows = await idsAfter('logs', before.logs)
    expect(rows).toHaveLength(count)
    for (const id of rows) {
      const { attempts, served } = await route(hub.app.app, id)
      expect([attempts, served]).toMatchObject([[{ channel: 'first' }], { channel: 'second' }])
    }
  },
)

/** The last frame is an error of the dialect of the caller. */
const isErrorOf = (name: string, last: Json): boolean => {
  if (name === 'messages') return last?.type === 'error' && typeof last.error?.type === 'string'
  if (name === 'responses') return last?.type === 'error' || Boolean(last?.response?.error)
  const { error } = last ?? {}
  return name === 'gemini'
    ? typeof error?.code === 'number' && typeof error.status === 'string'
    : typeof error?.message === 'string'
}

/** Output that this caller gets only once it is whole, or not at all: it has no byte when the vendor fails. */
const isUnseen = (name: string, model: string, kind: string): boolean => {
  if (name === 'gemini' && model !== 'gemini' && /tool|search|hidden/.test(kind)) return true
  return name !== 'responses' && model === 'gpt-5.4' && /audio|image/.test(kind)
}

it.each(all)(
  'a failure after the first content of %s to %s over %s is an error event, and no second channel is asked',
  async (name, model, _transport, send) => {
    const ends = ['failure', 'another failure', 'a cut', 'a clean end'] as const
    const cases = contents(name, model).flatMap(content =>
      ends.map(end => {
        const seen = Promise.withResolvers<boolean>()
        return { ...content, end, seen, isUnseen: isUnseen(name, model, content.kind) }
      }),
    )
    const before = await lastIds()
    play(model, async (turn, index) => {
      const { frames, end, seen, isUnseen } = cases[index]!
      const { opening, failure, otherFailures } = vendorStream(turn)
      const stream = beginStream(turn)
      stream.write(Buffer.from(opening.join('') + frames, 'latin1'))
      if (!isUnseen) await seen.promise
      if (end === 'a cut') return void turn.response.destroy()
      const last = { failure, 'another failure': otherFailures[0]!, 'a clean end': '' }[end]
      stream.end(Buffer.from(last, 'latin1'))
    })
    const received = await callAll(cases.length, async index => {
      const { seen } = cases[index]!
      return send(name, model, markOf(index), () => seen.resolve(true))
    })
    for (const [index, { frames, status }] of received.entries()) {
      const { kind, end, isUnseen } = cases[index]!
      const at = `${kind} and ${end}`
      if (isUnseen) {
        expectSecond({ frames, status }, at)
        continue
      }
      expect([at, status]).toEqual([at, 200])
      expect([at, isErrorOf(name, frames.at(-1)), frames.at(-1)]).toMatchObject([at, true, {}])
      expect(JSON.stringify(frames), at).not.toMatch(/second/)
    }
    const retried = hub.upstream.served.filter(each => each.channel === 'second')
    expect(retried.every(each => cases[indexIn(each)]!.isUnseen)).toBe(true)
    const charges = await chargesAfter(before)
    expect(charges).toHaveLength(cases.length)
    expect(charges.filter(each => each <= 0)).toEqual([])
  },
)
