import { createReadStream, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'
import { makeTempFolder } from './temp-folder.ts'
import { serveAudio } from './vendors/audio-vendor.ts'
import { type FormVendor, startFormVendor } from './vendors/form-vendor.ts'

const hub = useRelayHub()
let vendor: FormVendor
let client: OpenAI

beforeAll(async () => {
  vendor = await startFormVendor(serveAudio)
  const models = 'whisper-1,gpt-4o-transcribe,mine'
  const model_mapping = JSON.stringify({ mine: 'gpt-4o-transcribe' })
  await hub.addChannel(1, models, { base_url: vendor.url, model_mapping })
  client = new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
})
afterAll(() => vendor?.close())
afterEach(() => {
  vendor.answer = undefined
  vendor.calls.length = 0
})

/** A file of the disk, which the client reads as a stream. */
const audio = (name = 'speech.mp3', size = 5_000, fill = 'x') => {
  const path = join(makeTempFolder(), name)
  writeFileSync(path, Buffer.alloc(size, fill))
  return createReadStream(path)
}

const spoolsOpen = () =>
  readdirSync('/proc/self/fd').filter(each => {
    try {
      return readlinkSync(`/proc/self/fd/${each}`).startsWith(`${hub.app.app.env.dataDir}/tmp`)
    } catch {
      return false
    }
  })

const collect = async (events: AsyncIterable<object>) => {
  const all: object[] = []
  for await (const each of events) all.push(each)
  return all
}

/** Ten seconds, sold by the second: 200 tokens a minute. */
const seconds = { audioInput: 34 }
const tokens = { input: 4, audioInput: 10, output: 45 }
/** The text alone, which the vendor answers without a usage. */
const text = { output: 12 }

it.each([
  ['whisper-1', 'json', seconds],
  ['whisper-1', 'verbose_json', seconds],
  ['whisper-1', 'text', text],
  ['whisper-1', 'srt', text],
  ['whisper-1', 'vtt', text],
  ['gpt-4o-transcribe', 'json', tokens],
  ['gpt-4o-transcribe', 'diarized_json', tokens],
  ['gpt-4o-transcribe', 'text', text],
] as const)(
  '%s answers %s, and is charged by the vendor’s usage or the text',
  async (model, format, usage) => {
    const answer = await client.audio.transcriptions.create({
      file: audio(),
      model,
      response_format: format,
      timestamp_granularities: ['word', 'segment'],
    } as never)
    expect(JSON.stringify(answer)).toContain('the wildest idea')
    const charge = await lastCharge(hub)
    expect(charge).toMatchObject({ usage, estimated: usage === text })
    const points = Object.values(charge!.usage).reduce((sum, each) => sum + each, 0)
    expect(charge!.amount).toBe(points)
    expect(vendor.calls[0]!.parts).toContainEqual([
      'file',
      'speech.mp3',
      'application/octet-stream',
      5_000,
    ])
    expect(vendor.calls[0]!.headers['content-length']).toBeDefined()
  },
)

it('a mapped model is sent, order kept, to the vendor, and a stream ends after its charge', async () => {
  const stream = await client.audio.transcriptions.create({
    file: audio('größe "1".wav'),
    model: 'mine',
    stream: true,
    prompt: 'names:\r\nA, B',
  })
  expect((await collect(stream)).at(-1)).toMatchObject({ type: 'transcript.text.done' })
  expect(await lastCharge(hub)).toMatchObject({ usage: tokens, finish: 'complete' })
  expect(vendor.calls[0]!.parts).toEqual([
    ['file', 'größe "1".wav', expect.anything(), 5_000],
    ['model', 'gpt-4o-transcribe'],
    ['stream', 'true'],
    ['prompt', 'names:\r\nA, B'],
  ])
})

it('a vendor that ignores `stream` is heard as one event, and one without usage is charged by its duration', async () => {
  vendor.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ text: 'hi', duration: 60, x_groq: { id: 'req_1' } }))
  }
  const stream = await client.audio.transcriptions.create({
    file: audio(),
    model: 'whisper-1',
    stream: true,
  })
  expect(await collect(stream)).toEqual([{ type: 'transcript.text.done', text: 'hi' }])
  expect(await lastCharge(hub)).toMatchObject({ usage: { audioInput: 200 }, estimated: false })
})

it.each([
  ['that looks like a stream of events', 'data: five', { output: 3 }],
  ['of silence', '', {}],
])('a text %s is answered as it is', async (_, answer, usage) => {
  vendor.answer = ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(answer)
  }
  const params = { file: audio(), model: 'whisper-1', response_format: 'text' } as const
  expect(await client.audio.transcriptions.create(params)).toBe(answer)
  expect(await lastCharge(hub)).toMatchObject({ usage, finish: 'complete', estimated: true })
})

it('a translation is charged like a transcription', async () => {
  const { text: answer } = await client.audio.translations.create({
    file: audio(),
    model: 'whisper-1',
  })
  expect(answer).toContain('wildest')
  expect(vendor.calls[0]!.path).toBe('/v1/audio/translations')
  expect(await lastCharge(hub)).toMatchObject({ usage: seconds })
})

it('a second channel gets the whole file again, from the disk', async () => {
  await hub.app.root.put('/api/option/', { key: 'RetryTimes', value: '2' })
  await hub.addChannel(1, 'whisper-1', { base_url: vendor.url, name: 'second' })
  vendor.answer = call => {
    vendor.answer = undefined
    call.response.writeHead(500).end('{}')
  }
  await client.audio.transcriptions.create({
    file: audio('long.wav', 3_000_000),
    model: 'whisper-1',
  })
  expect(vendor.calls.map(each => each.parts)).toEqual([
    [
      ['file', 'long.wav', expect.anything(), 3_000_000],
      ['model', 'whisper-1'],
    ],
    [
      ['file', 'long.wav', expect.anything(), 3_000_000],
      ['model', 'whisper-1'],
    ],
  ])
  expect(await lastCharge(hub)).toMatchObject({ usage: seconds })
  await expect.poll(spoolsOpen).toEqual([])
})

it('a retry with the same Idempotency-Key is answered from here, whatever its boundary', async () => {
  const options = { headers: { 'idempotency-key': 'one' } }
  const send = () =>
    client.audio.transcriptions.create({ file: audio(), model: 'whisper-1' }, options)
  expect(await send()).toEqual(await send())
  expect(vendor.calls).toHaveLength(1)
  const other = client.audio.transcriptions.create(
    { file: audio('speech.mp3', 5_000, 'y'), model: 'whisper-1' },
    options,
  )
  await expect(other).rejects.toMatchObject({ status: 409 })
})

const formOf = (parts: Record<string, string | File | (string | File)[]>) => {
  const form = new FormData()
  for (const [name, values] of Object.entries(parts))
    for (const each of [values].flat()) form.append(name, each)
  return form
}
const mp3 = new File(['x'.repeat(100)], 'a.mp3')

it.each([
  ['no file', { model: 'whisper-1' }, /'file' must be an audio file/],
  ['no model', { file: mp3 }, /'model' must be the name/],
  ['two files', { model: 'whisper-1', file: [mp3, mp3] }, /must be one audio file/],
  ['an empty file', { model: 'whisper-1', file: new File([], 'a.mp3') }, /'file' is empty/],
  [
    'a file of another type',
    { model: 'whisper-1', file: new File(['x'], 'a.exe') },
    /must end in wav/,
  ],
  ['two models', { model: ['whisper-1', 'mine'], file: mp3 }, /stands twice/],
  ['a model in another spelling', { MODEL: 'whisper-1', file: mp3 }, /another way/],
  ['a stream that is no flag', { model: 'whisper-1', file: mp3, stream: 'yes' }, /true or false/],
])(
  'a form with %s is refused before any vendor sees it, and nothing is charged',
  async (_, parts, message) => {
    const before = await lastCharge(hub)
    const response = await fetch(`${hub.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.key}` },
      body: formOf(parts),
    })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: { message: string } }).error.message).toMatch(
      message,
    )
    expect(vendor.calls).toEqual([])
    expect(await lastCharge(hub)).toEqual(before)
  },
)

it('a body that is JSON is refused with the type that it must have', async () => {
  const response = await hub.post('/v1/audio/transcriptions', { model: 'whisper-1' })
  expect(response.status).toBe(415)
  expect(await response.text()).toContain('multipart/form-data')
})

it('a vendor’s refusal reaches the caller in its own words, free of charge', async () => {
  const before = await lastCharge(hub)
  const send = client.audio.transcriptions.create({
    file: audio(),
    model: 'gpt-4o-transcribe',
    response_format: 'srt',
  })
  await expect(send).rejects.toMatchObject({ status: 400, message: /not compatible/ })
  expect(await lastCharge(hub)).toEqual(before)
})

type Leave = { sent: 'half' | 'all'; answer?: 'silent' | 'headers' | 'half' }

it.each<Leave>([
  { sent: 'half' },
  { sent: 'all', answer: 'silent' },
  { sent: 'all', answer: 'headers' },
])('a caller who leaves (%o) leaves no file and no hold', async ({ sent, answer }) => {
  const arrived = Promise.withResolvers<void>()
  // The caller that has left sees an error too.
  arrived.promise.catch(() => {})
  vendor.answer = ({ response }) => {
    if (answer === 'headers')
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    arrived.resolve()
  }
  const encoded = new Response(
    formOf({ file: new File([Buffer.alloc(3_000_000)], 'a.wav'), model: 'whisper-1' }),
  )
  const body = Buffer.from(await encoded.arrayBuffer())
  const call = request(`${hub.url}/v1/audio/transcriptions`, {
    method: 'POST',
    // A connection that the server is just closing would break the call before it begins.
    agent: false,
    headers: {
      authorization: `Bearer ${hub.key}`,
      'content-type': encoded.headers.get('content-type')!,
      'content-length': body.length,
    },
  })
  call.on('error', arrived.reject)
  call.on('response', ({ statusCode }) => {
    if (answer !== 'headers') arrived.reject(new Error(`answered with ${statusCode}`))
  })
  if (sent === 'all') {
    call.end(body)
    await arrived.promise
  } else {
    call.write(body.subarray(0, 2_000_000))
    await expect.poll(spoolsOpen).toHaveLength(1)
  }
  call.destroy()
  await expect.poll(spoolsOpen).toEqual([])
  await lastCharge(hub)
})

it('a balance that cannot cover the longest file of this size is refused before the vendor is called', async () => {
  await hub.addChannel(1, 'dear', { base_url: vendor.url, model_mapping: '{"dear":"+whisper-1"}' })
  const price = { model: 'dear', type: 'tokens', input: 1_000_000, output: 1 }
  expect((await hub.app.root.put('/api/prices/single/dear', price)).status).toBe(200)
  const send = client.audio.transcriptions.create({
    file: audio('a.mp3', 1_000_000),
    model: 'dear',
  })
  await expect(send).rejects.toMatchObject({ code: 'insufficient_quota' })
  expect(vendor.calls).toEqual([])
})
