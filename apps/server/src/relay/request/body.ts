import type { IncomingMessage } from 'node:http'
import { totalmem } from 'node:os'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import { joinChunks, makeBodyCollector } from '../../lib/runtime/large-buffers.ts'
import type { RequestContext } from '../context.ts'

const bodyMax = 32 * 1024 * 1024
/** The budget for all bodies of the process on a machine with enough memory. */
const budgetMax = 256 * 1024 * 1024
const budgetMin = bodyMax
/** Memory that the process needs without any body. */
const processBytes = 160 * 1024 * 1024

const budget = appScoped(() => ({ used: 0, max: bodyBudget() }))
const collector = appScoped(() => makeBodyCollector())

/** A body takes about twice its size, as it came and as it is sent; the rest of the machine needs memory too. */
const bodyBudget = (): number => {
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return Math.min(budgetMax, Math.max(budgetMin, (memory - processBytes) / 4))
}

/** Reads the body. Its bytes count against the process's budget until `releaseBody`. */
export const readBody = (app: App, context: RequestContext): Buffer | Promise<Buffer> => {
  if (context.body.received) return context.body.received
  checkHeaders(context.request)
  const chunks: Buffer<ArrayBuffer>[] = []
  return receive(app, context, {
    data: chunk => {
      reserveBytes(app, context.body, chunk.length)
      chunks.push(chunk)
      return undefined
    },
    end: () => {
      if (chunks.length > 1) collector(app)(context.body.bytes, budget(app).used)
      context.body.whole = joinChunks(chunks)
      return context.body.whole
    },
  })
}

/** Bytes that were taken from the budget. */
export type BodyBytes = Pick<RequestContext['body'], 'bytes'>

export const returnBytes = (app: App, taken: BodyBytes): void => {
  budget(app).used -= taken.bytes
  taken.bytes = 0
}

/** Returns the request's bytes to the budget, and deletes its files. */
export const releaseBody = (app: App, context: RequestContext): void => {
  returnBytes(app, context.body)
  context.body.form?.dispose()
}

/** Takes bytes from the budget; also for a conversation that is put in front of a body. Throws where they are too many. */
export const reserveBytes = (app: App, body: BodyBytes, size: number): void => {
  const { used, max } = budget(app)
  if (body.bytes + size > bodyMax) throw tooLarge(bodyMax)
  if (used + size > max) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  budget(app).used += size
  body.bytes += size
}

/** Refuses early what the headers alone rule out. */
const checkHeaders = ({ headers }: IncomingMessage) => {
  checkEncoding(headers)
  if (!isJson(headers['content-type']))
    throw new Fault('request.media_type', { hint: 'Send application/json.' })
  if (Number(headers['content-length'] ?? 0) > bodyMax) throw tooLarge(bodyMax)
}

export const checkEncoding = ({ 'content-encoding': encoding }: IncomingMessage['headers']) => {
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
    throw new Fault('request.media_type', { hint: 'Send the body uncompressed.' })
}

const isJson = (type: string | undefined) => {
  if (type === 'application/json') return true
  const essence = (type ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return essence === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(essence)
}

export const tooLarge = (max: number) =>
  new Fault('request.too_large', { hint: `The limit is ${max / 1024 / 1024} MiB.` })

/** A body that stops arriving for this long is given up. */
const silenceMaxMs = 30_000

export type BodyReader<T> = {
  /** Takes a chunk. A promise pauses the caller until it resolves. Throws or rejects to refuse the body. */
  data(chunk: Buffer<ArrayBuffer>): Promise<void> | undefined
  /** The whole body has arrived. */
  end(): T | Promise<T>
}

/** Reads the body chunk by chunk. Rejects when the reader refuses it, the caller leaves, or nothing arrives for 30 s. */
export const receive = <T>(app: App, context: RequestContext, reader: BodyReader<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const { request } = context
    let isDone = false

    const silence = timers(app).start(silenceMaxMs, () => {
      refuse(new Fault('request.unreadable', { hint: 'The rest of the body did not arrive.' }))
      // A caller this slow would hold the connection while it reads the refusal.
      request.socket.destroySoon()
    })
    const stop = () => {
      isDone = true
      timers(app).stop(silence)
      context.abort.onAbort = undefined
    }
    const refuse = (error: unknown) => {
      if (isDone) return
      stop()
      // The rest is read and dropped, so that the caller reads the refusal.
      request.resume()
      reject(error)
    }
    const resume = () => {
      if (isDone) return
      timers(app).refresh(silence, silenceMaxMs)
      request.resume()
    }
    const onData = (chunk: Buffer<ArrayBuffer>) => {
      if (isDone) return
      timers(app).refresh(silence, silenceMaxMs)
      try {
        const taken = reader.data(chunk)
        if (!taken) return
        request.pause()
        taken.then(resume, refuse)
      } catch (error) {
        refuse(error)
      }
    }
    const onEnd = () => {
      if (isDone) return
      stop()
      try {
        resolve(reader.end())
      } catch (error) {
        reject(error)
      }
    }

    // A caller who leaves in the middle closes the response too, which aborts the context.
    context.abort.onAbort = () =>
      refuse(new Fault('request.unreadable', { detail: 'closed in the body' }))
    request.on('data', onData).on('end', onEnd)
  })
