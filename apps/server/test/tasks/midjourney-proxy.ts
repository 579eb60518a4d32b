import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import type { Json } from '../relay-hub.ts'

export type ProxyTask = {
  id: string
  action: string
  path: string
  body: Json
  status: string
  progress: string
  failReason: string | null
  imageUrl: string | null
  /** Further fields of the answer. */
  more: Json
}

type Override = (path: string) => { status: number; json: unknown } | 'reset' | undefined

/**
 * Midjourney's proxy by its documents: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md and, for
 * the actions of the plus version, https://github.com/trueai-org/midjourney-proxy (SubmitController, TaskController).
 */
export type MidjourneyProxy = {
  url: string
  secret: string
  tasks: Map<string, ProxyTask>
  /** The tasks that were asked for by each poll. */
  polls: string[][]
  image: Buffer
  /** "无可用的账号实例": no account has fast hours left. */
  hasNoFastAccount: boolean
  /** Answers instead of the proxy. */
  override: Override | undefined
  close(): Promise<void>
}

type ProxyAnswer = {
  status?: number
  code: number
  description: string
  result?: unknown
  properties?: Json
}

/** "code=24: prompt包含敏感词" */
const banned = (prompt: string): ProxyAnswer | undefined =>
  /nude/.test(prompt)
    ? {
        ...{ code: 24, description: '可能包含敏感词' },
        properties: { promptEn: prompt, bannedWord: 'nude' },
      }
    : undefined

/** VALIDATION_ERROR */
const invalid = (description: string): ProxyAnswer => ({ code: 4, description })
/** NOT_FOUND, with HTTP status 404: "关联任务不存在或已失效" */
const unknownTask: ProxyAnswer = { status: 404, code: 3, description: '关联任务不存在或已失效' }

const words = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' } as const

export const startMidjourneyProxy = async (): Promise<MidjourneyProxy> => {
  const proxy = {
    secret: 'proxy-secret-0123456789',
    tasks: new Map<string, ProxyTask>(),
    polls: [] as string[][],
    image: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  } as MidjourneyProxy
  const server = createServer(keepAlive, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    if (path.startsWith('/storage/')) return sendFile(proxy, path, response)
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(json))
    }
    const override = proxy.override?.(path)
    if (override === 'reset') return void request.socket.destroy()
    if (override) return answer(override.status, override.json)
    // "接口密钥 … 调用接口时需要加请求头 mj-api-secret": https://github.com/novicezk/midjourney-proxy/blob/main/docs/config.md
    if (request.headers['mj-api-secret'] !== proxy.secret)
      return answer(401, { code: 4, description: 'denied' })
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
    if (path === '/mj/task/list-by-condition') {
      proxy.polls.push(body.ids)
      const found = [...new Set<string>(body.ids)].flatMap(id => proxy.tasks.get(id) ?? [])
      return answer(200, found.map(show))
    }
    const seedOf = /^\/mj\/task\/(\w+)\/image-seed$/.exec(path)?.[1]
    const { status = 200, ...json } =
      seedOf === undefined ? submit(proxy, path.replace('/mj/', ''), body) : seed(proxy, seedOf)
    answer(status, json)
  })
  server.listen(0)
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.close = async () => {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
  return proxy
}

const seed = ({ tasks }: MidjourneyProxy, id: string): ProxyAnswer =>
  tasks.has(id) ? { code: 1, description: '成功', result: '3147483647' } : unknownTask

const add = ({ tasks }: MidjourneyProxy, path: string, body: Json, action: string): ProxyAnswer => {
  const id = `14001929738${tasks.size}`
  const task = { id, action, path, body, status: 'NOT_START', progress: '0%', failReason: null }
  tasks.set(id, { ...task, imageUrl: null, more: {} })
  return { code: 1, description: '提交成功', result: id }
}

const submit = (proxy: MidjourneyProxy, path: string, body: Json): ProxyAnswer => {
  if (proxy.hasNoFastAccount && body.accountFilter?.modes?.[0] === 'FAST')
    return { code: 3, description: '无可用的账号实例' }
  switch (path) {
    case 'submit/imagine':
    case 'submit/shorten':
    case 'submit/edits': {
      // "prompt不能为空"
      if (!body.prompt) return invalid('prompt不能为空')
      return banned(body.prompt) ?? add(proxy, path, body, path.slice(7).toUpperCase())
    }
    case 'submit/describe':
      return body.base64 ? add(proxy, path, body, 'DESCRIBE') : invalid('base64不能为空')
    case 'submit/blend':
      // "base64Array.Count < 2 || base64Array.Count > 5"
      return body.base64Array?.length >= 2 && body.base64Array.length <= 5
        ? add(proxy, path, body, 'BLEND')
        : invalid('base64List参数错误')
    case 'submit/upload-discord-images':
      return {
        ...{ code: 1, description: '提交成功' },
        result: body.base64Array.map((_: string, at: number) => `${proxy.url}/storage/${at}.png`),
      }
    case 'insight-face/swap':
      return add(proxy, path, body, 'SWAP_FACE')
    case 'submit/video':
      return body.taskId && !proxy.tasks.has(body.taskId)
        ? unknownTask
        : add(proxy, path, body, 'VIDEO')
  }
  return change(proxy, path, body)
}

const change = (proxy: MidjourneyProxy, path: string, body: Json): ProxyAnswer => {
  const [, id = body.taskId, command] = /^(\S+) ([UVR])[1-4]?$/i.exec(body.content ?? '') ?? []
  const origin = proxy.tasks.get(id)
  if (!origin) return unknownTask
  if (path === 'submit/modal') {
    // The task of the window itself goes on.
    Object.assign(origin, { status: 'SUBMITTED', path, body })
    return banned(body.prompt ?? '') ?? { code: 1, description: '提交成功', result: origin.id }
  }
  if (origin.status !== 'SUCCESS') return invalid('关联任务状态错误')
  if (path === 'submit/action') return press(proxy, path, body)
  const action = body.action ?? words[command?.toUpperCase() as keyof typeof words]
  const earlier = [...proxy.tasks.values()].find(
    each => each.action === 'UPSCALE' && JSON.stringify(each.body) === JSON.stringify(body),
  )
  // "code=21: 任务已存在，U时可能发生"
  if (action === 'UPSCALE' && earlier)
    return {
      ...{ code: 21, description: '任务已存在', result: earlier.id },
      properties: { status: earlier.status, imageUrl: earlier.imageUrl },
    }
  return add(proxy, path, body, action)
}

/** "MJ::CustomZoom" and "MJ::Inpaint" wait for a window: "Waiting for window confirm". */
const press = (proxy: MidjourneyProxy, path: string, body: Json): ProxyAnswer => {
  const added = add(proxy, path, body, 'ACTION')
  if (!/^MJ::(Inpaint|CustomZoom)::/.test(body.customId)) return added
  proxy.tasks.get(added.result as string)!.status = 'MODAL'
  return { ...added, code: 21, description: 'Waiting for window confirm' }
}

const show = ({ path: _path, body, more, ...task }: ProxyTask) => ({
  ...task,
  ...{ prompt: body.prompt ?? '', promptEn: 'Cat', description: `/imagine ${task.id}` },
  ...{ submitTime: 1689231405854, startTime: 1689231442755, finishTime: 1689231544312 },
  ...{ properties: { finalPrompt: 'Cat', discordInstanceId: '111813' }, ...more },
})

const sendFile = ({ image }: MidjourneyProxy, path: string, response: ServerResponse) => {
  const type = path.endsWith('.html') ? 'text/html' : 'image/png'
  response.writeHead(200, { 'content-type': type, 'content-length': image.length })
  response.end(image)
}

/** Finishes a task with an image of the proxy's storage. */
export const succeed = ({ url }: MidjourneyProxy, task: ProxyTask): void => {
  const imageUrl = `${url}/storage/${task.id}.png`
  Object.assign(task, { status: 'SUCCESS', progress: '100%', imageUrl })
}
