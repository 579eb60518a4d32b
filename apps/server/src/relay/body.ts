import type { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { Fault } from '@hub/contract'
import type { App } from '../core/app.ts'
import { perApp } from '../core/per-app.ts'
import { timers } from './clock.ts'
import type { Exchange } from './exchange.ts'

const bodyMax = 32 * 1024 * 1024
/** All bodies together, where there is room for them. */
const allBodiesMax = 256 * 1024 * 1024
const allBodiesLeast = bodyMax
/** What the process takes without any body. */
const processBytes = 160 * 1024 * 1024
/** A body that stops coming for so long is given up. */
const silentMaxMs = 30_000

const budget = perApp(() => ({ used: 0, max: roomForBodies() }))

/** A body is about twice in memory, as it came and as it goes, and the rest of the machine needs some too. */
const roomForBodies = (): number => {
  const limit = process.constrainedMemory()
  const room = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.min(allBodiesMax, Math.max(allBodiesLeast, (room - processBytes) / 4))
}

/** Reads the body. Its bytes count against one budget of the process until the door gives them back. */
export const readBody = (app: App, exchange: Exchange): Promise<Buffer> => {
  checkHead(exchange.request)
  return receive(app, exchange)
}

export const giveBodyBack = (app: App, exchange: Exchange): void => {
  budget(app).used -= exchange.bodyBytes
  exchange.bodyBytes = 0
}

/** Also for what is put in front of a body: no call may be larger because the gateway remembers half of it. */
export const takeRoom = (app: App, exchange: Exchange, size: number): void => {
  const bytes = budget(app)
  if (exchange.bodyBytes + size > bodyMax) throw tooLarge()
  if (bytes.used + size > bytes.max) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  bytes.used += size
  exchange.bodyBytes += size
}

/** Refuses by the headers alone what would be refused anyway. */
const checkHead = (request: IncomingMessage) => {
  const { headers } = request
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
    throw new Fault('request.media-type', { hint: 'Send the body uncompressed.' })
  if (!isJson(headers['content-type']))
    throw new Fault('request.media-type', { hint: 'Send application/json.' })
  if (Number(headers['content-length'] ?? 0) > bodyMax) throw tooLarge()
}

const isJson = (type: string | undefined) => {
  if (type === 'application/json') return true
  const essence = (type ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return essence === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(essence)
}

const tooLarge = () =>
  new Fault('request.too-large', { hint: `The limit is ${bodyMax / 1024 / 1024} MiB.` })

const receive = (app: App, exchange: Exchange) =>
  new Promise<Buffer>((resolve, reject) => {
    const { request } = exchange
    const chunks: Buffer[] = []
    let isOver = false

    const wheel = timers(app)
    const limit = wheel.start(silentMaxMs, () => {
      refuse(new Fault('request.unreadable', { hint: 'The rest of it did not come.' }))
      // Not even the refusal can be waited for: whoever sends so slowly holds a connection.
      request.socket.destroySoon()
    })
    const leave = () => {
      isOver = true
      wheel.stop(limit)
      exchange.onStop = undefined
    }
    const refuse = (error: unknown) => {
      if (isOver) return
      leave()
      // What is still to come is read and dropped, so that the caller hears the refusal.
      request.resume()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      if (isOver) return
      wheel.touch(limit, silentMaxMs)
      try {
        takeRoom(app, exchange, chunk.length)
      } catch (error) {
        return refuse(error)
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      if (isOver) return
      leave()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }
    const onClose = () => {
      if (!isOver) refuse(new Fault('request.unreadable', { detail: 'closed in the body' }))
    }

    // Who leaves in the middle closes the answer too, and the door hears that.
    exchange.onStop = onClose
    request.on('data', onData).on('end', onEnd)
  })
