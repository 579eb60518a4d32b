import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../../../../test/harness/addresses/keep-alive.ts'

const partMin = 5 * 1024 ** 2
const skewMs = 15 * 60_000

type S3Refusal = { status: number; code: string }
type StoredPart = { tag: string; size: number; body: Buffer }
type StoredUpload = { key: string; parts: Map<number, StoredPart> }
export type S3Call = { method: string; key: string; query: URLSearchParams; size: number }

/** A bucket as S3 serves it at the first folder of the path. It checks signatures by its own computation. */
export class S3Server {
  readonly accessKey = 'AKIDTASKSTORAGE'
  readonly secretKey = randomBytes(20).toString('hex')
  readonly region = 'eu-central-1'
  readonly bucket = 'task-results'
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, StoredUpload>()
  readonly calls: S3Call[] = []
  now: () => number = Date.now
  /** False: parts are checked and counted, but not stored, for tests of large results. */
  isStoring = true
  /** Refuses a call that would succeed, or holds it back. */
  refuse: (call: S3Call) => S3Refusal | undefined | Promise<S3Refusal | undefined> = () => undefined
  url = ''
  readonly #server = createServer(
    keepAlive,
    (request, response) => void this.#serve(request, response),
  )

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  /** The settings of a gateway that copies results to it. */
  get settings() {
    return {
      TaskStorageEndpoint: `${this.url}/`,
      TaskStorageRegion: this.region,
      TaskStorageBucket: this.bucket,
      TaskStorageAccessKey: this.accessKey,
      TaskStorageSecretKey: this.secretKey,
      TaskStoragePathStyleEnabled: 'true',
      TaskStorageEnabled: 'true',
    }
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    const url = new URL(request.url!, this.url)
    const [, bucket, ...names] = url.pathname.split('/')
    const key = names.map(decodeURIComponent).join('/')
    const call = { method: request.method!, key, query: url.searchParams, size: body.length }
    this.calls.push(call)
    const refusal =
      this.#refusalOf(request, { url, body }) ??
      (bucket === this.bucket ? await this.refuse(call) : { status: 404, code: 'NoSuchBucket' })
    if (refusal) answerError(response, refusal)
    else this.#answer(call, { request, response, body })
  }

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
  #refusalOf(
    { method, headers }: IncomingMessage,
    { url, body }: { url: URL; body: Buffer },
  ): S3Refusal | undefined {
    const [, id, day, region, names, signature] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? []
    const date = String(headers['x-amz-date'])
    if (!id || !day || !names || !date.startsWith(day)) return { status: 403, code: 'AccessDenied' }
    if (id !== this.accessKey) return { status: 403, code: 'InvalidAccessKeyId' }
    if (region !== this.region) return { status: 400, code: 'AuthorizationHeaderMalformed' }
    const at = Date.parse(
      date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    )
    if (!(Math.abs(at - this.now()) < skewMs)) return { status: 403, code: 'RequestTimeTooSkewed' }
    const signed = names.split(';')
    const mustBeSigned = Object.keys(headers).filter(
      each => each === 'host' || each === 'content-type' || each.startsWith('x-amz-'),
    )
    if (mustBeSigned.some(each => !signed.includes(each)))
      return { status: 403, code: 'AccessDenied' }
    const hash = createHash('sha256').update(body).digest('hex')
    if (headers['x-amz-content-sha256'] !== hash)
      return { status: 400, code: 'XAmzContentSHA256Mismatch' }
    const expected = signatureOf({
      ...{ method: method!, url, hash, date, region: this.region, secret: this.secretKey },
      headers: signed.map(each => [each, String(headers[each] ?? '').trim()]),
    })
    if (signature !== expected) return { status: 403, code: 'SignatureDoesNotMatch' }
    const hasBody = method === 'PUT' || method === 'POST'
    if (hasBody && headers['content-length'] === undefined)
      return { status: 411, code: 'MissingContentLength' }
    if (hasBody && Number(headers['content-length']) !== body.length)
      return { status: 400, code: 'IncompleteBody' }
    return undefined
  }

  #answer(
    { method, key, query }: S3Call,
    {
      request,
      response,
      body,
    }: { request: IncomingMessage; response: ServerResponse; body: Buffer },
  ): void {
    const id = query.get('uploadId')
    if (method === 'POST' && query.has('uploads')) this.#startUpload(key, response)
    else if (id !== null) this.#serveUpload(id, { method, query, body, response })
    else if (method === 'PUT') {
      this.objects.set(key, body)
      response.writeHead(200, { etag: tagOf(body) }).end()
    } else if (method === 'DELETE') {
      this.objects.delete(key)
      response.writeHead(204).end()
    } else this.#read(key, request.headers.range, response)
  }

  #read(key: string, range: string | undefined, response: ServerResponse): void {
    const object = this.objects.get(key)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const part = from ? object?.subarray(Number(from), Number(to) + 1) : object
    if (!part) answerError(response, { status: 404, code: 'NoSuchKey' })
    else if (from && part.length === 0) answerError(response, { status: 416, code: 'InvalidRange' })
    else {
      const headers = { 'content-length': part.length, 'content-type': 'binary/octet-stream' }
      response.writeHead(from ? 206 : 200, headers).end(part)
    }
  }

  #startUpload(key: string, response: ServerResponse): void {
    // Characters that a query must encode.
    const id = `${randomBytes(6).toString('hex')}+/=(*)`
    this.uploads.set(id, { key, parts: new Map() })
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<InitiateMultipartUploadResult><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    )
  }

  #serveUpload(
    id: string,
    {
      method,
      query,
      body,
      response,
    }: { method: string; query: URLSearchParams; body: Buffer; response: ServerResponse },
  ): void {
    const upload = this.uploads.get(id)
    if (!upload) answerError(response, { status: 404, code: 'NoSuchUpload' })
    else if (method === 'PUT') {
      const tag = tagOf(body)
      const stored = this.isStoring ? body : Buffer.alloc(0)
      upload.parts.set(Number(query.get('partNumber')), { tag, size: body.length, body: stored })
      response.writeHead(200, { etag: tag }).end()
    } else if (method === 'DELETE') {
      this.uploads.delete(id)
      response.writeHead(204).end()
    } else this.#completeUpload(id, upload, body.toString(), response)
  }

  /** Refuses parts that are too small after the status line, as S3 may: its answer has already begun by then. */
  #completeUpload(
    id: string,
    { key, parts }: StoredUpload,
    ...[list, response]: [string, ServerResponse]
  ): void {
    const named = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)].map(
      ([, number, tag]) => ({ number: Number(number), tag: tag!.replaceAll('&quot;', '"') }),
    )
    const found = named.map(({ number, tag }) => {
      const part = parts.get(number)
      return part?.tag === tag ? part : undefined
    })
    const isOrdered = named.every((each, at) => at === 0 || each.number > named[at - 1]!.number)
    if (named.length === 0 || !isOrdered || found.includes(undefined))
      answerError(response, { status: 400, code: 'InvalidPart' })
    else if (found.slice(0, -1).some(each => each!.size < partMin))
      answerError(response, { status: 200, code: 'EntityTooSmall' })
    else {
      this.objects.set(key, Buffer.concat(found.map(each => each!.body)))
      this.uploads.delete(id)
      response.writeHead(200).end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
  }
}

const tagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`

const answerError = (response: ServerResponse, { status, code }: S3Refusal): void => {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused: ${code}</Message></Error>`,
  )
}

type SignedRequest = {
  method: string
  url: URL
  headers: [string, string][]
  hash: string
  date: string
  region: string
  secret: string
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const signatureOf = ({
  method,
  url,
  headers,
  hash,
  date,
  region,
  secret,
}: SignedRequest): string => {
  const path = url.pathname.split('/').map(each => encoded(decodeURIComponent(each)))
  const query = [...url.searchParams]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
  const canonicalHeaders = headers.map(([name, value]) => `${name}:${value}\n`).join('')
  const names = headers.map(([name]) => name).join(';')
  const canonical = `${method}\n${path.join('/')}\n${query.join('&')}\n${canonicalHeaders}\n${names}\n${hash}`
  const day = date.slice(0, 8)
  const canonicalHash = createHash('sha256').update(canonical).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${canonicalHash}`
  const dayKey = mac(Buffer.from(`AWS4${secret}`), day)
  const key = mac(mac(mac(dayKey, region), 's3'), 'aws4_request')
  return mac(key, text).toString('hex')
}

const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map(byte => {
      const sign = String.fromCharCode(byte)
      return /[A-Za-z\d._~-]/.test(sign)
        ? sign
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
