import { beforeAll, expect, it } from 'vitest'
import { frame, lastCharge } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { openCall } from './callers.ts'

// Speech that is sold by tokens. The vendor makes 48,000 bytes of PCM a second, and counts 1,250 tokens a minute.

const hub = useRelayHub()
const isWhole = process.env.HUB_LEFT_CALLS === 'all'
const model = 'gpt-4o-mini-tts'
beforeAll(() => hub.addChannel(1, model))

const input = 'word '.repeat(200)
const promptTokens = 200
const chunkBytes = 24_000
const tokensPerChunk = 1_250 / 120
const chunksMax = 60
const places = isWhole ? Array.from({ length: chunksMax }, (_, at) => at + 1) : [1, 7, chunksMax]

type Format = { name: string; body: object; type: string; chunk(at: number): string | Buffer }

/** An MP3 of 64 kbit/s begins each frame with this header; half a second of it. */
const mp3 = Buffer.alloc(4_000)
mp3.set([0xff, 0xf3, 0x84, 0xc4])

const formats: Format[] = [
  {
    name: 'a stream of events',
    body: { stream_format: 'sse', response_format: 'pcm' },
    type: 'text/event-stream',
    chunk: at =>
      frame({
        type: 'speech.audio.delta',
        audio: Buffer.alloc(chunkBytes, at).toString('base64'),
      }),
  },
  {
    name: 'a file of PCM',
    body: { response_format: 'pcm' },
    type: 'audio/pcm',
    chunk: at => Buffer.alloc(chunkBytes, at),
  },
  {
    name: 'a file of WAV',
    body: { response_format: 'wav' },
    type: 'audio/wav',
    chunk: at => Buffer.alloc(chunkBytes, at),
  },
  { name: 'a file of MP3', body: {}, type: 'audio/mpeg', chunk: () => mp3 },
]

type Vendor = { chunks: number; rest?: string }

/** Leaves once the caller has so many chunks. */
const leave = (format: Format, { chunks, rest }: Vendor): Promise<void> =>
  new Promise((resolve, reject) => {
    const all = Array.from({ length: chunks + 1 }, (_, at) => format.chunk(at))
    const size = all.slice(0, chunks).reduce((sum, each) => sum + each.length, 0)
    const left = Promise.withResolvers<void>()
    hub.upstream.play(model, async ({ response }) => {
      response.writeHead(200, { 'content-type': format.type })
      response.once('close', resolve)
      // The gateway holds one chunk of a file back.
      const sent = format.type === 'text/event-stream' ? chunks : chunks + 1
      for (const each of all.slice(0, sent)) {
        response.write(each)
        // A chunk of the network for each.
        await new Promise(done => setImmediate(done))
      }
      await left.promise
      if (rest !== undefined) response.end(rest)
    })
    const call = { path: '/v1/audio/speech', body: { model, input, voice: 'a', ...format.body } }
    const caller = openCall(
      hub,
      { call },
      {
        onBytes: async seen => {
          if (seen < size) return
          ;(await caller).leave()
          setTimeout(left.resolve, 50)
        },
        onText: () => undefined,
        onEnd: () => reject(new Error('the answer ended')),
      },
    )
    caller.catch(reject)
  })

const sums = { charged: 0, vendor: 0 }

it.each(formats.flatMap(format => places.map(chunks => [format.name, chunks, format] as const)))(
  'SEC-1 %s is charged by the seconds that were forwarded, left after %i chunks',
  async (_, chunks, format) => {
    await leave(format, { chunks })
    const { usage, finish, estimated } = (await lastCharge(hub))!
    expect([finish, estimated]).toEqual(['caller-left', true])
    const forwarded = chunks * tokensPerChunk
    const audio = usage.audioOutput!
    expect(audio / forwarded).toBeGreaterThan(0.85)
    // A token more, because nobody is charged parts of one.
    expect((audio - 1) / forwarded).toBeLessThan(1.2)
    expect(usage.input! / promptTokens).toBeGreaterThan(0.85)
    expect(usage.input! / promptTokens).toBeLessThan(1.2)
    sums.charged += usage.input! + audio
    sums.vendor += promptTokens + forwarded
  },
)

it('SEC-1 the sum of these charges is that of the vendor', () => {
  const ratio = sums.charged / sums.vendor
  console.log(`I13 on speech: ${ratio.toFixed(3)} of the vendor’s counts`)
  expect(ratio).toBeGreaterThan(0.95)
  expect(ratio).toBeLessThan(1.1)
})

it.each(places)(
  'SEC-1 usage that is read on is charged by the share that was forwarded, left after %i chunks',
  async chunks => {
    const [format] = formats
    const later = Array.from({ length: chunksMax - chunks }, (_, at) => format!.chunk(at)).join('')
    const usage = { input_tokens: 210, output_tokens: 660, total_tokens: 870 }
    await leave(format!, { chunks, rest: later + frame({ type: 'speech.audio.done', usage }) })
    const charge = (await lastCharge(hub))!
    expect(charge).toMatchObject({ endRead: true, finish: 'caller-left', usage: { input: 210 } })
    const share = Math.ceil((660 * chunks) / chunksMax)
    expect(Math.abs(charge.usage.audioOutput! - share)).toBeLessThanOrEqual(1 + share * 0.06)
  },
)

it('SEC-1 a part of a speech never costs more than the whole', async () => {
  await leave(formats[1]!, { chunks: chunksMax * 4 })
  const bytes = Buffer.byteLength(input)
  expect((await lastCharge(hub))!.usage.audioOutput).toBe(Math.ceil(bytes * 1.5))
})
