import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import type { Json } from '../relay-hub.ts'

export type KlingTask = {
  id: string
  action: string
  body: Json
  status: string
  message: string
  polls: number
  /** The address of its video; undefined: one of this server. */
  videoUrl?: string
}

/** Kling's API, with its signature recomputed: https://app.klingai.com/global/dev/document-api */
export type KlingVendor = {
  url: string
  key: string
  tasks: Map<string, KlingTask>
  refused: string[]
  video: Buffer
  /** The type that its storage names. */
  type: string
  /** Answers instead of the API; undefined: the API answers. */
  override:
    | ((method: string, path: string) => { status: number; json: unknown } | 'reset' | undefined)
    | undefined
  /** The vendor's clock, in milliseconds. */
  now(): number
  onPoll: ((task: KlingTask) => void) | undefined
  /** Polls wait for it. */
  delay: (() => Promise<void>) | undefined
  close(): Promise<void>
}

const [accessKey, secretKey] = ['access-one', 'secret-one-0123456789']

/** The reason why Kling would refuse the token; it documents HS256, `iss`, `exp` and `nbf`. */
const tokenProblem = (authorization = '', nowMs: number): string | undefined => {
  const [head = '', claims = '', signature = ''] = authorization.replace(/^Bearer /, '').split('.')
  const expected = createHmac('sha256', secretKey).update(`${head}.${claims}`).digest('base64url')
  if (signature !== expected) return 'signature'
  const read = (text: string): Json => JSON.parse(Buffer.from(text, 'base64url').toString())
  const { alg, typ } = read(head)
  const { iss, exp, nbf } = read(claims)
  const now = nowMs / 1_000
  if (alg !== 'HS256' || typ !== 'JWT') return 'head'
  return iss === accessKey && exp > now && exp <= now + 1_801 && nbf <= now ? undefined : 'claims'
}

export const startKlingVendor = async (): Promise<KlingVendor> => {
  const vendor = {
    key: `${accessKey}|${secretKey}`,
    tasks: new Map<string, KlingTask>(),
    refused: [] as string[],
    now: () => Date.now(),
    video: Buffer.alloc(300_000, 'frames of a video. '),
    type: 'video/mp4',
  } as KlingVendor
  const server = createServer(keepAlive, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(json))
    }
    if (path.startsWith('/storage/')) return sendVideo(vendor, request.headers.range, response)
    const override = vendor.override?.(request.method ?? '', path)
    if (override === 'reset') return void request.socket.destroy()
    if (override) return answer(override.status, override.json)
    const problem = tokenProblem(request.headers.authorization, vendor.now())
    if (problem !== undefined) {
      vendor.refused.push(problem)
      return answer(401, { code: 1000, message: problem, request_id: 'r' })
    }
    const [, action = '', id] = /^\/v1\/videos\/(\w+)(?:\/(\w+))?$/.exec(path) ?? []
    if (request.method === 'POST') {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      // https://app.klingai.com/global/dev/document-api/apiReference/model/textToVideo: duration is a text.
      if (typeof body.duration !== 'string')
        return answer(400, { code: 1201, message: 'duration', request_id: 'r' })
      const task = {
        id: `86${vendor.tasks.size}`,
        action,
        body,
        status: 'submitted',
        message: '',
        polls: 0,
      }
      vendor.tasks.set(task.id, task)
      return answer(200, {
        code: 0,
        message: 'SUCCEED',
        request_id: 'r',
        data: dataOf(vendor, task),
      })
    }
    const task = vendor.tasks.get(id ?? '')
    if (!task || task.action !== action) return answer(404, { code: 1203, message: 'none' })
    await vendor.delay?.()
    task.polls += 1
    vendor.onPoll?.(task)
    answer(200, { code: 0, message: 'SUCCEED', request_id: 'r', data: dataOf(vendor, task) })
  })
  server.listen(0)
  await once(server, 'listening')
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vendor.close = async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return vendor
}

const dataOf = ({ url }: KlingVendor, { id, status, message, videoUrl }: KlingTask) => ({
  task_id: id,
  task_status: status,
  task_status_msg: message,
  created_at: 1_774_805_076_166,
  updated_at: 1_774_805_076_166,
  ...(status === 'succeed' && {
    task_result: {
      videos: [{ id: 'v', url: videoUrl ?? `${url}/storage/${id}.mp4`, duration: '5.042' }],
    },
  }),
})

const sendVideo = (
  { video, type }: KlingVendor,
  range: string | undefined,
  response: import('node:http').ServerResponse,
) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (from === undefined) {
    response.writeHead(200, { 'content-type': type, 'content-length': video.length })
    return void response.end(video)
  }
  const part = video.subarray(Number(from), Number(to) + 1)
  response.writeHead(206, {
    'content-type': type,
    'content-length': part.length,
    'content-range': `bytes ${from}-${to}/${video.length}`,
  })
  response.end(part)
}
