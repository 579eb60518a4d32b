import { randomBytes } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'
import { openBucket, type S3Bucket } from './s3/client.ts'

const testTimeoutMs = 20_000

/** The bucket of the settings. Undefined: they are not complete. */
export const findBucket = (app: App): S3Bucket | undefined => {
  const { taskStorage } = app.settings()
  const bucket = {
    endpoint: taskStorage.TaskStorageEndpoint,
    region: taskStorage.TaskStorageRegion,
    name: taskStorage.TaskStorageBucket,
    accessKey: taskStorage.TaskStorageAccessKey,
    secretKey: openSecret(app, 'TaskStorageSecretKey'),
  }
  if (Object.values(bucket).includes('')) return undefined
  return { ...bucket, isPathStyle: taskStorage.TaskStoragePathStyleEnabled }
}

/** The name of an object under the prefix of the settings. */
export const objectKey = (app: App, name: string): string =>
  app.settings().taskStorage.TaskStoragePrefix + name

/** Writes, reads in part and deletes an object. Throws `storage.unset` or `storage.failed`. */
export const testTaskStorage = async (app: App): Promise<void> => {
  const bucket = findBucket(app)
  if (!bucket) throw new Fault('storage.unset')
  const client = openBucket(app, bucket)
  const key = objectKey(app, `test-${randomBytes(8).toString('hex')}`)
  const request = { key, signal: AbortSignal.timeout(testTimeoutMs) }
  const body = Buffer.from(randomBytes(16).toString('hex'))
  try {
    await client.askText({ ...request, method: 'PUT', body })
    const { text } = await client.askText({
      ...request,
      method: 'GET',
      headers: { range: 'bytes=8-15' },
    })
    await client.askText({ ...request, method: 'DELETE' })
    if (text !== body.toString().slice(8, 16))
      throw new Fault('storage.failed', { hint: 'It did not return the part that was asked for.' })
  } finally {
    client.close()
  }
}
