import { afterAll, beforeAll, expect, it } from 'vitest'
import { frame, lastCharge } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type FormVendor, startFormVendor } from '../vendors/form-vendor.ts'

// Streams of transcriptions and of partial images, whose callers leave at every event.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const piecesMax = 20
let vendor: FormVendor
beforeAll(async () => {
  vendor = await startFormVendor(() => undefined)
  await hub.addChannel(1, 'gpt-4o-transcribe,gpt-image-1', { base_url: vendor.url })
})
afterAll(() => vendor?.close())

type Stream = {
  name: string
  send(signal: AbortSignal): Promise<Response>
  /** Every event but the last. */
  events: readonly string[]
  last: string
  /** Tokens that do not depend on where the caller leaves, and those of each event; both as the vendor counts them. */
  fixed: number
  each: number
}

const authorization = () => ({ authorization: `Bearer ${hub.key}` })

/** 120,000 bytes of MP3 are ten seconds as usually recorded, at 17 tokens. */
const transcription: Stream = {
  name: 'a transcription',
  send: signal => {
    const body = new FormData()
    body.append('model', 'gpt-4o-transcribe')
    body.append('stream', 'true')
    body.append('file', new Blob([new Uint8Array(120_000)]), 'speech.mp3')
    const url = `${hub.url}/v1/audio/transcriptions`
    return fetch(url, { method: 'POST', body, signal, headers: authorization() })
  },
  events: Array.from({ length: piecesMax }, () =>
    frame({ type: 'transcript.text.delta', delta: 'aaa ' }),
  ),
  last: frame({
    ...{ type: 'transcript.text.done', text: 'aaa '.repeat(piecesMax) },
    usage: {
      ...{ type: 'tokens', input_tokens: 170, output_tokens: piecesMax },
      ...{ total_tokens: 170 + piecesMax, input_token_details: { audio_tokens: 170 } },
    },
  }),
  ...{ fixed: 170, each: 1 },
}

/** An image of medium quality has 1,056 tokens, and 100 for each partial image that was asked for. */
const imageTokens = 1_056 + 3 * 100
const promptWords = 100
const image: Stream = {
  name: 'an image',
  send: signal =>
    fetch(`${hub.url}/v1/images/generations`, {
      ...{ method: 'POST', signal },
      headers: { ...authorization(), 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'gpt-image-1', stream: true, partial_images: 3 },
        ...{ size: '1024x1024', quality: 'medium', prompt: 'cat '.repeat(promptWords) },
      }),
    }),
  events: [0, 1, 2].map(partial_image_index =>
    frame({
      ...{ type: 'image_generation.partial_image', partial_image_index },
      b64_json: Buffer.alloc(3_000).toString('base64'),
    }),
  ),
  last: frame({
    ...{ type: 'image_generation.completed', b64_json: 'AAAA' },
    usage: {
      ...{ input_tokens: promptWords, output_tokens: imageTokens },
      input_tokens_details: { text_tokens: promptWords, image_tokens: 0 },
    },
  }),
  // The vendor makes an image as one.
  ...{ fixed: promptWords + imageTokens, each: 0 },
}

const streams = [transcription, image]
const cases = streams.flatMap(stream => {
  const { length } = stream.events
  const places = isWhole ? Array.from({ length }, (_, at) => at + 1) : [1, length]
  return places.map(at => [stream.name, at, stream] as const)
})

/** Leaves once the caller has so many events; `rest` follows. */
const leave = async (
  { send, events, last }: Stream,
  at: number,
  hasEnd: boolean,
): Promise<void> => {
  const left = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const sent = events.slice(0, at).join('')
  vendor.answer = async ({ response }) => {
    response.once('close', closed.resolve)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(sent)
    await left.promise
    if (hasEnd) response.end(events.slice(at).join('') + last)
  }
  const leaving = new AbortController()
  const reader = (await send(leaving.signal)).body!.getReader()
  let size = 0
  while (size < sent.length) {
    const { value, done } = await reader.read()
    if (done) throw new Error('the answer ended')
    size += value.length
  }
  leaving.abort()
  // The vendor goes on once the gateway has seen that the caller left.
  setTimeout(left.resolve, 50)
  await closed.promise
}

it.each(cases)(
  'SEC-1 usage that is read on is charged without the output for nobody: %s, left after %i events',
  async (_, at, stream) => {
    await leave(stream, at, true)
    const { amount, finish } = (await lastCharge(hub))!
    expect(finish).toBe('caller-left')
    expect(amount).toBe(stream.fixed + at * stream.each)
  },
)

const sums = { charged: 0, vendor: 0 }
it.each(cases)(
  'SEC-1 without usage the prompt and what was made are charged: %s, left after %i events',
  { timeout: 10_000 },
  async (_, at, stream) => {
    await leave(stream, at, false)
    const { amount, finish, estimated } = (await lastCharge(hub))!
    expect([finish, estimated]).toEqual(['caller-left', true])
    const bill = stream.fixed + at * stream.each
    expect(amount / bill).toBeGreaterThan(0.85)
    expect(amount / bill).toBeLessThan(1.2)
    sums.charged += amount
    sums.vendor += bill
  },
)

it('SEC-1 the sum of these charges is that of the vendors', () => {
  const ratio = sums.charged / sums.vendor
  console.log(`I13 on streams of events: ${ratio.toFixed(3)} of the vendors’ counts`)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})
