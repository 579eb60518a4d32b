import { Fault } from '@hub/contract'
import type { S3Client } from './client.ts'

/** A multipart upload has parts of at least 5 MiB, at most 10,000 of them, and at some services all of one size. */
const partBytes = 8 * 1024 ** 2
const abortTimeoutMs = 10_000

type Upload = { key: string; signal: AbortSignal }

/**
 * Uploads a stream, of which one part is in memory at a time. A stream shorter than a part is one request. Returns its size.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 */
export const uploadObject = async (
  client: S3Client,
  content: AsyncIterable<Buffer>,
  upload: Upload,
): Promise<number> => {
  let uploadId: string | undefined
  const tags: string[] = []
  let size = 0
  try {
    for await (const part of partsOf(content)) {
      size += part.length
      if (uploadId === undefined && part.length < partBytes) {
        await client.askText({ ...upload, method: 'PUT', body: part })
        return size
      }
      uploadId ??= await startUpload(client, upload)
      if (part.length > 0)
        tags.push(await uploadPart(client, upload, { uploadId, number: tags.length + 1, part }))
    }
    await completeUpload(client, upload, { uploadId: uploadId!, tags })
    return size
  } catch (error) {
    if (uploadId !== undefined) await abortUpload(client, upload.key, uploadId)
    throw error
  }
}

/** Every part has the same size, except for the last one, which may be empty. A part is valid until the next one. */
const partsOf = async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafe(partBytes)
  let filled = 0
  for await (const chunk of content)
    for (let taken = 0; taken < chunk.length; ) {
      const copied = chunk.copy(part, filled, taken)
      taken += copied
      filled += copied
      if (filled < partBytes) continue
      yield part
      filled = 0
    }
  yield part.subarray(0, filled)
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
const startUpload = async (client: S3Client, upload: Upload): Promise<string> => {
  const { text } = await client.askText({ ...upload, method: 'POST', query: 'uploads=' })
  const [, id] = /<UploadId>([^<]+)<\/UploadId>/.exec(text) ?? []
  if (id === undefined) throw new Fault('storage.failed', { detail: 'no upload id' })
  return id
}

type Part = { uploadId: string; number: number; part: Buffer }

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
const uploadPart = async (
  client: S3Client,
  upload: Upload,
  { uploadId, number, part }: Part,
): Promise<string> => {
  const query = `partNumber=${number}&${queryOf(uploadId)}`
  const { headers } = await client.askText({ ...upload, method: 'PUT', query, body: part })
  if (typeof headers.etag !== 'string') throw new Fault('storage.failed', { detail: 'no etag' })
  return headers.etag
}

type Completion = { uploadId: string; tags: readonly string[] }

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
const completeUpload = async (
  client: S3Client,
  upload: Upload,
  { uploadId, tags }: Completion,
): Promise<void> => {
  const parts = tags.map(
    (tag, at) =>
      `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
  )
  const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
  const body = `<CompleteMultipartUpload xmlns="${xmlns}">${parts.join('')}</CompleteMultipartUpload>`
  await client.askText({
    ...upload,
    method: 'POST',
    query: queryOf(uploadId),
    body: Buffer.from(body),
  })
}

/** The parts of an upload that is not ended cost storage. A failure leaves them to the bucket's own rule. */
const abortUpload = async (client: S3Client, key: string, uploadId: string): Promise<void> => {
  const signal = AbortSignal.timeout(abortTimeoutMs)
  const request = { method: 'DELETE' as const, key, query: queryOf(uploadId), signal }
  await client.askText(request).catch(() => undefined)
}

/** Leaves only the unreserved characters of RFC 3986 as they are, because the query is signed as it is sent. */
const queryOf = (uploadId: string): string =>
  `uploadId=${encodeURIComponent(uploadId).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`
