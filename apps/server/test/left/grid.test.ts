import { beforeAll, expect, it } from 'vitest'
import { beginStream, lastCharge, type RelayCall, sendCall } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type LeftStream, leftStreams } from './streams.ts'

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
  for (const { type, model } of leftStreams) await hub.addChannel(type, model)
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

/** Leaves a call once the caller has so many pieces of it. Resolves when the vendor's connection is closed. */
const leave = (stream: LeftStream, fields: object, { pieces, rest }: Vendor): Promise<void> =>
  new Promise((resolve, reject) => {
    hub.upstream.play(stream.model, async turn => {
      beginStream(turn)
      turn.response.once('close', resolve)
      turn.response.write(stream.opening)
      for (let at = 0; at < pieces; at += 1) turn.response.write(stream.piece(pieceOf(at)))
      await left
      if (rest !== undefined) turn.response.end(rest)
    })
    let hasLeft = () => {}
    const left = new Promise<void>(done => {
      hasLeft = done
    })
    const sent = sendCall(hub, withFields(stream, fields))
    sent.on('response', response => {
      let seen = ''
      response.on('error', () => undefined)
      response.on('data', chunk => {
        seen += chunk
        const isThere = pieces === 0 || seen.includes(pieceOf(pieces - 1))
        if (!isThere || countPieces(seen) < pieces) return
        sent.destroy()
        // The vendor goes on once the gateway has seen that the caller left.
        setTimeout(hasLeft, 50)
      })
      response.on('end', () => reject(new Error(`the answer ended: ${seen}`)))
    })
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
      amount: 10 + pieces + 9_000,
      usage: { input: 10, reasoning: 9_000 },
      ...{ endRead: true, finish: 'caller-left' },
    })
  },
)

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
  },
)

/** A call that its caller reads to the end, with so much hidden reasoning. */
const complete = async (stream: LeftStream, reasoning: number, key: string) => {
  hub.upstream.play(stream.model, turn => {
    beginStream(turn)
    turn.response.end(stream.opening + endingFrom(stream, 0, reasoning))
  })
  const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key }
  const answer = await hub.post(stream.call.path, stream.call.body, headers)
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
    beginStream(turn)
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
    bill += 10 + pieces + hidden()
    beginStream(turn)
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
