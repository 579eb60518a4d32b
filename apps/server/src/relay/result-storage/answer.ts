import type { Readable } from 'node:stream'
import { Fault } from '@hub/contract'
import type { Answer } from '../upstream/send.ts'

/** The largest result that is passed on. */
export const bytesMax = 2 * 1024 ** 3

/** A browser must never run a result as a page of this origin. */
export const safeHeaders = ['content-security-policy', "default-src 'none'; sandbox"]

/** A stream as the answer of an upstream. */
export const answerOf = (status: number, headers: Answer['headers'], body: Readable): Answer => {
  body.on('error', () => undefined)
  return {
    status,
    headers,
    read: reader => {
      let size = 0
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > bytesMax) body.destroy(new Fault('stored.unavailable', { detail: 'too large' }))
        else reader.data(chunk)
      })
      body.on('end', () => reader.end())
      body.on('error', cause => reader.broke(new Fault('upstream.broken', { cause })))
    },
    pause: () => void body.pause(),
    resume: () => void body.resume(),
    drop: () => {
      body.removeAllListeners('data').removeAllListeners('end').destroy()
    },
  }
}
