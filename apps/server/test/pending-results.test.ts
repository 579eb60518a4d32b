import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { keepAlive } from '../../../test/harness/addresses/keep-alive.ts'
import { lastCharge, sendCall } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'

// Results that take longer than the vendor holds its answer: the gateway asks for them, as
// https://replicate.com/docs/reference/http#predictions.get describes.

const image = 'black-forest-labs/flux-dev'
const text = 'meta/meta-llama-3-70b-instruct'
const id = 'gm3qorzdhgbfurvjtvhg6dckhu'

/** The statuses of the prediction, one for each request; the last one stays. A number is a failure of the request. */
let states: (object | number)[] = []
const calls: string[] = []

const answer = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const vendor = createServer(keepAlive, async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const call = `${request.method} ${request.url}`
  if (request.headers.authorization !== 'Bearer vendor-key')
    return answer(response, 401, { title: 'Unauthenticated', status: 401 })
  calls.push(call)
  if (call === `POST /v1/predictions/${id}/cancel`)
    return answer(response, 200, { id, status: 'canceled' })
  const isCreated = /^POST \/v1\/models\/[\w-]+\/[\w.-]+\/predictions$/.test(call)
  if (!isCreated && call !== `GET /v1/predictions/${id}`)
    return answer(response, 404, { detail: 'Not found.', status: 404 })
  const state = (states.length > 1 ? states.shift() : states[0])!
  if (typeof state === 'number') return answer(response, state, { detail: 'Try later' })
  const input = isCreated ? JSON.parse(String(body)).input : {}
  answer(response, isCreated ? 201 : 200, { id, input, urls: {}, output: null, ...state })
})

const hub = useRelayHub()
let client: OpenAI
beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  await hub.addChannel(52, `${image},${text}`, { base_url: url })
  await hub.app.root.put('/api/option/', { key: 'RetryTimes', value: '0' })
  client = new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
})
afterAll(() => {
  vendor.closeAllConnections()
  vendor.close()
})
beforeEach(() => {
  calls.length = 0
})

const draw = () => client.images.generate({ model: image, prompt: 'a dot' })
const created = `POST /v1/models/${image}/predictions`
const polled = `GET /v1/predictions/${id}`

it('an image that takes longer is asked for until it is there, and charged once', async () => {
  const output = ['https://replicate.delivery/1.webp']
  states = [{ status: 'starting' }, { status: 'processing' }, 500, { status: 'succeeded', output }]
  expect((await draw()).data).toEqual([{ url: output[0] }])
  expect(calls).toEqual([created, polled, polled, polled])
  expect(await lastCharge(hub)).toMatchObject({ amount: 1_000, usage: { input: 1_000 } })
})

it('a text that takes longer is streamed to the caller when it is whole', async () => {
  const metrics = { input_token_count: 7, output_token_count: 2 }
  states = [
    { status: 'processing', output: ['half'] },
    { status: 'succeeded', output: ['half', ' and whole'], metrics },
  ]
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const stream = await client.chat.completions.create({ model: text, messages, stream: true })
  let seen = ''
  for await (const { choices } of stream) seen += choices[0]?.delta.content ?? ''
  expect(seen).toBe('half and whole')
  expect(await lastCharge(hub)).toMatchObject({ amount: 9, usage: { input: 7, output: 2 } })
})

it('a prediction that fails is an error, and free of charge', async () => {
  const before = await lastCharge(hub)
  states = [{ status: 'starting' }, { status: 'failed', error: 'NSFW content detected.' }]
  await expect(draw()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('NSFW content detected.'),
  })
  expect(await lastCharge(hub)).toEqual(before)
})

it('a prediction whose caller leaves is cancelled, and leaves no hold', async () => {
  states = [{ status: 'processing' }]
  const call = sendCall(hub, {
    path: '/v1/images/generations',
    body: { model: image, prompt: 'a dot' },
  })
  await expect.poll(() => calls, { interval: 10 }).toContain(polled)
  call.destroy()
  await expect.poll(() => calls, { interval: 10 }).toContain(`POST /v1/predictions/${id}/cancel`)
  await lastCharge(hub)
})
