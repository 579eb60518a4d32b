import { addAbortSignal, type Readable } from 'node:stream'
import type { App } from '../../core/app.ts'
import type { Abortable } from '../context.ts'
import { openBucket, type S3Bucket } from './s3/client.ts'
import { uploadObject } from './s3/upload.ts'
import { findBucket, objectKey } from './storage.ts'

const removeTimeoutMs = 30_000

type NewObject = { name: string; content: Readable; signal: AbortSignal }
type StoredObject = { size: number; location: string }

/** Uploads a copy. Throws `storage.failed`. */
export const saveObject = async (
  app: App,
  bucket: S3Bucket,
  { name, content, signal }: NewObject,
): Promise<StoredObject> => {
  const key = objectKey(app, name)
  const client = openBucket(app, bucket)
  try {
    addAbortSignal(signal, content)
    const size = await uploadObject(client, content, { key, signal })
    return { size, location: baseOf(bucket) + key }
  } finally {
    client.close()
  }
}

/** The place that the present settings give to a copy. */
export const objectLocation = (app: App, bucket: S3Bucket, name: string): string =>
  baseOf(bucket) + objectKey(app, name)

/** Names the bucket in each location, so that keys are never looked for in another one. */
const baseOf = ({ endpoint, name }: S3Bucket): string => `${endpoint}/${name}/`

/** The bucket that has a copy. Undefined: the settings name another one by now. */
const findObject = (app: App, location: string): { bucket: S3Bucket; key: string } | undefined => {
  const bucket = findBucket(app)
  const base = bucket && baseOf(bucket)
  if (!bucket || !base || !location.startsWith(base)) return undefined
  return { bucket, key: location.slice(base.length) }
}

type WantedObject = { location: string; size: number; part?: { start: number; end: number } }

/** Opens a copy, or a part of it. Undefined: the storage has none of this size. */
export const openObject = async (
  app: App,
  context: Abortable,
  { location, size, part }: WantedObject,
): Promise<{ body: Readable; close(): void } | undefined> => {
  const found = findObject(app, location)
  if (!found) return undefined
  const client = openBucket(app, found.bucket)
  const controller = new AbortController()
  context.abort.onAbort = () => controller.abort()
  try {
    const headers: Record<string, string> = part ? { range: `bytes=${part.start}-${part.end}` } : {}
    const { key } = found
    const request = { method: 'GET' as const, key, headers, signal: controller.signal }
    const { statusCode, headers: got, body } = await client.ask(request)
    body.on('error', () => undefined)
    if (statusCode === (part ? 206 : 200) && Number(got['content-length']) === size)
      return { body, close: client.close }
    app.log.warn({ location, status: statusCode }, 'a copy is not in its storage')
    client.close()
    return undefined
  } catch (error) {
    client.close()
    throw error
  } finally {
    context.abort.onAbort = undefined
  }
}

/** Deletes a copy; one that is gone already counts as deleted. Returns false where the settings name another bucket. */
export const removeObject = async (app: App, location: string): Promise<boolean> => {
  const found = findObject(app, location)
  if (!found) return false
  const client = openBucket(app, found.bucket)
  try {
    const signal = AbortSignal.timeout(removeTimeoutMs)
    await client.askText({ method: 'DELETE', key: found.key, signal })
    return true
  } finally {
    client.close()
  }
}
