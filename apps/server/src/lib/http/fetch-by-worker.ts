import { request } from 'undici'
import {
  type FetchFailure,
  type FetchLimits,
  type FetchResult,
  isFetchable,
} from './fetch-guarded.ts'
import { fileTypeOf } from './file-type.ts'

/** A server of the operator that fetches files: One Hub's protocol for Cloudflare workers. */
export type FetchWorker = { url: string; key: string }

const failed = (reason: FetchFailure, status?: number): FetchResult => ({
  ok: false,
  reason,
  ...(status === undefined ? {} : { status }),
})

/**
 * Lets a worker fetch a file. The address is checked here first, because the worker may stand in a private network. Its
 * answer is `{status, data, mimeType}` with the file as base64. Never rejects.
 */
export const fetchByWorker = async (
  url: string,
  worker: FetchWorker,
  limits: FetchLimits,
): Promise<FetchResult> => {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = AbortSignal.any([timeout, limits.signal])
  try {
    if (!(await isFetchable(url, limits.rules, signal))) return failed('address')
    return await ask(url, worker, limits, signal)
  } catch {
    if (limits.signal.aborted) return failed('cancelled')
    return failed(timeout.aborted ? 'timeout' : 'connection')
  }
}

const ask = async (
  url: string,
  worker: FetchWorker,
  { types, bytesMax, takeBytes }: FetchLimits,
  signal: AbortSignal,
): Promise<FetchResult> => {
  const { statusCode, body } = await request(worker.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'One-Hub' },
    body: JSON.stringify({ action: 'base64', api_key: worker.key, url }),
    signal,
  })
  body.on('error', () => undefined)
  if (statusCode !== 200) return failed('status', statusCode)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > (bytesMax / 3) * 4 + 4_096) return failed('size')
    if (!takeBytes(Math.ceil((chunk.length * 3) / 4))) return failed('cancelled')
    chunks.push(chunk)
  }
  const file = fileIn(Buffer.concat(chunks).toString())
  const mime = file && fileTypeOf(file)
  return mime !== undefined && types.has(mime)
    ? { ok: true, mime, chunks: [file!] }
    : failed('type')
}

const fileIn = (text: string): Buffer | undefined => {
  const answer = JSON.parse(text) as { data?: unknown } | null
  return typeof answer?.data === 'string' ? Buffer.from(answer.data, 'base64') : undefined
}
