import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'
import type { Json } from '../relay-hub.ts'

export type GeminiCall = {
  method: string
  path: string
  query: URLSearchParams
  account: string
  headers: IncomingHttpHeaders
  body: Buffer
}

type Upload = { account: string; metadata: Json; headers: IncomingHttpHeaders; content: Buffer }

/** A vendor that stores files and prompts by Google's rules, each in the account of one key. */
export type GeminiVendor = {
  url: string
  calls: GeminiCall[]
  uploads: Map<string, Upload & { isOver: boolean }>
  files: Map<string, { account: string; object: Json; content: Buffer }>
  caches: Map<string, { account: string; object: Json; request: Json }>
  /** The tokens of the next prompt that is stored. */
  cacheTokens: number | undefined
  now(): number
  close(): Promise<void>
}

type GeminiAnswer = { status?: number; json?: unknown; headers?: Record<string, string> }

const publicAddress = 'https://generativelanguage.googleapis.com'

const refusal = (code: number, status: string, message: string): GeminiAnswer => ({
  status: code,
  json: { error: { code, message, status } },
})
const invalid = (message: string) => refusal(400, 'INVALID_ARGUMENT', message)
// Google answers for names of others and for names that never were alike.
const noFile = (name: string) =>
  refusal(
    403,
    'PERMISSION_DENIED',
    `You do not have permission to access the File ${name.slice(6)} or it may not exist.`,
  )
const noCache = refusal(403, 'PERMISSION_DENIED', 'CachedContent not found (or permission denied)')

export const startGeminiVendor = async (now: () => number): Promise<GeminiVendor> => {
  const vendor: GeminiVendor = {
    ...{ url: '', calls: [], uploads: new Map(), files: new Map(), caches: new Map() },
    ...{ cacheTokens: 0, now, close: async () => {} },
  }
  const server = createServer(keepAlive, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call: GeminiCall = {
      method: request.method ?? '',
      // A channel may reach the vendor through a proxy with a path.
      path: pathname.replace(/^\/proxy/, ''),
      query: searchParams,
      account: String(request.headers['x-goog-api-key'] ?? ''),
      headers: request.headers,
      body: Buffer.concat(chunks),
    }
    vendor.calls.push(call)
    const { status = 200, json, headers = {} } = answerTo(vendor, call)
    const type = json === undefined ? {} : { 'content-type': 'application/json; charset=UTF-8' }
    response.writeHead(status, { ...type, ...headers })
    response.end(json === undefined ? '' : JSON.stringify(json))
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

const answerTo = (vendor: GeminiVendor, call: GeminiCall): GeminiAnswer => {
  if (call.path === '/upload/v1beta/files') return serveUpload(vendor, call)
  const [, name] = /^\/v1beta\/((?:files|cachedContents)\/[\w-]+)$/.exec(call.path) ?? []
  if (name?.startsWith('files/')) return serveFile(vendor, call, name)
  if (name !== undefined) return serveCache(vendor, call, name)
  if (call.path === '/v1beta/cachedContents') return createCache(vendor, call)
  const [, model, action] = /^\/v1beta\/models\/([^:]+):(\w+)$/.exec(call.path) ?? []
  if (model !== undefined && action === 'generateContent') return generate(vendor, call, model)
  return refusal(404, 'NOT_FOUND', `Not found: ${call.method} ${call.path}`)
}

/**
 * “Save the resumable session URL from the response header X-Goog-Upload-URL to use in subsequent upload requests”;
 * “X-Goog-Upload-Command: start | upload, finalize | query”:
 * https://developers.google.com/streetview/publish/resumable-uploads
 */
const serveUpload = (vendor: GeminiVendor, call: GeminiCall): GeminiAnswer => {
  const { headers, query } = call
  const command = String(headers['x-goog-upload-command'])
  if (query.has('upload_id')) return continueUpload(vendor, call, command.split(/, */))
  if (headers['x-goog-upload-protocol'] !== 'resumable' || command !== 'start')
    return invalid('Unsupported upload protocol.')
  if (call.account === '') return refusal(403, 'PERMISSION_DENIED', 'The request has no key.')
  const id = randomBytes(12).toString('base64url')
  const metadata = JSON.parse(call.body.toString() || '{}')
  vendor.uploads.set(id, {
    ...{ account: call.account, metadata, headers, content: Buffer.alloc(0), isOver: false },
  })
  const address = `${publicAddress}/upload/v1beta/files?upload_id=${id}&upload_protocol=resumable`
  return {
    headers: {
      'x-goog-upload-status': 'active',
      'x-goog-upload-url': address,
      'x-goog-upload-control-url': address,
      'x-goog-upload-chunk-granularity': '262144',
    },
  }
}

const continueUpload = (
  vendor: GeminiVendor,
  call: GeminiCall,
  commands: string[],
): GeminiAnswer => {
  const upload = vendor.uploads.get(call.query.get('upload_id') ?? '')
  if (!upload) return refusal(404, 'NOT_FOUND', 'The upload does not exist.')
  const received = String(upload.content.length)
  if (commands.includes('query'))
    return {
      headers: {
        'x-goog-upload-status': upload.isOver ? 'final' : 'active',
        'x-goog-upload-size-received': received,
      },
    }
  if (commands.includes('cancel')) {
    upload.isOver = true
    return { headers: { 'x-goog-upload-status': 'cancelled' } }
  }
  if (upload.isOver) return invalid('Upload has already been terminated.')
  if (call.headers['x-goog-upload-offset'] !== received)
    return invalid(`X-Goog-Upload-Offset must be ${received}.`)
  const isLast = commands.includes('finalize')
  // “Every chunk but the last must be a multiple of the granularity.”
  if (!isLast && call.body.length % 262_144 !== 0) return invalid('A chunk has a wrong size.')
  upload.content = Buffer.concat([upload.content, call.body])
  if (!isLast) return { headers: { 'x-goog-upload-status': 'active' } }
  const size = upload.headers['x-goog-upload-header-content-length']
  if (String(upload.content.length) !== size) return invalid('The size does not match.')
  upload.isOver = true
  return { json: { file: addFile(vendor, upload) }, headers: { 'x-goog-upload-status': 'final' } }
}

/** https://ai.google.dev/api/files#File; files are deleted after 48 hours. */
const addFile = (vendor: GeminiVendor, { account, metadata, headers, content }: Upload): Json => {
  const name = metadata.file?.name ?? `files/${randomBytes(6).toString('hex')}`
  const object = {
    name,
    displayName: metadata.file?.displayName,
    mimeType: headers['x-goog-upload-header-content-type'],
    sizeBytes: String(content.length),
    createTime: new Date(vendor.now()).toISOString(),
    expirationTime: new Date(vendor.now() + 48 * 3_600_000).toISOString(),
    uri: `${publicAddress}/v1beta/${name}`,
    state: 'PROCESSING',
    source: 'UPLOADED',
  }
  vendor.files.set(name, { account, object, content })
  return object
}

const serveFile = (
  vendor: GeminiVendor,
  { method, account }: GeminiCall,
  name: string,
): GeminiAnswer => {
  const file = vendor.files.get(name)
  if (file?.account !== account) return noFile(name)
  if (method === 'DELETE') vendor.files.delete(name)
  return { json: method === 'DELETE' ? {} : { ...file.object, state: 'ACTIVE' } }
}

const expiryOf = (vendor: GeminiVendor, { ttl, expireTime }: Json): string =>
  expireTime ??
  // “If not set, the TTL defaults to 1 hour”: https://ai.google.dev/gemini-api/docs/caching
  new Date(vendor.now() + Number.parseFloat(ttl ?? '3600s') * 1_000).toISOString()

/** https://ai.google.dev/api/caching#method:-cachedcontents.create */
const createCache = (vendor: GeminiVendor, { account, body }: GeminiCall): GeminiAnswer => {
  const request = JSON.parse(body.toString())
  if (!/^models\/\w/.test(request.model ?? '')) return invalid('model is required')
  for (const each of filesIn(request))
    if (vendor.files.get(each)?.account !== account) return noFile(each)
  const object = {
    name: `cachedContents/${randomBytes(8).toString('hex')}`,
    model: request.model,
    displayName: request.displayName,
    createTime: new Date(vendor.now()).toISOString(),
    expireTime: expiryOf(vendor, request),
    ...(vendor.cacheTokens !== undefined && {
      usageMetadata: { totalTokenCount: vendor.cacheTokens },
    }),
  }
  vendor.caches.set(object.name, { account, object, request })
  return { json: object }
}

const serveCache = (vendor: GeminiVendor, call: GeminiCall, name: string): GeminiAnswer => {
  const cache = vendor.caches.get(name)
  if (cache?.account !== call.account) return noCache
  if (call.method === 'DELETE') {
    vendor.caches.delete(name)
    return { json: {} }
  }
  if (call.method === 'PATCH') {
    const fields = JSON.parse(call.body.toString())
    // “Updates CachedContent resource (only expiration is updatable).”
    if (Object.keys(fields).some(each => each !== 'ttl' && each !== 'expireTime'))
      return invalid('Only the expiration can be updated.')
    cache.object.expireTime = expiryOf(vendor, fields)
  }
  return { json: cache.object }
}

const generate = (
  vendor: GeminiVendor,
  { account, body }: GeminiCall,
  model: string,
): GeminiAnswer => {
  const request = JSON.parse(body.toString())
  for (const each of filesIn(request))
    if (vendor.files.get(each)?.account !== account) return noFile(each)
  const cache = vendor.caches.get(request.cachedContent)
  if (request.cachedContent !== undefined) {
    if (cache?.account !== account) return noCache
    if (cache.object.model !== `models/${model}`)
      return invalid('Model used by GenerateContent request and CachedContent has to be the same.')
    if (request.systemInstruction || request.tools || request.toolConfig)
      return invalid('CachedContent can not be used with system_instruction, tools or tool_config.')
  }
  const cached = cache?.object.usageMetadata?.totalTokenCount ?? 0
  return {
    json: {
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Read.' }] }, finishReason: 'STOP' },
      ],
      usageMetadata: {
        promptTokenCount: cached + 5,
        ...(cached > 0 && { cachedContentTokenCount: cached }),
        candidatesTokenCount: 2,
        totalTokenCount: cached + 7,
      },
      modelVersion: model,
    },
  }
}

const filesIn = (request: Json): string[] =>
  [...JSON.stringify(request).matchAll(/"fileUri":"[^"]*\/(files\/[\w-]+)"/g)].map(([, id]) => id!)
