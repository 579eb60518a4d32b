import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import type { Json } from '../relay-hub.ts'

export type SunoTask = {
  id: string
  action: string
  body: Json
  status: string
  progress: string
  reason: string
}

/**
 * A Suno-API server. Paths, bodies and answers as https://xiaotian.apifox.cn/api-230451836,
 * https://docs.yutoai.net/en/api/api-175909212.html and https://docs.uniapi.ai/operations/post-suno-submit-fetch show them.
 */
export type SunoVendor = {
  url: string
  key: string
  tasks: Map<string, SunoTask>
  /** The number of ids of each batch that was asked for. */
  batches: number[]
  audio: Buffer
  override:
    | ((method: string, path: string) => { status: number; json: unknown } | 'reset' | undefined)
    | undefined
  close(): Promise<void>
}

const idsMax = 100

export const startSunoVendor = async (): Promise<SunoVendor> => {
  const vendor = {
    ...{ key: 'suno-key-one', tasks: new Map(), batches: [] },
    audio: Buffer.alloc(50_000, 'notes of a song. '),
  } as unknown as SunoVendor
  const server = createServer(keepAlive, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(json))
    }
    if (path.startsWith('/cdn/')) {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      return void response.end(vendor.audio)
    }
    const override = vendor.override?.(request.method ?? '', path)
    if (override === 'reset') return void request.socket.destroy()
    if (override) return answer(override.status, override.json)
    // Authorization: Bearer {{YOUR_API_KEY}}
    if (request.headers.authorization !== `Bearer ${vendor.key}`)
      return answer(401, { code: 'unauthorized', message: 'Invalid token', data: null })
    const { status = 200, json } = handle(vendor, request.method ?? '', path, () =>
      JSON.parse(Buffer.concat(chunks).toString()),
    )
    answer(status, json)
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

type VendorAnswer = { status?: number; json: unknown }

const refusal = (message: string, status = 400): VendorAnswer => ({
  status,
  json: { code: 'invalid_request', message, data: null },
})

const handle = (
  vendor: SunoVendor,
  method: string,
  path: string,
  read: () => Json,
): VendorAnswer => {
  const [, action] = /^\/suno\/submit\/(music|lyrics)$/.exec(path) ?? []
  if (method === 'POST' && action) return submit(vendor, action.toUpperCase(), read())
  if (method !== 'POST' || path !== '/suno/fetch') return refusal('Not found', 404)
  const { ids } = read()
  if (!Array.isArray(ids) || ids.length > idsMax) return refusal('ids')
  vendor.batches.push(ids.length)
  const found = ids.flatMap((id: string) => vendor.tasks.get(id) ?? [])
  return { json: { code: 'success', message: '', data: found.map(each => show(vendor, each)) } }
}

const submit = (vendor: SunoVendor, action: string, body: Json): VendorAnswer => {
  if (action === 'MUSIC' && !/^chirp-/.test(body.mv)) return refusal('mv')
  if (action === 'LYRICS' && typeof body.prompt !== 'string') return refusal('prompt')
  if (body.task_id !== undefined && !vendor.tasks.has(body.task_id)) return refusal('task_id')
  const id = `2a145658-3342-4228-b779-${String(vendor.tasks.size).padStart(12, '0')}`
  vendor.tasks.set(id, { id, action, body, status: 'NOT_START', progress: '0%', reason: '' })
  return { json: { code: 'success', message: '', data: id } }
}

const show = (vendor: SunoVendor, { id, action, body, status, progress, reason }: SunoTask) => ({
  ...{ task_id: id, notify_hook: '', action, status, fail_reason: reason, progress },
  ...{ submit_time: 1_726_911_801, start_time: 1_726_911_812, finish_time: 1_726_911_897 },
  data: status === 'SUCCESS' ? resultOf(vendor, id, action, body) : null,
})

const resultOf = ({ url }: SunoVendor, id: string, action: string, body: Json) =>
  action === 'LYRICS'
    ? {
        id,
        text: '[Verse]\nDancing in the neon light',
        title: 'Electric Fantasy',
        status: 'complete',
      }
    : ['a', 'b'].map(each => ({
        ...{ id: `${id}-${each}`, title: 'Happy weekend', handle: 'yellowrobots6855' },
        ...{ status: 'complete', user_id: 'ee5e241a-ead6-435d', model_name: 'chirp-v3' },
        metadata: {
          ...{ tags: body.tags ?? 'heartfelt salsa', type: 'gen', prompt: '[Verse]\nIt rains' },
          ...{ duration: 128.92, gpt_description_prompt: null, error_type: null },
        },
        audio_url: `${url}/cdn/${id}-${each}.mp3`,
        video_url: `${url}/cdn/${id}-${each}.mp4`,
        image_url: `${url}/cdn/image_${id}-${each}.jpeg`,
        image_large_url: `${url}/cdn/image_large_${id}-${each}.jpeg`,
        avatar_image_url: `${url}/cdn/avatar.jpeg`,
      }))
