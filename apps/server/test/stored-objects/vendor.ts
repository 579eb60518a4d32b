import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import type { Json } from '../relay-hub.ts'

/** A file as the vendor keeps it. */
export type VendorFile = { account: string; object: Json; content: Buffer }

export type VendorCall = {
  method: string
  path: string
  query: URLSearchParams
  /** Path and query as they arrived; `path` lacks the prefix of Azure OpenAI. */
  target: string
  /** The key of the account. */
  account: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A vendor that stores files by OpenAI's rules: an id exists in the account that made it, and nowhere else. */
export type FileVendor = {
  url: string
  calls: VendorCall[]
  files: Map<string, VendorFile>
  uploads: Map<string, { account: string; object: Json; parts: Map<string, Buffer> }>
  addFile(account: string, file: { filename: string; purpose: string; content: Buffer }): Json
  /** Routes that a test adds. The first that answers ends the request. */
  routes: ((call: VendorCall) => VendorAnswer | undefined)[]
  close(): Promise<void>
}

export type VendorAnswer = { status?: number; json?: unknown; bytes?: Buffer; type?: string }

/** https://platform.openai.com/docs/guides/error-codes */
export const refusal = (status: number, message: string, param: string | null = null) => ({
  status,
  json: { error: { message, type: 'invalid_request_error', param, code: null } },
})

// https://developers.openai.com/api/reference/resources/files/methods/create
const purposes = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']

export const startFileVendor = async (): Promise<FileVendor> => {
  const vendor = {
    calls: [],
    files: new Map(),
    uploads: new Map(),
    routes: [],
  } as unknown as FileVendor
  vendor.addFile = (account, { filename, purpose, content }) => {
    const object = {
      id: `file-${randomBytes(12).toString('hex')}`,
      object: 'file',
      bytes: content.length,
      created_at: Math.floor(Date.now() / 1_000),
      filename,
      purpose,
      status: 'processed',
    }
    vendor.files.set(object.id, { account, object, content })
    return object
  }
  const server = createServer(keepAlive, async (request, response) => {
    const call = await readCall(request)
    vendor.calls.push(call)
    write(response, await answerTo(vendor, call))
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

const readCall = async (request: IncomingMessage): Promise<VendorCall> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return {
    method: request.method ?? '',
    path: pathname.replace(/^\/openai(?=\/v1\/)/, ''),
    target: request.url ?? '',
    query: searchParams,
    account:
      request.headers.authorization?.replace('Bearer ', '') ??
      String(request.headers['x-api-key'] ?? request.headers['api-key'] ?? ''),
    headers: request.headers,
    body: Buffer.concat(chunks),
  }
}

const write = (response: ServerResponse, { status = 200, json, bytes, type }: VendorAnswer) => {
  const body = bytes ?? Buffer.from(JSON.stringify(json))
  response.writeHead(status, { 'content-type': type ?? 'application/json' })
  response.end(body)
}

const answerTo = async (vendor: FileVendor, call: VendorCall): Promise<VendorAnswer> => {
  for (const route of vendor.routes) {
    const answer = route(call)
    if (answer) return answer
  }
  const [, collection, id, rest] =
    /^\/v1\/(files|uploads)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(call.path) ?? []
  if (collection === 'files')
    return id === undefined ? createFile(vendor, call) : serveFile(vendor, call, id, rest)
  if (collection === 'uploads') return serveUpload(vendor, call, id, rest)
  return refusal(404, `Invalid URL (${call.method} ${call.path})`)
}

const formOf = ({ body, headers }: VendorCall) =>
  new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()

const createFile = async (vendor: FileVendor, call: VendorCall): Promise<VendorAnswer> => {
  if (call.method === 'GET')
    return {
      json: {
        object: 'list',
        data: [...vendor.files.values()]
          .filter(each => each.account === call.account)
          .map(each => each.object),
        has_more: false,
      },
    }
  const form = await formOf(call)
  const [file, purpose] = [form.get('file'), form.get('purpose')]
  if (!(file instanceof File)) return refusal(400, "'file' is a required property", 'file')
  if (typeof purpose !== 'string' || !purposes.includes(purpose))
    return refusal(400, `'${purpose}' is not one of ${purposes.join(', ')}`, 'purpose')
  const content = Buffer.from(await file.arrayBuffer())
  return { json: vendor.addFile(call.account, { filename: file.name, purpose, content }) }
}

const serveFile = (
  vendor: FileVendor,
  { method, account }: VendorCall,
  id: string,
  rest: string | undefined,
): VendorAnswer => {
  const file = vendor.files.get(id)
  if (!file || file.account !== account) return refusal(404, `No such File object: ${id}`, 'id')
  if (rest === 'content') return { bytes: file.content, type: 'application/octet-stream' }
  if (method === 'GET') return { json: file.object }
  vendor.files.delete(id)
  return { json: { id, object: 'file', deleted: true } }
}

/** https://developers.openai.com/api/reference/resources/uploads */
const serveUpload = async (
  vendor: FileVendor,
  call: VendorCall,
  id: string | undefined,
  rest: string | undefined,
): Promise<VendorAnswer> => {
  if (id === undefined) {
    const fields = JSON.parse(call.body.toString())
    const object = {
      ...fields,
      id: `upload_${randomBytes(8).toString('hex')}`,
      object: 'upload',
      status: 'pending',
      expires_at: Math.floor(Date.now() / 1_000) + 3_600,
    }
    vendor.uploads.set(object.id, { account: call.account, object, parts: new Map() })
    return { json: object }
  }
  const upload = vendor.uploads.get(id)
  if (!upload || upload.account !== call.account)
    return refusal(404, `No such Upload object: ${id}`, 'id')
  if (rest === 'parts') {
    const data = (await formOf(call)).get('data')
    if (!(data instanceof File)) return refusal(400, "'data' is a required property", 'data')
    const part = `part_${randomBytes(8).toString('hex')}`
    upload.parts.set(part, Buffer.from(await data.arrayBuffer()))
    return { json: { id: part, object: 'upload.part', upload_id: id, created_at: 1 } }
  }
  if (rest === 'cancel') return { json: { ...upload.object, status: 'cancelled' } }
  const { part_ids } = JSON.parse(call.body.toString())
  const content = Buffer.concat(part_ids.map((each: string) => upload.parts.get(each)))
  if (content.length !== upload.object.bytes)
    return refusal(400, 'The number of bytes does not match.')
  const file = vendor.addFile(call.account, { ...upload.object, content })
  return { json: { ...upload.object, status: 'completed', file } }
}
