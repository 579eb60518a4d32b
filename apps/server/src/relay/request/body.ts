import type { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import type { RequestContext } from '../context.ts'

const bodyMax = 32 * 1024 * 1024
/** The budget for all bodies of the process on a machine with enough memory. */
const budgetMax = 256 * 1024 * 1024
const budgetMin = bodyMax
/** Memory that the process needs without any body. */
const processBytes = 160 * 1024 * 1024
/** A body that stops arriving for this long is given up. */
const silenceMaxMs = 30_000

const budget = appScoped(() => ({ used: 0, max: bodyBudget() }))

/** A body takes about twice its size, as it came and as it is sent; the rest of the machine needs memory too. */
const bodyBudget = (): number => {
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.min(budgetMax, Math.max(budgetMin, (memory - processBytes) / 4))
}

/** Reads the body. Its bytes count against the process's budget until `releaseBody`. */
export const readBody = (app: App, context: RequestContext): Promise<Buffer> => {
  checkHeaders(context.request)
  return receive(app, context)
}

/** Returns the request's bytes to the budget. */
export const releaseBody = (app: App, context: RequestContext): void => {
  budget(app).used -= context.bodyBytes
  context.bodyBytes = 0
}

/** Takes bytes from the budget; also for a conversation that is put in front of a body. Throws where they are too many. */
export const reserveBytes = (app: App, context: RequestContext, size: number): void => {
  const bytes = budget(app)
  if (context.bodyBytes + size > bodyMax) throw tooLarge()
  if (bytes.used + size > bytes.max) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  bytes.used += size
  context.bodyBytes += size
}

/** Refuses early what the headers alone rule out. */
const checkHeaders = ({ headers }: IncomingMessage) => {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
    throw new Fault('request.media_type', { hint: 'Send the body uncompressed.' })
  if (!isJson(headers['content-type']))
    throw new Fault('request.media_type', { hint: 'Send application/json.' })
  if (Number(headers['content-length'] ?? 0) > bodyMax) throw tooLarge()
}

const isJson = (type: string | undefined) => {
  if (type === 'application/json') return true
  const essence = (type ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return essence === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(essence)
}

const tooLarge = () =>
  new Fault('request.too_large', { hint: `The limit is ${bodyMax / 1024 / 1024} MiB.` })

const receive = (app: App, context: RequestContext) =>
  new Promise<Buffer>((resolve, reject) => {
    const { request } = context
    const chunks: Buffer[] = []
    let isDone = false

    const silence = timers(app).start(silenceMaxMs, () => {
      refuse(new Fault('request.unreadable', { hint: 'The rest of the body did not arrive.' }))
      // A caller this slow would hold the connection while it reads the refusal.
      request.socket.destroySoon()
    })
    const stop = () => {
      isDone = true
      timers(app).stop(silence)
      context.onAbort = undefined
    }
    const refuse = (error: unknown) => {
      if (isDone) return
      stop()
      // The rest is read and dropped, so that the caller reads the refusal.
      request.resume()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      if (isDone) return
      timers(app).refresh(silence, silenceMaxMs)
      try {
        reserveBytes(app, context, chunk.length)
      } catch (error) {
        return refuse(error)
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      if (isDone) return
      stop()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }

    // A caller who leaves in the middle closes the response too, which aborts the context.
    context.onAbort = () =>
      refuse(new Fault('request.unreadable', { detail: 'closed in the body' }))
    request.on('data', onData).on('end', onEnd)
  })
