import type { Readable } from 'node:stream'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import { filePath, saveFile } from './file.ts'
import { objectLocation, saveObject } from './object.ts'
import type { S3Bucket } from './s3/client.ts'
import { findBucket } from './storage.ts'

/** A file in the storage of results. */
export type SavedFile = {
  size: number
  /** The address of the object in S3-compatible storage. Null: it lies in the data folder. */
  location: string | null
}

type NewFile = { name: string; content: Readable; expectedSize: number; signal: AbortSignal }

/** Results of calls are stored only where the operator keeps results of tasks. */
export const storesResults = (app: App): boolean => app.settings().tasks.TaskCopyDays > 0

const wantedBucket = (app: App): S3Bucket | undefined =>
  app.settings().taskStorage.TaskStorageEnabled ? findBucket(app) : undefined

/** The location of a file that is saved now. */
export const nextLocation = (app: App, name: string): SavedFile['location'] => {
  const bucket = wantedBucket(app)
  return bucket ? objectLocation(app, bucket, name) : null
}

/** Saves a file where the settings want it. */
export const saveResult = async (
  app: App,
  { name, content, expectedSize, signal }: NewFile,
): Promise<SavedFile> => {
  const bucket = wantedBucket(app)
  try {
    if (bucket)
      return await withReport(app, () => saveObject(app, bucket, { name, content, signal }))
    const path = filePath(app, name)
    return { size: await saveFile(app, { path, content, expectedSize, signal }), location: null }
  } finally {
    content.destroy()
  }
}

/** Reports what the storage refused. A broken answer of the vendor does not count as its failure. */
const withReport = async <T>(app: App, work: () => Promise<T>): Promise<T> => {
  try {
    const saved = await work()
    await reportSuccess(app, { service: 'task_storage' })
    return saved
  } catch (error) {
    if (error instanceof Fault && error.code === 'storage.failed')
      await reportFailure(app, { service: 'task_storage' }, error)
    throw error
  }
}
