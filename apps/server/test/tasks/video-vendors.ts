import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import { bearerApis } from './bearer-apis.ts'
import { wan } from './dashscope-api.ts'
import { gateway, newApi, olderNewApi } from './gateway-apis.ts'
import { googleApis } from './google-apis.ts'
import type { FakeAnswer, VideoApi, VideoCall, VideoTask } from './video-api.ts'
import { jimeng } from './volcengine-visual-api.ts'

export const videoApis: readonly VideoApi[] = [
  ...bearerApis,
  ...googleApis,
  ...[wan, jimeng, newApi, olderNewApi, gateway],
]

export type VideoVendor = {
  url: string
  api: VideoApi
  calls: VideoCall[]
  /** Why requests were refused. */
  problems: string[]
  tasks: Map<string, VideoTask>
  video: Buffer
  /** True: each request for a task is refused as the vendor documents it. */
  isRefusing: boolean
  /** An image that callers link. */
  image: Buffer
  close(): Promise<void>
}

/** The smallest PNG. */
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

export const startVideoVendor = async (): Promise<VideoVendor> => {
  const vendor = {
    ...{ api: videoApis[0]!, calls: [] as VideoCall[], tasks: new Map<string, VideoTask>() },
    ...{ problems: [] as string[], isRefusing: false, image },
    video: Buffer.alloc(100_000, 'frames of a video. '),
  } as VideoVendor
  const server = createServer(keepAlive, async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://vendor')
    const call: VideoCall = {
      ...{ method: request.method ?? '', path, query, headers: request.headers, text },
      body: text === '' ? undefined : JSON.parse(text),
    }
    const { status, json, location, bytes } = answerTo(vendor, call)
    response.writeHead(status, {
      'content-type': bytes ? 'application/octet-stream' : 'application/json',
      ...(location !== undefined && { location }),
    })
    response.end(bytes ?? JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vendor.close = async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return vendor
}

const answerTo = (vendor: VideoVendor, call: VideoCall): FakeAnswer => {
  const { api, calls, problems, tasks, video } = vendor
  // Storages take no key, and must not see one.
  if (call.path.startsWith('/storage/')) {
    const problem = ['authorization', 'x-goog-api-key'].find(each => each in call.headers)
    if (problem !== undefined) problems.push(`a storage sees ${problem}`)
    return { status: 200, bytes: call.path.endsWith('.png') ? vendor.image : video }
  }
  calls.push(call)
  const problem = api.problem(call)
  if (problem !== undefined) {
    problems.push(problem)
    return { status: 401, json: { message: problem } }
  }
  if (call.method === 'POST' && api.createPath.test(call.path + queryOf(call))) {
    if (vendor.isRefusing) return api.refusal
    const id = api.idOf?.(tasks.size) ?? `t${tasks.size}`
    const task = { id, body: call.body, word: api.words.queued }
    tasks.set(task.id, task)
    return { status: 200, json: api.accepted(task.id) }
  }
  const removed = call.method === 'DELETE' ? tasks.get(api.idIn(call)) : undefined
  if (api.remove && removed)
    return api.remove(removed, () => tasks.delete(removed.id))
      ? { status: 200, json: {} }
      : { status: 409, json: { error: { code: 'InvalidAction', message: 'It runs.' } } }
  const isPoll =
    call.method === (api.pollMethod ?? 'GET') && api.pollPath.test(call.path + queryOf(call))
  const task = isPoll ? tasks.get(api.idIn(call)) : undefined
  if (task) return { status: 200, json: api.show(task, vendor) }
  return api.other?.(call, vendor) ?? { status: 404, json: { message: 'unknown' } }
}

const queryOf = ({ query }: VideoCall): string => (query.size === 0 ? '' : `?${query}`)
