import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { Timer } from '../../lib/time/timers.ts'
import type { Abortable, RequestContext } from '../context.ts'
import { decompressed } from './decompress.ts'
import { type Answer, type MayStart, type Outgoing, send } from './send.ts'

export type SmallAnswer = { status: number; type: string; body: Buffer }

type Options = {
  /** Limits what is read of the body; a longer one is cut. */
  sizeMax: number
  /** Limits the whole exchange, whatever the relay's own timeouts are. */
  timeoutMs?: number
  /** The request ends when this one is aborted. */
  context?: RequestContext
  /** Changes the answer before it is read. */
  transform?: ((answer: Answer) => Answer) | undefined
  mayStart?: MayStart
  /** Called before a rejection: whether the upstream was sent the whole request. */
  onUnanswered?(isSent: boolean): void
}

/** Sends a request whose answer is small, and reads the answer. Any status is an answer; throws where there is none. */
export const fetchSmall = (
  app: App,
  outgoing: Outgoing,
  { sizeMax, timeoutMs, context, mayStart, onUnanswered, transform }: Options,
): Promise<SmallAnswer> =>
  new Promise((resolve, reject) => {
    if (context?.abort.reason) throw new Fault('upstream.broken', { detail: context.abort.reason })
    const sending = send(app, outgoing, mayStart)
    const cancel = (fault: Fault) => {
      onUnanswered?.(sending.isSent())
      sending.drop()
      reject(fault)
    }
    let timer: Timer | undefined
    if (timeoutMs !== undefined)
      timer = timers(app).start(timeoutMs, () => {
        const detail = `${outgoing.channel.id}: no whole answer within ${timeoutMs} ms`
        cancel(new Fault('upstream.timeout', { detail }))
      })
    if (context)
      context.abort.onAbort = reason => cancel(new Fault('upstream.broken', { detail: reason }))
    const read = async () => {
      const answer = await sending.answer
      if (answer instanceof Fault) throw answer
      const plain = decompressed(answer)
      return readWhole(transform?.(plain) ?? plain, sizeMax)
    }
    read()
      .finally(() => {
        if (timer) timers(app).stop(timer)
        if (context) context.abort.onAbort = undefined
      })
      .then(resolve, error => {
        onUnanswered?.(sending.isSent())
        reject(error)
      })
  })

/** Sends a request and waits for the head of its answer; throws where there is none, or the context is aborted. */
export const openAnswer = async (
  app: App,
  context: Abortable,
  outgoing: Outgoing,
): Promise<Answer> => {
  if (context.abort.reason) throw new Fault('upstream.broken', { detail: context.abort.reason })
  const sentAt = app.monotonic()
  const sending = send(app, outgoing)
  context.upstream.isSent = false
  context.upstream.times = undefined
  context.abort.onAbort = sending.drop
  const answer = await sending.answer
  context.abort.onAbort = undefined
  context.upstream.isSent = sending.isSent()
  if (answer instanceof Fault) throw answer
  const { connectedAt, hasBegun } = sending
  context.upstream.times = { sentAt, connectedAt: connectedAt(), headAt: app.monotonic(), hasBegun }
  return answer.headers['content-encoding'] === undefined ? answer : decompressed(answer)
}

/** Reads the body of an opened answer; rejects when the context is aborted. */
export const readSmall = (context: RequestContext, answer: Answer, sizeMax: number) =>
  new Promise<SmallAnswer>((resolve, reject) => {
    const cancel = (detail: string) => {
      answer.drop()
      reject(new Fault('upstream.broken', { detail }))
    }
    if (context.abort.reason) return cancel(context.abort.reason)
    context.abort.onAbort = cancel
    readWhole(answer, sizeMax).then(resolve, reject)
  }).finally(() => {
    context.abort.onAbort = undefined
  })

const readWhole = async (answer: Answer, sizeMax: number): Promise<SmallAnswer> => ({
  status: answer.status,
  type: contentTypeOf(answer),
  body: await readBytes(answer, sizeMax),
})

/** Reads the body, or the beginning of a body that is longer than `sizeMax`. */
export const readBytes = (answer: Answer, sizeMax: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    answer.read({
      data: chunk => {
        chunks.push(chunk)
        size += chunk.length
        if (size < sizeMax) return
        answer.drop()
        resolve(Buffer.concat(chunks).subarray(0, sizeMax))
      },
      end: () => resolve(Buffer.concat(chunks)),
      broke: reject,
    })
  })

export const contentTypeOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  String(headers['content-type'] ?? '')

export const isJson = (type: string): boolean => type.startsWith('application/json')

/** Returns whether an answer is a stream of server-sent events, whatever its content type says. */
export const isEventStream = (start: Buffer): boolean =>
  /^\s*(event|data|id|retry)?:/.test(start.toString('latin1', 0, 64))
