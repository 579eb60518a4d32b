import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSocket, type SocketClient } from '../../../../test/harness/sockets/client.ts'
import { type LiveVendor, startLiveVendor } from '../../../../test/harness/sockets/live-vendor.ts'
import {
  type RealtimeVendor,
  startRealtimeVendor,
} from '../../../../test/harness/sockets/realtime-vendor.ts'
import { lastCharge } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'

// Turns of realtime sessions whose caller leaves at every event. The vendors count a token for each piece of text.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const piecesMax = 40
const places = isWhole ? Array.from({ length: piecesMax + 1 }, (_, at) => at) : [0, 1, 17]
const promptTokens = 100
/** Four characters are a token, and a message has a few more. */
const prompt = 'the cat and dog '.repeat(24)

let openai: RealtimeVendor
let google: LiveVendor
let otherKey = ''
beforeAll(async () => {
  openai = await startRealtimeVendor()
  google = await startLiveVendor()
  await hub.addChannel(1, 'gpt-realtime,gpt-realtime-plain', { base_url: openai.url })
  await hub.addChannel(25, 'gemini-live,gemini-live-plain', { base_url: google.url })
  const user = await hub.app.person()
  await hub.app.root.post(`/api/user/quota/${user.id}`, { quota: 100_000_000, remark: 'test' })
  const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
  otherKey = `sk-${data.key.replace(/^sk-/, '')}`
})
afterAll(async () => {
  await openai?.close()
  await google?.close()
})

type Vendor = {
  pieces: number
  /** Output and reasoning that the vendor reports; absent: it falls silent. */
  reported?: { output: number; reasoning: number }
}

type Format = {
  name: string
  model: string
  /** Opens a session, and asks for a response. */
  ask(model: string, key: string): Promise<SocketClient>
  /** The vendor sends the beginning, so many pieces, and the end once the caller has left or has all of them. */
  play(vendor: Vendor, until: Promise<void>): void
  isPiece(event: unknown): boolean
  isBegun(event: unknown): boolean
  isDone(event: unknown): boolean
}

type Json = Record<string, never>
const piece = 'aaa '

const realtime: Format = {
  ...{ name: 'OpenAI', model: 'gpt-realtime' },
  ask: async (model, key) => {
    const headers = { authorization: `Bearer ${key}` }
    const client = await openSocket(`${hub.url}/v1/realtime?model=${model}`, headers)
    const content = [{ type: 'input_text', text: prompt }]
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content },
    })
    client.send({ type: 'response.create' })
    return client
  },
  play: ({ pieces, reported }, until) => {
    openai.onCreate = async ({ send }, n) => {
      const id = `resp_${n}`
      send({ type: 'response.created', response: { id } })
      for (let at = 0; at < pieces; at += 1)
        send({ type: 'response.output_text.delta', response_id: id, delta: piece })
      await until
      if (!reported) return
      const { output, reasoning } = reported
      const usage = {
        ...{ input_tokens: promptTokens, output_tokens: output + reasoning },
        output_token_details: { text_tokens: output, reasoning_tokens: reasoning },
      }
      send({ type: 'response.done', response: { id, status: 'completed', usage } })
    }
  },
  isPiece: event => (event as Json).type === 'response.output_text.delta',
  isBegun: event => (event as Json).type === 'response.created',
  isDone: event => (event as Json).type === 'response.done',
}

const contentOf = (event: unknown) => (event as { serverContent?: Json }).serverContent

const live: Format = {
  ...{ name: 'Gemini Live', model: 'gemini-live' },
  ask: async (model, key) => {
    const service = 'google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
    const client = await openSocket(`${hub.url}/ws/${service}`, { authorization: `Bearer ${key}` })
    client.send({ setup: { model: `models/${model}` } })
    await client.next(each => 'setupComplete' in each)
    client.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: prompt }] }] } })
    return client
  },
  play: ({ pieces, reported }, until) => {
    google.onMessage = async ({ send }) => {
      const say = (text: string) => send({ serverContent: { modelTurn: { parts: [{ text }] } } })
      say('')
      for (let at = 0; at < pieces; at += 1) say(piece)
      await until
      if (!reported) return
      send({
        serverContent: { turnComplete: true },
        usageMetadata: {
          ...{ promptTokenCount: promptTokens, responseTokenCount: reported.output },
          thoughtsTokenCount: reported.reasoning,
        },
      })
    }
  },
  isPiece: event => JSON.stringify(contentOf(event)?.modelTurn ?? '').includes(piece),
  isBegun: event => contentOf(event)?.modelTurn !== undefined,
  isDone: event => contentOf(event)?.turnComplete === true,
}

const formats = [realtime, live]
const cases = formats.flatMap(format =>
  places.map(pieces => [format.name, pieces, format] as const),
)

const leave = async (format: Format, model: string, vendor: Vendor): Promise<void> => {
  const left = Promise.withResolvers<void>()
  format.play(vendor, left.promise)
  const client = await format.ask(model, hub.key)
  if (vendor.pieces === 0) await client.next(format.isBegun)
  for (let at = 0; at < vendor.pieces; at += 1) await client.next(format.isPiece)
  client.socket.terminate()
  // The vendor goes on once the gateway has seen that the caller left.
  setTimeout(left.resolve, 50)
  await client.closed
}

/** A response that its caller reads to the end. */
const complete = async (format: Format, reasoning: number, key: string): Promise<void> => {
  format.play({ pieces: piecesMax, reported: { output: piecesMax, reasoning } }, Promise.resolve())
  const client = await format.ask(format.model, key)
  await client.next(format.isDone)
  client.socket.close()
  await client.closed
}

it.each(cases)(
  'SEC-1 usage that a realtime vendor still reports is charged exactly: %s, left after %i pieces',
  async (_, pieces, format) => {
    await leave(format, `${format.model}-plain`, {
      pieces,
      reported: { output: pieces, reasoning: 70 },
    })
    expect(await lastCharge(hub)).toMatchObject({
      amount: promptTokens + pieces + 70,
      ...{ finish: 'caller-left', estimated: false },
    })
  },
)

const sums = { charged: 0, vendor: 0 }
it.each(cases)(
  'SEC-1 a realtime response that hides nothing costs its prompt and what was forwarded: %s, left after %i pieces',
  { timeout: 10_000 },
  async (_, pieces, format) => {
    await leave(format, `${format.model}-plain`, { pieces })
    const charge = (await lastCharge(hub))!
    expect(charge.finish).toBe('caller-left')
    const ratio = charge.amount / (promptTokens + pieces)
    expect(ratio).toBeGreaterThan(0.85)
    expect(ratio).toBeLessThan(1.2)
    sums.charged += charge.amount
    sums.vendor += promptTokens + pieces
  },
)

it('SEC-1 the sum of these responses is that of the vendors', () => {
  const ratio = sums.charged / sums.vendor
  console.log(`I13 on realtime responses: ${ratio.toFixed(3)} of the vendors’ counts`)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})

it.each(formats.map(format => [format.name, format] as const))(
  'SEC-1 hidden reasoning of a realtime response is that of other users, whatever the caller did before: %s',
  { timeout: 30_000 },
  async (_, format) => {
    for (const reasoning of [300, 400, 500]) await complete(format, reasoning, otherKey)
    for (let call = 0; call < 10; call += 1) await complete(format, 1, hub.key)
    await leave(format, format.model, { pieces: 5 })
    expect(await lastCharge(hub)).toMatchObject({
      usage: { output: 5, reasoning: 400 },
      ...{ estimated: true, estimatedReasoning: 400, finish: 'caller-left' },
    })
  },
)
