import { Fault } from '@hub/contract'
import { signWithSigV4 } from '@hub/providers'
import { Agent, type Dispatcher, request } from 'undici'
import type { App } from '../../../core/app.ts'
import { checkHost, publicLookup } from '../../upstream/connections/addresses.ts'

/** An account at S3-compatible storage, and its bucket. */
export type S3Bucket = {
  /** Scheme, host and port. */
  endpoint: string
  region: string
  name: string
  accessKey: string
  secretKey: string
  isPathStyle: boolean
}

type S3Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  key: string
  /** Each parameter has a `=`. */
  query?: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer
  signal: AbortSignal
}

export type S3Client = {
  /** Resolves with any answer. Throws `storage.failed` without one. */
  ask(request: S3Request): Promise<Dispatcher.ResponseData>
  /** Asks and reads a short answer. Throws `storage.failed` where that is no success. */
  askText(
    request: S3Request,
  ): Promise<{ headers: Dispatcher.ResponseData['headers']; text: string }>
  close(): void
}

const connectTimeoutMs = 10_000
const headersTimeoutMs = 30_000
const bodyTimeoutMs = 120_000
const textMax = 1024 * 1024

/** Calls a bucket over its own connections. It follows no redirect; private addresses depend on a setting. */
export const openBucket = (app: App, bucket: S3Bucket): S3Client => {
  const { origin, path } = addressOf(bucket)
  const isPrivateAllowed = app.settings().channels.PrivateAddressesAllowed
  if (!isPrivateAllowed) checkHost(new URL(origin).hostname)
  const lookup = isPrivateAllowed ? {} : { lookup: publicLookup }
  const dispatcher = new Agent({
    connect: { timeout: connectTimeoutMs, ...lookup },
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
  })
  const { region, accessKey: id, secretKey: secret } = bucket
  const ask: S3Client['ask'] = async ({ method, key, query, headers, body, signal }) => {
    const target = `${path}${key}${query === undefined ? '' : `?${query}`}`
    const outgoing = { method, origin, path: target, body: body ?? null }
    const signed = signWithSigV4('s3', { region, id, secret }, app, outgoing)
    const options = { dispatcher, method, signal, body: body ?? null }
    try {
      return await request(origin + target, {
        ...options,
        headers: { ...headers, ...signed.headers },
      })
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      throw failed(method, codeOf(cause), cause)
    }
  }
  return {
    ask,
    askText: async params => {
      const { statusCode, headers, body } = await ask(params)
      const text = await readText(body).catch(cause => {
        throw failed(params.method, codeOf(cause), cause)
      })
      // A multipart upload can fail after its status 200: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
      if (statusCode >= 300 || /<Error>/.test(text))
        throw failed(params.method, `${statusCode} ${reasonIn(text)}`)
      return { headers, text }
    },
    close: () => void dispatcher.destroy().catch(() => undefined),
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
const addressOf = ({ endpoint, name, isPathStyle }: S3Bucket): { origin: string; path: string } => {
  if (isPathStyle) return { origin: endpoint, path: `/${name}/` }
  const { protocol, host } = new URL(endpoint)
  const origin = `${protocol}//${name}.${host}`
  // A name cannot stand in front of an IP address.
  if (!URL.canParse(origin))
    throw new Fault('storage.failed', {
      hint: 'An IP address needs `TaskStoragePathStyleEnabled`.',
    })
  return { origin, path: '/' }
}

const failed = (method: string, reason: string, cause?: unknown): Fault =>
  new Fault('storage.failed', { hint: `\`${method}: ${reason.replaceAll('`', "'")}\``, cause })

const codeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as Record<string, unknown>
  return String(code ?? name ?? 'no answer').slice(0, 100)
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const reasonIn = (text: string): string => {
  const [, code = ''] = /<Code>([^<]{1,100})<\/Code>/.exec(text) ?? []
  const [, message = ''] = /<Message>([^<]{1,300})<\/Message>/.exec(text) ?? []
  return [code, message].filter(each => each !== '').join(': ')
}

const readText = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > textMax) throw new Fault('storage.failed', { detail: 'the answer is too long' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
