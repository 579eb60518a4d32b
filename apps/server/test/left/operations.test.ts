import { afterAll, beforeAll, expect, it } from 'vitest'
import { frame, lastCharge, sendCall } from '../relay-calls.ts'
import { useRelayHub } from '../relay-hub.ts'
import { type FormVendor, startFormVendor } from '../vendors/form-vendor.ts'
import { firstByte } from './callers.ts'

// Operations whose prompt is no text, or whose price is fixed by the request: their callers leave at the first byte.

const hub = useRelayHub()
let vendor: FormVendor
beforeAll(async () => {
  vendor = await startFormVendor(() => undefined)
  const models = 'whisper-1,gpt-4o-transcribe'
  await hub.addChannel(1, models, { base_url: vendor.url })
  await hub.addChannel(1, 'dall-e-2,tts-1,gpt-4o-mini-tts,text-embedding-3-small')
  await hub.addChannel(1, 'omni-moderation-latest')
  await hub.addChannel(47, 'jina-reranker-m0')
})
afterAll(() => vendor?.close())

type Writable = {
  writeHead(status: number, headers: Record<string, string>): unknown
  write(text: string): unknown
}

const events = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }

/** Writes the beginning of an answer, and no more. */
const begin = (response: Writable, type: Record<string, string>, text: string): void => {
  response.writeHead(200, type)
  response.write(text)
}

const formBody = (fields: Record<string, string>, file: [string, string, number]): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const [field, filename, size] = file
  form.append(field, new Blob([new Uint8Array(size)]), filename)
  return form
}

const delta = frame({ type: 'transcript.text.delta', delta: 'the last word' })

type Upload = {
  name: string
  path: string
  fields: Record<string, string>
  answer: readonly [type: Record<string, string>, text: string]
  usage: Record<string, number>
}

/** 120,000 bytes of MP3 are ten seconds as usually recorded. */
const uploads: Upload[] = [
  {
    ...{ name: 'a streamed transcription', path: '/v1/audio/transcriptions' },
    fields: { model: 'gpt-4o-transcribe', stream: 'true' },
    answer: [events, delta] as const,
    usage: { audioInput: 170, output: 4 },
  },
  {
    ...{ name: 'a whole transcription', path: '/v1/audio/transcriptions' },
    fields: { model: 'whisper-1' },
    answer: [json, '{"text":'] as const,
    usage: { audioInput: 34 },
  },
  {
    ...{ name: 'a translation', path: '/v1/audio/translations' },
    fields: { model: 'whisper-1' },
    answer: [json, '{"text":'] as const,
    usage: { audioInput: 34 },
  },
]

it.each(uploads)('SEC-1 $name that its caller left is charged its audio', async each => {
  const { path, fields, answer, usage } = each
  vendor.answer = ({ response }) => begin(response, answer[0], answer[1])
  const leaving = new AbortController()
  const body = formBody(fields, ['file', 'speech.mp3', 120_000])
  const call = fetch(`${hub.url}${path}`, {
    ...{ method: 'POST', body, signal: leaving.signal },
    headers: { authorization: `Bearer ${hub.key}` },
  })
  if (answer[0] === events) await (await call).body!.getReader().read()
  else await expect.poll(() => vendor.calls.length, { interval: 5 }).toBeGreaterThan(0)
  if (answer[0] === json) await firstByte(hub)
  leaving.abort()
  await call.catch(() => undefined)
  expect(await lastCharge(hub)).toMatchObject({ usage, finish: 'caller-left', estimated: true })
  vendor.calls.length = 0
})

const words = 'word '.repeat(100)
const calls = [
  ['images', '/v1/images/generations', { model: 'dall-e-2', prompt: 'a cat' }, json],
  [
    'speech by the character',
    '/v1/audio/speech',
    { model: 'tts-1', input: words, voice: 'a' },
    'audio/mpeg',
  ],
  ['embeddings', '/v1/embeddings', { model: 'text-embedding-3-small', input: words }, json],
  ['moderations', '/v1/moderations', { model: 'omni-moderation-latest', input: words }, json],
  ['rerank', '/v1/rerank', { model: 'jina-reranker-m0', query: 'q', documents: [words] }, json],
  [
    'chat, whole',
    '/v1/chat/completions',
    { model: 'tts-1', messages: [{ role: 'user', content: words }] },
    json,
  ],
] as const

it.each(calls)(
  'SEC-1 a call of %s that its caller left at the first byte is charged its prompt',
  async (_, path, body, type) => {
    const headers = typeof type === 'string' ? { 'content-type': type } : type
    hub.upstream.play(body.model, ({ response }) => begin(response, headers, '{"'))
    const before = await lastCharge(hub)
    const sent = sendCall(hub, { path, body })
    await expect.poll(() => hub.upstream.served.at(-1)?.model, { interval: 2 }).toBe(body.model)
    await firstByte(hub)
    sent.destroy()
    const charge = await lastCharge(hub)
    expect(charge?.id).toBeGreaterThan(before?.id ?? 0)
    expect(charge).toMatchObject({ finish: 'caller-left', usage: { input: expect.any(Number) } })
    expect(charge!.usage.input).toBeGreaterThanOrEqual(100)
  },
)
