import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import { pollBackgroundCalls } from '../../src/relay/background/poll-background.ts'
import { frame, lastCharge } from '../relay-calls.ts'
import { type Json, useRelayHub } from '../relay-hub.ts'
import { openCall } from './callers.ts'

// Responses in the background, whose vendor makes them to the end: their callers leave at every event of the stream.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const piecesMax = 20
const places = isWhole ? Array.from({ length: piecesMax + 1 }, (_, at) => at) : [0, 3, piecesMax]
const promptTokens = 7
const model = 'behind'
/** Sets the stream of the vendor for the next call, and its answer to polls. */
const vendor = {
  ...{ stream: '', isOver: false, status: 200, stored: {} as object },
  onPoll: async () => undefined as unknown,
}
const server = createServer(keepAlive, async (request, response) => {
  await request.toArray()
  if (request.method === 'GET') {
    await vendor.onPoll()
    response.writeHead(vendor.status, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify(vendor.stored))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(vendor.stream)
  if (vendor.isOver) response.end()
})
let otherKey = ''
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await hub.addChannel(1, model, { base_url })
  const user = await hub.app.person()
  await hub.app.root.post(`/api/user/quota/${user.id}`, { quota: 100_000_000, remark: 'test' })
  const { data } = (await user.post('/api/token/', { name: 't', unlimited_quota: true })).body
  otherKey = `sk-${data.key.replace(/^sk-/, '')}`
})

const usageOf = (reasoning: number) => ({
  ...{ input_tokens: promptTokens, output_tokens: piecesMax + reasoning },
  output_tokens_details: { reasoning_tokens: reasoning },
})
const text = 'aaa '.repeat(piecesMax)
const output = [
  { type: 'message', id: 'i', role: 'assistant', content: [{ type: 'output_text', text }] },
]
const responseOf = (id: string, status: string, more: object = {}) => ({
  ...{ id, object: 'response', status, background: true, output: [] },
  ...more,
})
const piece = frame({
  ...{ type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0 },
  delta: 'aaa ',
})

let calls = 0
const body = { model, input: 'hi', background: true, stream: true, store: true }

/** Leaves after so many pieces. The vendor's answer to a poll is then that response. */
const leave = async (pieces: number, end: (id: string) => object): Promise<void> => {
  calls += 1
  const id = `resp_behind_${calls}`
  const created = { type: 'response.created', response: responseOf(id, 'queued') }
  Object.assign(vendor, { stream: frame(created) + piece.repeat(pieces), isOver: false })
  const { promise: seen, resolve, reject } = Promise.withResolvers<void>()
  const caller = await openCall(
    hub,
    { call: { path: '/v1/responses', body } },
    {
      onText: so => {
        if (so.includes(id) && so.split('"aaa "').length > pieces) resolve()
      },
      onEnd: so => reject(new Error(`the answer ended: ${so}`)),
    },
  )
  await seen
  Object.assign(vendor, { status: 200, stored: end(id) })
  caller.leave()
  const { db } = hub.app.app
  const read = () => db.selectFrom('background_calls').select('read_tokens').executeTakeFirst()
  if (pieces > 0) await expect.poll(read, { interval: 5 }).toEqual({ read_tokens: pieces })
  hub.app.clock.now += 60_000
  await pollBackgroundCalls(hub.app.app)
}

it.each(places)(
  'SEC-1 a response in the background is charged as its vendor counts it, left after %i pieces',
  async pieces => {
    await leave(pieces, id => responseOf(id, 'completed', { output, usage: usageOf(500) }))
    expect(await lastCharge(hub)).toMatchObject({
      amount: promptTokens + piecesMax + 500,
      ...{ estimated: false },
    })
  },
)

/** A stream that its caller reads to the end. */
const complete = async (reasoning: number, key: string): Promise<void> => {
  calls += 1
  const id = `resp_behind_${calls}`
  const response = responseOf(id, 'completed', { output, usage: usageOf(reasoning) })
  const stream =
    frame({ type: 'response.created', response: responseOf(id, 'queued') }) +
    piece.repeat(piecesMax) +
    frame({ type: 'response.completed', response })
  Object.assign(vendor, { stream, isOver: true })
  const fields = { ...body, background: false, store: false }
  const answer = await hub.post('/v1/responses', fields, { authorization: `Bearer ${key}` })
  await answer.text()
}

it.each(['completed', 'incomplete', 'cancelled'])(
  'SEC-1 a response in the background that ends as %s without usage is charged its output and the reasoning of other users',
  async status => {
    for (const reasoning of [300, 400, 500]) await complete(reasoning, otherKey)
    for (let call = 0; call < 10; call += 1) await complete(1, hub.key)
    await leave(3, id => responseOf(id, status, { output }))
    const charge = (await lastCharge(hub)) as Json
    expect(charge).toMatchObject({ estimated: true, estimatedReasoning: 400 })
    expect(charge.usage).toMatchObject({ reasoning: 400, output: piecesMax })
    expect(charge.usage.input).toBeGreaterThan(0)
  },
)

it('an image of a response in the background is charged by its quality and size', async () => {
  const image = { type: 'image_generation_call', id: 'ig', quality: 'high', size: '1024x1024' }
  await leave(0, id =>
    responseOf(id, 'completed', { output: [...output, image, image], usage: usageOf(0) }),
  )
  expect(await lastCharge(hub)).toMatchObject({
    amount: promptTokens + piecesMax + 2 * 83_500,
    usage: { tools: { 'image_generation:high-1024x1024': 2 } },
  })
})

it('SEC-1 a vendor that fails sells no reasoning', async () => {
  await leave(3, id => responseOf(id, 'failed'))
  const charge = (await lastCharge(hub)) as Json
  expect(charge.usage).toMatchObject({ output: 3 })
  expect(charge.usage.reasoning).toBeUndefined()
})

it('SEC-1 output that is read while its vendor is asked is charged', async () => {
  const { db } = hub.app.app
  vendor.onPoll = () => db.updateTable('background_calls').set({ read_tokens: 9 }).execute()
  await leave(0, id => responseOf(id, 'failed'))
  vendor.onPoll = async () => undefined
  const charge = (await lastCharge(hub)) as Json
  expect(charge.usage).toMatchObject({ output: 9 })
})

it('SEC-1 a response that its vendor has lost is charged what was read of it, and the reasoning', async () => {
  await leave(3, () => ({}))
  Object.assign(vendor, { status: 404, stored: { error: { message: 'no such response' } } })
  hub.app.clock.now += 3_600_000
  await pollBackgroundCalls(hub.app.app)
  const charge = (await lastCharge(hub)) as Json
  expect(charge.usage).toMatchObject({ output: 3, reasoning: 400 })
})
