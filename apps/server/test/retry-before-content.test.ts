import { afterEach, beforeAll, expect, it } from 'vitest'
import { isEnd, openSocket } from '../../../test/harness/sockets/client.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { route } from '../src/features/logs/route.ts'
import { beginStream, lastCharge } from './relay-calls.ts'
import { framesOf, type Json, useRelayHub } from './relay-hub.ts'
import { failings, namesIn, outputOf, vendorStream, wholeStream } from './vendors/openings.ts'

/** The long tests repeat every call. */
const rounds = Number(process.env.HUB_CONTENT_ROUNDS ?? 1)

const hub = useRelayHub()
const setOption = (key: string, value: unknown) =>
  hub.app.root.put('/api/option/', { key, value: String(value) })

/** The models are named after the vendor of their two channels, of which the first is asked first. */
const vendors = { openai: 1, claude: 14, gemini: 25 }

beforeAll(async () => {
  await setOption('PingSeconds', 0)
  for (const [model, type] of Object.entries(vendors))
    for (const [name, priority] of [
      ['first', 2],
      ['second', 1],
    ] as const)
      await hub.addChannel(type, model, { name, priority, base_url: `${hub.upstream.url}/${name}` })
})
afterEach(() => hub.upstream.forget())

const input = [{ role: 'user', content: 'hi' }]
type Call = (model: string) => { path: string; body: object }
const calls: Record<string, Call> = {
  chat: model => ({
    path: '/v1/chat/completions',
    body: { model, messages: input, stream: true, stream_options: { include_usage: true } },
  }),
  completions: model => ({
    path: '/v1/completions',
    body: { model, prompt: 'hi', stream: true, stream_options: { include_usage: true } },
  }),
  responses: model => ({ path: '/v1/responses', body: { model, input, stream: true } }),
  messages: model => ({
    path: '/v1/messages',
    body: { model, max_tokens: 99, messages: input, stream: true },
  }),
  gemini: model => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
}

type Received = { frames: Json[]; status: number }
const post = async (name: string, model: string): Promise<Received> => {
  const { path, body } = calls[name]!(model)
  const response = await hub.post(path, body)
  const text = await response.text()
  return { frames: framesOf(text), status: response.status }
}
const overSocket = async (_name: string, model: string): Promise<Received> => {
  const headers = { authorization: `Bearer ${hub.key}` }
  const client = await openSocket(`${hub.url}/v1/responses`, headers)
  client.send({ type: 'response.create', store: false, model, input })
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

const play = (model: string, first: (turn: Turn) => unknown, second = answerWhole) =>
  hub.upstream.play(model, async turn => {
    await (turn.served.channel === 'first' ? first(turn) : second(turn))
  })
const answerWhole = (turn: Turn): void => void beginStream(turn).end(wholeStream(turn))

/** The route of the last call. The admin API would refuse as many requests as the long test makes. */
const lastRoute = async () => {
  const { app } = hub.app
  const { id } = await app.db
    .selectFrom('logs')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return route(app, id)
}
const chargeCount = async () => {
  const { db } = hub.app.app
  return (await db.selectFrom('transfers').select('id').where('kind', '=', 'request').execute())
    .length
}

/** The answer of the second channel alone, charged once, and both attempts in the log row. */
const expectSecond = async ({ frames, status }: Received, before: number, at: string) => {
  expect([status, outputOf(frames)], at).toEqual([200, 'from second'])
  const { ids, models } = namesIn(frames)
  expect([ids.length, models.length], at).toEqual([Math.min(ids.length, 1), 1])
  expect(JSON.stringify(frames), at).not.toMatch(/first/)
  expect(await lastCharge(hub), at).toMatchObject({ amount: 10 })
  expect(await chargeCount(), at).toBe(before + 1)
  const { attempts, served } = await lastRoute()
  expect(attempts, at).toMatchObject([{ channel: 'first' }])
  expect(served, at).toMatchObject({ channel: 'second' })
}

it.each(all)(
  'the second channel answers a call of %s to %s over %s wherever the first fails before its content',
  async (name, model, _transport, send) => {
    let opening = 0
    play(model, turn => {
      opening = vendorStream(turn).opening.length
      answerWhole(turn)
    })
    await send(name, model)
    let before = await chargeCount()
    for (let round = 0; round < rounds; round++)
      for (const [how, fail] of Object.entries(failings))
        for (let frames = 0; frames <= opening; frames++) {
          const at = `${how} after ${frames} frames`
          play(model, turn => fail(turn, frames))
          await expectSecond(await send(name, model), before++, at)
        }
  },
)

it.each(all)(
  'the second channel answers a call of %s to %s over %s if the first breaks next to its headers',
  async (name, model, _transport, send) => {
    let before = await chargeCount()
    play(model, ({ response }) => response.destroy())
    await expectSecond(await send(name, model), before++, 'before the headers')
    play(model, turn => {
      beginStream(turn).flushHeaders()
      setTimeout(() => turn.response.destroy(), 5)
    })
    await expectSecond(await send(name, model), before, 'after the headers')
  },
)

it.each(all)(
  'a failure after the first content of %s to %s over %s is an error event, and no second channel is asked',
  async (name, model, _transport, send) => {
    for (const end of ['failure', 'cut']) {
      hub.upstream.forget()
      play(model, async turn => {
        const { opening, output, failure } = vendorStream(turn)
        const stream = beginStream(turn)
        stream.write(opening.join('') + output)
        await new Promise(resolve => setTimeout(resolve, 30))
        if (end === 'failure') stream.end(failure)
        else stream.destroy()
      })
      const { frames } = await send(name, model)
      expect(outputOf(frames), end).toBe('from first')
      expect(JSON.stringify(frames.at(-1)), end).toMatch(/error|failed/)
      expect(
        hub.upstream.served.map(each => each.channel),
        end,
      ).toEqual(['first'])
      await lastCharge(hub)
    }
  },
)
