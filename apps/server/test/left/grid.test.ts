import { beforeAll, expect, it } from 'vitest'
import type { Turn } from '../../../../test/upstream/turn.ts'
import { lastCharge, type RelayCall, sendCall } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { firstByte, openCall } from './callers.ts'
import { type LeftStream, leftStreams, promptTokens } from './streams.ts'

// Callers that leave at every event of a stream. The vendor has a meter of its own: a token for each piece.

const hub = useRelayHub()
/** The long tests try every event, others a sample. */
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const piecesMax = 100
const pieceOf = (n: number) => `${String.fromCharCode(97 + (n % 26)).repeat(3)} `
const places = isWhole
  ? Array.from({ length: piecesMax + 1 }, (_, at) => at)
  : [0, 1, 37, piecesMax]

let otherKey = ''
beforeAll(async () => {
  for (const { type, model, channel } of leftStreams) await hub.addChannel(type, model, channel)
  const user = await hub.app.person()
  await hub.app.root.post(`/api/user/quota/${user.id}`, { quota: 100_000_000, remark: 'test' })
  const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
  otherKey = `sk-${data.key.replace(/^sk-/, '')}`
})

const withFields = ({ call }: LeftStream, fields: object): RelayCall => ({
  ...call,
  body: { ...call.body, ...fields },
  headers: { 'x-goog-api-key': hub.key },
})

type Vendor = {
  /** Pieces before the caller leaves. */
  pieces: number
  /** The vendor sends this once the caller has left; undefined: nothing. */
  rest?: string | undefined
}

const contentType = ({ encode }: LeftStream) =>
  encode ? 'application/vnd.amazon.eventstream' : 'text/event-stream'

const beginStream = (stream: LeftStream, { response }: Turn) =>
  response.writeHead(200, { 'content-type': contentType(stream) })

const bytesOf = async ({ encode }: LeftStream, text: string): Promise<Buffer> =>
  encode ? encode(text) : Buffer.from(text)

/** Leaves a call once the caller has so many pieces of it. Resolves when the vendor's connection is closed. */
const leave = (stream: LeftStream, fields: object, { pieces, rest }: Vendor): Promise<void> =>
  new Promise((resolve, reject) => {
    const left = Promise.withResolvers<void>()
    const leaveNow = async () => {
      const { leave } = await caller
      leave()
      // The vendor goes on once the gateway has seen that the caller left.
      setTimeout(left.resolve, 50)
    }
    hub.upstream.play(stream.model, async turn => {
      beginStream(stream, turn)
      turn.response.once('close', resolve)
      const words = Array.from({ length: pieces }, (_, at) => stream.piece(pieceOf(at)))
      turn.response.write(await bytesOf(stream, stream.opening + words.join('')))
      // The opening may hold nothing for this caller.
      if (pieces === 0) await firstByte(hub).then(leaveNow)
      await left.promise
      if (rest !== undefined) turn.response.end(await bytesOf(stream, rest))
    })
    const caller = openCall(
      hub,
      { ...stream, call: withFields(stream, fields) },
      {
        onText: seen => {
          if (pieces > 0 && countPieces(seen) >= pieces) void leaveNow()
        },
        onEnd: seen => reject(new Error(`the answer ended: ${seen}`)),
      },
    )
    caller.catch(reject)
  })

const countPieces = (seen: string) => seen.match(/([a-z])\1\1 "/g)?.length ?? 0

const endingFrom = ({ piece, ending }: LeftStream, from: number, reasoning: number) => {
  const words = Array.from({ length: piecesMax - from }, (_, at) => piece(pieceOf(from + at)))
  return words.join('') + ending(piecesMax, reasoning)
}

it.each(
  leftStreams.flatMap(stream => places.map(pieces => [stream.name, pieces, stream] as const)),
)(
  'SEC-1 usage that is read on is charged without the output for nobody: %s, left after %i pieces',
  async (_, pieces, stream) => {
    await leave(stream, {}, { pieces, rest: endingFrom(stream, pieces, 9_000) })
    expect(await lastCharge(hub)).toMatchObject({
      amount: promptTokens + pieces + 9_000,
      usage: { input: promptTokens, ...(stream.reportsReasoning && { reasoning: 9_000 }) },
      ...{ endRead: true, finish: 'caller-left' },
    })
  },
)

/** Prompt and output of all calls below, as they were charged and as the vendor counts them. */
const sums = { calls: 0, charged: 0, vendor: 0 }

it.each(
  leftStreams.flatMap(stream => places.map(pieces => [stream.name, pieces, stream] as const)),
)(
  'SEC-1 where nothing can be hidden, prompt and forwarded output are charged: %s, left after %i pieces',
  async (_, pieces, stream) => {
    const startedAt = performance.now()
    await leave(stream, stream.off, { pieces })
    expect(performance.now() - startedAt).toBeLessThan(1_900)
    const { usage, finish } = (await lastCharge(hub))!
    expect(finish).toBe('caller-left')
    expect(usage.reasoning).toBeUndefined()
    expect(usage.input).toBeGreaterThan(0)
    expect(usage.output ?? 0).toBeGreaterThanOrEqual(pieces * 0.85)
    expect(usage.output ?? 0).toBeLessThanOrEqual(pieces * 1.2)
    const charged = usage.input! + (usage.output ?? 0)
    expect(charged / (promptTokens + pieces)).toBeGreaterThan(0.85)
    expect(charged / (promptTokens + pieces)).toBeLessThan(1.2)
    sums.calls += 1
    sums.charged += charged
    sums.vendor += promptTokens + pieces
  },
)

it('SEC-1 where nothing can be hidden, the sum of all these calls is that of the vendors', () => {
  const ratio = sums.charged / sums.vendor
  console.log(
    `I13 on ${sums.calls} leaves that hide nothing: ${ratio.toFixed(3)} of the vendors’ counts`,
  )
  expect(sums.calls).toBe(leftStreams.length * places.length)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})

/** A call that its caller reads to the end, with so much hidden reasoning. */
const complete = async (stream: LeftStream, reasoning: number, key: string) => {
  hub.upstream.play(stream.model, async turn => {
    beginStream(stream, turn)
    turn.response.end(await bytesOf(stream, stream.opening + endingFrom(stream, 0, reasoning)))
  })
  const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key }
  const { path, body } = stream.call
  const answer = await hub.post(
    path,
    { ...body, ...(stream.isSocket && { stream: true }) },
    headers,
  )
  expect(answer.status).toBe(200)
  await answer.text()
}

it.each(leftStreams.map(stream => [stream.name, stream] as const))(
  'SEC-1 hidden reasoning that nobody reports is that of other users, whatever the caller did before: %s',
  async (_, stream) => {
    for (const reasoning of [800, 1_000, 1_200]) await complete(stream, reasoning, otherKey)
    for (let call = 0; call < 16; call += 1) await complete(stream, 1, hub.key)
    await leave(stream, {}, { pieces: 5 })
    expect(await lastCharge(hub)).toMatchObject({
      usage: { output: 5, reasoning: 1_000 },
      ...{ estimated: true, estimatedReasoning: 1_000, finish: 'caller-left' },
    })
  },
)

it('SEC-1 the estimate is bounded by the model’s output rate and the time since the request was sent', async () => {
  const [stream] = leftStreams
  const slow = { ...stream!, model: 'grid-slow', call: { ...stream!.call } }
  slow.call.body = { ...slow.call.body, model: slow.model }
  await hub.addChannel(slow.type, slow.model)
  hub.upstream.play(slow.model, async turn => {
    beginStream(slow, turn)
    turn.response.write(slow.opening)
    await new Promise(resolve => setTimeout(resolve, 1_000))
    turn.response.end(endingFrom(slow, 0, 900))
  })
  const headers = { authorization: `Bearer ${otherKey}` }
  await (await hub.post(slow.call.path, slow.call.body, headers)).text()
  await leave(slow, {}, { pieces: 1 })
  const { usage } = (await lastCharge(hub))!
  // Less than 1,000 tokens a second, for far less than half a second.
  expect(usage.reasoning).toBeGreaterThan(0)
  expect(usage.reasoning).toBeLessThan(600)
})

it('SEC-1 the estimates of many random leaves sum up to the bill of the vendor', async () => {
  const [stream] = leftStreams
  const count = isWhole ? 1_000 : 60
  // A sequence of its own, so that each run is the same.
  let seed = 7
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const many = { ...stream!, model: 'grid-many', call: { ...stream!.call } }
  many.call.body = { ...many.call.body, model: many.model }
  await hub.addChannel(many.type, many.model)
  const hidden = () => 600 + Math.floor(random() * 800)
  for (let call = 0; call < 15; call += 1) await complete(many, hidden(), otherKey)
  let bill = 0
  hub.upstream.play(many.model, turn => {
    const pieces = 1 + Math.floor(random() * 50)
    bill += promptTokens + pieces + hidden()
    beginStream(many, turn)
    const words = Array.from({ length: pieces }, (_, at) => many.piece(pieceOf(at)))
    turn.response.write(many.opening + words.join('') + many.piece('END '))
  })
  const before = await totalCharged()
  const one = () =>
    new Promise<void>(resolve => {
      const sent = sendCall(hub, many.call)
      sent.on('response', response => {
        let seen = ''
        response.on('error', () => undefined)
        response.on('close', resolve)
        response.on('data', chunk => {
          seen += chunk
          if (seen.includes('END')) sent.destroy()
        })
      })
    })
  for (let call = 0; call < count; call += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - call) }, one))
  await lastCharge(hub)
  const charged = (await totalCharged()) - before
  console.log(
    `I13 on ${count} calls that hide reasoning: ${(charged / bill).toFixed(3)} of the bill`,
  )
  expect(charged / bill).toBeGreaterThan(0.7)
  expect(charged / bill).toBeLessThan(1.3)
})

const totalCharged = async (): Promise<number> => {
  const { db } = hub.app.app
  const rows = await db
    .selectFrom('transfers')
    .select('amount')
    .where('kind', '=', 'request')
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}
