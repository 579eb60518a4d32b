import { Readable } from 'node:stream'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as storedImages from '../../db/queries/stored-images.ts'
import { randomText } from '../../lib/random.ts'
import type { CallContext, RequestContext } from '../context.ts'
import { originOf } from '../request/origin.ts'
import { observeBytes } from '../response/bytes.ts'
import { writeStream } from '../response/stream-writer.ts'
import { writeHead } from '../response/write.ts'
import { safeHeaders } from './answer.ts'
import { checkSignature, linkSeconds, signedQuery } from './link.ts'
import { openStoredFile, removeStoredFile } from './open.ts'
import { nextLocation, saveResult } from './save.ts'

const saveTimeoutMs = 30_000
const listedMax = 200

const subjectOf = (name: string): string => `image ${name}`

/** Limits the images of one user that have not expired. */
const userBytesMax = 1024 ** 3

type NewImage = { bytes: Buffer; type: string }

/** Stores an image until its link expires. Returns the signed address of it, or undefined where its user has no room. */
export const storeImage = async (
  app: App,
  context: CallContext,
  image: NewImage,
): Promise<string | undefined> => {
  const name = `image-${randomText()}`
  if (!(await reserveImage(app, context, name, image))) return undefined
  try {
    await saveImage(app, name, image.bytes)
  } catch (error) {
    // The storage may have it, although it did not say so.
    await storedImages.expire(app.callDb, name)
    throw error
  }
  return `${originOf(context)}/v1/images/files/${name}?${signedQuery(app, subjectOf(name))}`
}

/** Its row comes before its file, so that a crash leaves no file that nobody knows. Resolves with false beyond the limit. */
const reserveImage = async (
  app: App,
  { caller: { userId } }: CallContext,
  name: string,
  { bytes, type }: NewImage,
): Promise<boolean> => {
  const now = nowSeconds(app)
  const file = { name, type, size: bytes.length, location: nextLocation(app, name) }
  await storedImages.add(app.callDb, { ...file, user_id: userId, expires_at: now + linkSeconds })
  // The sum has the new row and those of calls at the same time, so that they never exceed the limit together.
  if ((await storedImages.bytesOf(app.callDb, { userId, now })) <= userBytesMax) return true
  await storedImages.remove(app.callDb, name)
  return false
}

/** Throws where it cannot be saved, or its user was deleted meanwhile. */
const saveImage = async (app: App, name: string, bytes: Buffer): Promise<void> => {
  const saved = await saveResult(app, {
    name,
    content: Readable.from([bytes]),
    expectedSize: bytes.length,
    signal: AbortSignal.timeout(saveTimeoutMs),
  })
  const now = nowSeconds(app)
  const row = { ...saved, expires_at: now + linkSeconds }
  if (await storedImages.setSaved(app.callDb, { name, now }, row)) return
  // The job may have deleted its row before it had a file.
  await removeStoredFile(app, { name, ...saved }, () => storedImages.remove(app.callDb, name))
  throw new Fault('stored.unavailable', { detail: 'its user is deleted' })
}

/** Sends an image to whoever has its signed address. */
export const serveImage = async (app: App, context: RequestContext): Promise<void> => {
  context.request.resume()
  const name = context.path.slice(context.path.lastIndexOf('/') + 1)
  checkSignature(app, subjectOf(name), new URLSearchParams(context.query))
  const image = await storedImages.find(app.callDb, { name, now: nowSeconds(app) })
  const { range } = context.request.headers
  const opened = image && (await openStoredFile(app, context, image, range))
  if (!opened) throw new Fault('stored.unavailable')
  const { answer, close } = opened
  try {
    const stored = Object.entries(answer.headers).flatMap(([key, value]) => [key, String(value)])
    const headers = [...stored, ...safeHeaders]
    if (answer.status === 206) writeHead(context, 206, headers)
    const delivered = await writeStream(app, context, {
      answer,
      observer: observeBytes(),
      hooks: {
        headers,
        beforeEnd: () => undefined,
        faultOf: () => new Fault('upstream.broken'),
      },
    })
    if (!delivered.ok) throw delivered.fault
  } finally {
    close()
  }
}

/** Deletes the images whose links have expired, and those of deleted users. Idempotent. */
export const removeExpiredImages = async (app: App): Promise<void> => {
  const now = nowSeconds(app)
  let after = ''
  while (!app.stopping()) {
    const rows = await storedImages.listExpired(app.db, { now, limit: listedMax, after })
    for (const row of rows)
      await removeStoredFile(app, row, () => storedImages.remove(app.db, row.name))
    if (rows.length < listedMax) return
    after = rows.at(-1)!.name
  }
}
