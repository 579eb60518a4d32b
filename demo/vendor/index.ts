import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { wholesale } from '../world/channels.ts'
import { chatAnswer } from './chat.ts'
import { picture, tune } from './media.ts'
import { taskAnswer } from './tasks.ts'

export type VendorRequest = {
  method: string
  /** Without its query. */
  path: string
  body: Record<string, unknown>
  bytes: number
  /** How many requests came before it. */
  count: number
  /** Seconds. */
  now: number
  url: string
}

export type Answer = {
  status: number
  json?: unknown
  frames?: readonly { event?: string; data: unknown }[]
  file?: { type: string; bytes: Buffer }
  delayMs?: number
  pieceMs?: number
}

export type Vendor = { url: string; port: number; close(): Promise<void> }

type Options = {
  /** 0: a free one. */
  port: number
  /** Channels whose key it refuses, by the first part of the path. */
  refuses: readonly string[]
  /** Seconds. */
  now(): number
  /** False: it answers at once. */
  isPaced(): boolean
}

const refusal: Answer = {
  status: 401,
  json: {
    error: {
      message: 'This API key was withdrawn.',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    },
  },
}

const vectorLength = 256

const plainAnswer = (request: VendorRequest): Answer | undefined => {
  const { path, body, bytes, count } = request
  const input = Array.isArray(body.input) ? body.input : [body.input]
  const usage = { prompt_tokens: Math.round(bytes / 5), total_tokens: Math.round(bytes / 5) }
  if (path.endsWith('/embeddings')) {
    const embedding = Array.from({ length: vectorLength }, (_, at) => Math.sin(at + count) / 16)
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding }))
    return { status: 200, json: { object: 'list', model: body.model, data, usage } }
  }
  if (path.endsWith('/rerank')) {
    const documents = Array.isArray(body.documents) ? body.documents : []
    const results = documents.map((_, index) => ({ index, relevance_score: 0.9 - index * 0.07 }))
    return { status: 200, json: { model: body.model, results, usage } }
  }
  if (path.endsWith('/count_tokens'))
    return { status: 200, json: { input_tokens: usage.total_tokens } }
  if (path.endsWith('/api/pricing'))
    return { status: 200, json: { data: [], group_ratio: wholesale.ratios } }
  if (path.endsWith('/hook')) return { status: 200, json: { ok: true } }
  return undefined
}

/** Only the gateway shows a list of models. */
const listOf = (path: string): { id: string }[] =>
  path.startsWith('/wholesale-gateway/') ? wholesale.models.map(id => ({ id })) : []

const fileAnswer = (path: string): Answer | undefined => {
  const [, name = '', type] = /\/files\/(.+)\.(\w+)$/.exec(path) ?? []
  const seed = [...name].reduce((sum, each) => sum + each.charCodeAt(0), 0)
  if (type === 'png') return { status: 200, file: { type: 'image/png', bytes: picture(seed) } }
  if (type === 'wav') return { status: 200, file: { type: 'audio/wav', bytes: tune(seed) } }
  return undefined
}

const respond = async (
  response: ServerResponse,
  answer: Answer,
  isPaced: boolean,
): Promise<void> => {
  const { status, json, frames, file, delayMs = 0, pieceMs = 0 } = answer
  if (isPaced && delayMs > 0) await sleep(delayMs)
  if (file) {
    response.writeHead(status, { 'content-type': file.type, 'content-length': file.bytes.length })
    return void response.end(file.bytes)
  }
  if (!frames) {
    response.writeHead(status, { 'content-type': 'application/json' })
    return void response.end(JSON.stringify(json))
  }
  response.writeHead(status, { 'content-type': 'text/event-stream' })
  for (const { event, data } of frames) {
    if (response.destroyed) return
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`)
    if (isPaced && pieceMs > 0) await sleep(pieceMs)
  }
  response.end()
}

const readJson = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  try {
    const body: unknown = bytes.length > 0 ? JSON.parse(bytes.toString()) : {}
    return { body: (body ?? {}) as VendorRequest['body'], bytes: bytes.length }
  } catch {
    return { body: {}, bytes: bytes.length }
  }
}

/** A vendor that speaks for all channels of the demo, on loopback only. */
export const startVendor = async ({ port, refuses, now, isPaced }: Options): Promise<Vendor> => {
  let count = 0
  let url = ''
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const path = (request.url ?? '/').split('?')[0]!
    if (refuses.includes(path.split('/')[1] ?? '')) return refusal
    const file = fileAnswer(path)
    if (file) return file
    if (request.method === 'GET' && /\/models$/.test(path))
      return { status: 200, json: { object: 'list', data: listOf(path) } }
    const { body, bytes } = await readJson(request)
    const read = {
      method: request.method ?? '',
      path,
      body,
      bytes,
      count: count++,
      now: now(),
      url,
    }
    return taskAnswer(read) ?? plainAnswer(read) ?? chatAnswer(read)
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answerTo(request)
      .then(answer => respond(response, answer, isPaced()))
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port
  url = `http://127.0.0.1:${bound}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url, port: bound, close }
}
