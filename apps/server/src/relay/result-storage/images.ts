import { Readable } from 'node:stream'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as storedImages from '../../db/queries/stored-images.ts'
import { randomText } from '../../lib/random.ts'
import type { RequestContext } from '../context.ts'
import { originOf } from '../request/origin.ts'
import { observeBytes } from '../response/bytes.ts'
import { writeStream } from '../response/stream-writer.ts'
import { writeHead } from '../response/write.ts'
import { safeHeaders } from './answer.ts'
import { checkSignature, linkSeconds, signedQuery } from './link.ts'
import { openStoredFile, removeStoredFile } from './open.ts'
import { saveResult } from './save.ts'

const saveTimeoutMs = 30_000
const listedMax = 200

const subjectOf = (name: string): string => `image ${name}`

type NewImage = { bytes: Buffer; type: string }

/** Stores an image until its link expires. Returns the signed address of it. */
export const storeImage = async (
  app: App,
  context: RequestContext,
  { bytes, type }: NewImage,
): Promise<string> => {
  const name = `image-${randomText()}`
  const saved = await saveResult(app, {
    name,
    content: Readable.from([bytes]),
    expectedSize: bytes.length,
    signal: AbortSignal.timeout(saveTimeoutMs),
  })
  const expires_at = nowSeconds(app) + linkSeconds
  await storedImages.add(app.callDb, { name, type, expires_at, ...saved })
  return `${originOf(context)}/v1/images/files/${name}?${signedQuery(app, subjectOf(name))}`
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

/** Deletes the images whose links have expired. Idempotent. */
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
