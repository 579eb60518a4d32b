import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Script } from './script.ts'

/** The vendor's record of one request, which tests compare with the client and the ledger. */
export type Served = {
  n: number
  /** The part of the path before `/v1`: which channel called. */
  channel: string
  path: string
  model: string
  /** The body's `user`: tests mark requests with it. */
  mark: string
  credential: string
  headers: IncomingMessage['headers']
  body: Buffer
  /** Which socket carried it. */
  socket: number
  at: number
  /** Pieces of text that were handed to the socket. */
  pieces: number
  bytes: number
  /** The usage that it reported, or would have reported. */
  promptTokens: number
  outputTokens: number
  /** Everything was sent, the closing frame too. */
  complete: boolean
  /** When the other side went away, or the answer was over. */
  closedAt: number | undefined
  /** Milliseconds that writes waited for the reader. */
  blockedMs: number
}

export type Turn = {
  request: IncomingMessage
  response: ServerResponse
  script: Script
  stream: boolean
  wantsUsage: boolean
  served: Served
  canary: string
}

export const gone = ({ response }: Turn): boolean => response.destroyed || response.writableEnded

/** Writes a piece, waits while the reader is slow, and counts it. False: the client has disconnected. */
export const write = async (turn: Turn, chunk: string | Buffer): Promise<boolean> => {
  const { response, served } = turn
  if (gone(turn)) return false
  served.bytes += Buffer.byteLength(chunk)
  if (response.write(chunk)) return true
  const since = performance.now()
  await drained(response)
  served.blockedMs += performance.now() - since
  return !gone(turn)
}

const drained = (response: ServerResponse) =>
  new Promise<void>(resolve => {
    const over = () => {
      response.off('drain', over).off('close', over)
      resolve()
    }
    response.on('drain', over).on('close', over)
  })

/** False: the caller left meanwhile. */
export const pause = async (turn: Turn, milliseconds: number): Promise<boolean> => {
  if (milliseconds > 0) await sleep(milliseconds)
  return !gone(turn)
}

/** For ever, or until the caller leaves. */
export const hang = async ({ response }: Turn): Promise<void> => {
  if (!response.destroyed) await once(response, 'close')
}

/** A reset, not a clean end: what a crashed vendor looks like. */
export const reset = ({ request }: Turn): void => {
  request.socket.resetAndDestroy()
}
