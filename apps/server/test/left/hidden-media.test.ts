import { afterAll, beforeAll, expect, it } from 'vitest'
import { frame, lastCharge } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type FormVendor, startFormVendor } from '../vendors/form-vendor.ts'

// Transcriptions, images and speech whose callers leave at random, and whose vendor hides its usage. The fake bills by a
// meter of its own, from the vendor's pages: 1,000 audio tokens for a minute that is heard and 1,250 for one that is spoken
// (https://developers.openai.com/api/docs/pricing: $0.006 at $6, $0.015 at $12 per million), and the tokens of an image by
// quality and size, with 100 for each partial one (https://developers.openai.com/api/docs/guides/image-generation).

const hub = useRelayHub()
const count = process.env.HUB_LEFT_CALLS === 'all' ? 1_000 : 24
let vendor: FormVendor
beforeAll(async () => {
  vendor = await startFormVendor(() => undefined)
  const models = 'gpt-4o-transcribe,gpt-image-1,gpt-4o-mini-tts'
  await hub.addChannel(1, models, { base_url: vendor.url })
})
afterAll(() => vendor?.close())

// A sequence of its own, so that each run is the same.
let seed = 11
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}
const randomOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!

type Call = {
  path: string
  body: string | FormData
  type?: string
  /** Everything that the vendor sends before its usage, and its bill. */
  pieces: readonly (string | Buffer)[]
  answerType: string
  bill: number
}

const events = 'text/event-stream'
const listOf = <T>(length: number, make: (at: number) => T) =>
  Array.from({ length }, (_, at) => make(at))

/** Files as they are usually recorded: kilobits a second of each type. */
const recordings = [
  ['mp3', [64, 96, 128]],
  ['wav', [256]],
  ['m4a', [64, 96, 128]],
  ['ogg', [24, 32, 48]],
  ['webm', [24, 32, 48]],
] as const

const transcription = (): Call => {
  const [extension, rates] = randomOf(recordings)
  const seconds = 5 + Math.floor(random() * 60)
  const form = new FormData()
  form.append('model', 'gpt-4o-transcribe')
  form.append('stream', 'true')
  const size = seconds * randomOf(rates) * 125
  form.append('file', new Blob([new Uint8Array(size)]), `speech.${extension}`)
  const words = 1 + Math.floor(random() * 40)
  return {
    ...{ path: '/v1/audio/transcriptions', body: form, answerType: events },
    pieces: listOf(words, () => frame({ type: 'transcript.text.delta', delta: 'aaa ' })),
    bill: (seconds * 1_000) / 60 + words,
  }
}

const imageTokens = {
  low: [272, 408, 400],
  medium: [1_056, 1_584, 1_568],
  high: [4_160, 6_240, 6_208],
} as const
const sizes = ['1024x1024', '1024x1536', '1536x1024'] as const

const image = (): Call => {
  const quality = randomOf(['low', 'medium', 'high'] as const)
  const at = Math.floor(random() * sizes.length)
  const partial_images = 1 + Math.floor(random() * 3)
  const words = 10 + Math.floor(random() * 100)
  const fields = { model: 'gpt-image-1', stream: true, quality, size: sizes[at], partial_images }
  const sent = 1 + Math.floor(random() * partial_images)
  return {
    ...{ path: '/v1/images/generations', type: 'application/json', answerType: events },
    body: JSON.stringify({ ...fields, prompt: 'cat '.repeat(words) }),
    pieces: listOf(sent, partial_image_index =>
      frame({
        type: 'image_generation.partial_image',
        partial_image_index,
        b64_json: 'A'.repeat(400),
      }),
    ),
    bill: words + imageTokens[quality][at]! + 100 * partial_images,
  }
}

const halfSecond = 24_000
const speech = (): Call => {
  const words = 100 + Math.floor(random() * 200)
  const halves = 1 + Math.floor(random() * 40)
  const body = {
    model: 'gpt-4o-mini-tts',
    voice: 'a',
    response_format: 'pcm',
    stream_format: 'sse',
  }
  const audio = Buffer.alloc(halfSecond, 1).toString('base64')
  return {
    ...{ path: '/v1/audio/speech', type: 'application/json', answerType: events },
    body: JSON.stringify({ ...body, input: 'word '.repeat(words) }),
    pieces: listOf(halves, () => frame({ type: 'speech.audio.delta', audio })),
    bill: words + (halves * 1_250) / 120,
  }
}

const kinds = { transcription, image, speech }
type Kind = keyof typeof kinds

/** Leaves once the caller has everything; the vendor never sends its usage. */
const leave = async ({ path, body, type, pieces, answerType }: Call, key = hub.key) => {
  const closed = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const all = Buffer.concat(pieces.map(each => Buffer.from(each)))
  vendor.answer = ({ response }) => {
    response.once('close', closed.resolve)
    response.writeHead(200, { 'content-type': answerType })
    response.write(all)
    // The connection ends later, so that nobody waits for a usage that does not come.
    void left.promise.then(() => setTimeout(() => response.destroy(), 300))
  }
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) }
  const url = `${hub.url}${path}`
  const reader = (
    await fetch(url, { method: 'POST', body, headers, signal: leaving.signal })
  ).body!.getReader()
  let size = 0
  while (size < all.length) {
    const { value, done } = await reader.read()
    if (done) throw new Error('the answer ended')
    size += value.length
  }
  leaving.abort()
  left.resolve()
  await closed.promise
  return (await lastCharge(hub))!
}

/** A call of the same model that its caller reads to the end, with a report that says almost nothing. */
const complete = async (kind: Kind) => {
  const { path, body, type, pieces, answerType } = kinds[kind]()
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const lasts = {
    transcription: {
      type: 'transcript.text.done',
      text: 'aaa',
      usage: { type: 'tokens', ...usage },
    },
    image: { type: 'image_generation.completed', b64_json: 'AAAA', usage },
    speech: { type: 'speech.audio.done', usage },
  }
  vendor.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': answerType })
    response.end(pieces.join('') + frame(lasts[kind]))
  }
  const headers = { authorization: `Bearer ${hub.key}`, ...(type && { 'content-type': type }) }
  await (await fetch(`${hub.url}${path}`, { method: 'POST', body, headers })).text()
  await lastCharge(hub)
}

const names = Object.keys(kinds) as Kind[]
it.each(names)(
  'SEC-1 random leaves without usage are charged what the vendor bills: %s',
  { timeout: 600_000 },
  async kind => {
    let [charged, bill] = [0, 0]
    for (let call = 0; call < count / 3; call += 1) {
      const made = kinds[kind]()
      const { amount, finish, estimated } = await leave(made)
      expect([finish, estimated]).toEqual(['caller-left', true])
      expect(amount).toBeGreaterThan(0)
      charged += amount
      bill += made.bill
    }
    const ratio = charged / bill
    console.log(`I13 on ${kind} without usage: ${ratio.toFixed(3)} of the vendor’s bill`)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.3)
  },
)

it.each(names)(
  'SEC-1 the charge of a leave without usage does not depend on earlier calls: %s',
  { timeout: 60_000 },
  async kind => {
    const before = seed
    const first = await leave(kinds[kind]())
    for (let call = 0; call < 8; call += 1) await complete(kind)
    seed = before
    expect((await leave(kinds[kind]())).amount).toBe(first.amount)
  },
)
