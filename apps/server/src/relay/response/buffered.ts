import { Fault } from '@hub/contract'
import { type AnswerSummary, isRequestFailureFrame } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { AbortReason } from '../call-state.ts'
import type { CallContext } from '../context.ts'
import { countPromptOf, promptOfCheckpoints } from '../prompt-count/prompt-of-call.ts'
import type { TranslatedResponse } from '../translate/response.ts'
import { isRefusedEmpty } from '../tries/empty-answer.ts'
import { noteEmptyAnswer } from '../tries/outcome.ts'
import { contentTypeOf, isEventStream } from '../upstream/fetch-small.ts'
import type { Reader } from '../upstream/send.ts'
import { classifyStreamError } from '../upstream/upstream-error.ts'
import { type BackpressureWriter, makeBackpressureWriter } from './backpressure-writer.ts'
import { canSplit, joinStream, splitIntoEvents } from './convert-framing.ts'
import type { Delivered, Delivery, SavedResponse } from './delivery.ts'
import { estimateUsage } from './estimate-usage.ts'
import { chargeOfFailure } from './failures/charge-failure.ts'
import { makeCallResult, makeLeftResult, settleAnswer, settleFailure } from './finalize.ts'
import { readEnd, unfinishedBytesMax } from './left/read-end.ts'
import { beginAnswer, endResponse, streamHeaders, writeResponse } from './write.ts'

/** Bytes that are held back until the call is charged. Of a longer answer only the last chunk is held back. */
const heldBackMax = 1024 * 1024
/** Usage may stand anywhere in an answer, so all of it is kept until it was read. */
const answerMax = 64 * 1024 * 1024

/** Buffers a whole answer, charges it, and only then lets the caller have it, or the last chunk of a long one. */
export const deliverBuffered = (
  app: App,
  context: CallContext,
  delivery: Delivery,
): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const response = new BufferedResponse(app, context, delivery, { resolve, reject })
    context.abort.onAbort = reason => response.abort(reason)
    if (context.abort.reason) response.abort(context.abort.reason)
    else delivery.answer.read(response)
  })

const abortFault = (reason: AbortReason) =>
  new Fault(reason === 'stopping' ? 'server.stopping' : 'upstream.broken', { detail: reason })

type Settle = {
  resolve(delivered: Delivered | Promise<Delivered>): void
  reject(error: unknown): void
}

class BufferedResponse implements Reader {
  private readonly app: App
  private readonly context: CallContext
  private readonly delivery: Delivery
  private readonly settle: Settle
  private readonly chunks: Buffer[] = []
  private size = 0
  /** Chunks that the caller has. */
  private sent = 0
  private isOpen = false
  private writer: BackpressureWriter | undefined
  /** Set where the translated answer is no JSON. */
  private contentType: string | undefined

  constructor(app: App, context: CallContext, delivery: Delivery, settle: Settle) {
    this.app = app
    this.context = context
    this.delivery = delivery
    this.settle = settle
  }

  abort(reason: AbortReason) {
    // A vendor sends a whole answer once it is made, so one that has begun to arrive is read to its end.
    if (reason === 'caller-left' && this.size > 0) this.readEnd(abortFault(reason))
    else this.broke(abortFault(reason))
  }

  data(chunk: Buffer) {
    if (this.size === 0) this.saveFirst()
    this.keep(chunk)
    if (this.size > answerMax)
      return this.broke(new Fault('upstream.invalid_response', { detail: 'endless' }))
    if (this.size > heldBackMax && this.canForward()) this.forward()
  }

  private saveFirst() {
    const { app, context, delivery } = this
    const { attempt } = delivery
    const delivered = estimateUsage(context.parsed, 0)
    const countPrompt = promptOfCheckpoints(app, context, attempt)
    void context.hold.progress(attempt.billedModel, delivered, countPrompt)
  }

  private keep(chunk: Buffer) {
    this.size += chunk.length
    this.chunks.push(chunk)
  }

  private readEnd(fault: Fault) {
    this.dispose()
    let isWhole = false
    const reader = {
      bytesMax: unfinishedBytesMax,
      data: (chunk: Buffer) => {
        this.keep(chunk)
        return false
      },
      end: () => {
        isWhole = true
      },
    }
    readEnd(this.app, this.delivery.answer, reader, () =>
      isWhole ? this.end() : this.broke(fault),
    )
  }

  end() {
    this.dispose()
    try {
      this.settle.resolve(this.finalize())
    } catch (error) {
      this.settle.reject(error)
    }
  }

  broke(fault: Fault) {
    const { app, context, delivery, isOpen, settle } = this
    this.dispose()
    delivery.answer.drop()
    const canRetry = !isOpen && context.abort.reason === undefined
    if (canRetry || this.size === 0) return settle.resolve({ ok: false, fault })
    // The prompt was read and is charged; a caller who saw the beginning sees the connection break.
    const hasLeft = context.abort.reason === 'caller-left'
    const finish = hasLeft ? 'caller-left' : 'upstream-broke'
    const outcome = { reported: undefined, estimatedOutputTokens: 0, finish } as const
    const make = hasLeft ? makeLeftResult : makeCallResult
    Promise.resolve(make(app, context, delivery.attempt, outcome))
      .then(result => context.hold.settle(result))
      .then(() => {
        if (isOpen) context.response.stream.destroy()
        settle.resolve({ ok: false, fault })
      }, settle.reject)
  }

  /** The beginning of an answer makes sense only to a caller who gets the upstream's own bytes. */
  private canForward(): boolean {
    const { parsed, dialect } = this.context
    const isPassed = !this.delivery.attempt.translation && !dialect.normalizeAnswer
    return isPassed && !this.delivery.saveResponse && !parsed.stream && !this.isEventStream()
  }

  /** Sends all chunks but the last. */
  private forward() {
    const { app, context, chunks, delivery } = this
    if (!this.isOpen) {
      this.isOpen = true
      context.response.firstByteAt ??= app.monotonic()
      beginAnswer(context, headersOf(delivery))
    }
    this.writer ??= makeBackpressureWriter(app, context, delivery.answer)
    while (this.sent < chunks.length - 1) this.writer.write(chunks[this.sent++]!)
  }

  private dispose() {
    this.context.abort.onAbort = undefined
    this.writer?.dispose()
  }

  private finalize(): Delivered | Promise<Delivered> {
    const { app, context, delivery, chunks } = this
    const { parsed, dialect } = context
    const { translation } = delivery.attempt
    const received = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    const upstreamDialect = translation?.to ?? dialect
    const whole = this.isEventStream()
      ? joinStream(upstreamDialect, received)
      : ({ ok: true, body: received } as const)
    if (!whole.ok) return notAnAnswer(whole.failure && { error: whole.failure })
    const { body } = whole
    const contentType = contentTypeOf(delivery.answer)
    const summary = upstreamDialect.readAnswer(body, contentType)
    if (!summary.ok && !this.isOpen) {
      const isOwn = !translation && !parsed.stream && isFailedResponse(summary.failure)
      return isOwn ? this.passFailure(body, summary.failure) : notAnAnswer(summary.failure)
    }
    if (parsed.stream && !canSplit(dialect)) return notAnAnswer(undefined)
    const emptiness = summary.ok && !this.isOpen ? summary.emptiness : undefined
    const mayTry = delivery.canTryAnother
    if (summary.ok && emptiness && isRefusedEmpty(app, context, emptiness, mayTry))
      return {
        ...{ ok: false, fault: new Fault('upstream.empty') },
        seen: { reported: summary.usage, metered: summary.meteredTokens, isFinal: true },
      }
    context.response.firstByteAt ??= app.monotonic()
    const finish = context.abort.reason === 'caller-left' ? 'caller-left' : 'complete'
    if (emptiness) noteEmptyAnswer(app, context, delivery.attempt)
    const observed = summary.ok ? summary : this.failed(summary.failure)
    const charge = ({ last, warnings }: SavedResponse) =>
      this.charge(last, {
        finish,
        isEndRead: finish === 'caller-left',
        reported: observed.usage,
        estimatedOutputTokens: observed.meteredTokens,
        responseId: observed.responseId,
        answerIds: observed.answerIds,
        warnings,
      })
    const save = finish === 'complete' ? delivery.saveResponse : undefined
    const options = { createdAt: Math.floor(app.now() / 1_000), id: context.requestId, contentType }
    const answer = (counted: { promptTokens?: number } = {}) => {
      const { last, warnings } = this.convert(body, { ...options, ...counted })
      if (!save) return charge({ last, warnings })
      return save(last).then(saved =>
        charge({ last: saved.last, warnings: [...warnings, ...saved.warnings] }),
      )
    }
    if (!translation?.showsPrompt || typeof observed.usage === 'object') return answer()
    return countPromptOf(app, context, delivery.attempt).then(promptTokens =>
      answer({ promptTokens }),
    )
  }

  /** The usage of a failure whose beginning the caller has. */
  private failed(failure: unknown): Omit<AnswerSummary & { ok: true }, 'ok'> {
    const charge = chargeOfFailure(this.context, failure)
    return { usage: charge?.reported, meteredTokens: charge?.estimatedOutputTokens ?? 0 }
  }

  /** A failed response whose reason is the request goes to a caller of its dialect as it is. */
  private async passFailure(body: Buffer, failure: unknown): Promise<Delivered> {
    const { app, context, delivery } = this
    context.record.streamFault = classifyStreamError(app, context, delivery.attempt, failure).fault
    const charge = chargeOfFailure(context, failure)
    await settleFailure(app, context, delivery.attempt, charge)
    writeResponse(context, 200, this.headers(), body)
    return delivered
  }

  /** The answer as the caller gets it. */
  private convert(body: Buffer, options: AnswerFields): SavedResponse {
    const { parsed, dialect } = this.context
    const { body: answer, warnings, contentType } = this.translate(body, options)
    this.contentType = contentType
    const last = parsed.stream
      ? splitIntoEvents(dialect, answer, { ...options, wantsUsage: parsed.wantsUsage })
      : answer
    return { last, warnings }
  }

  private translate(body: Buffer, options: AnswerFields): TranslatedResponse {
    const { parsed, dialect } = this.context
    const { translation } = this.delivery.attempt
    if (translation) return translation.response(body, options)
    return { body: dialect.normalizeAnswer?.(parsed, body) ?? body, warnings: noWarnings }
  }

  private headers(): readonly string[] {
    const { parsed, dialect } = this.context
    if (parsed.stream) return streamHeaders(dialect)
    if (this.contentType !== undefined) return ['content-type', this.contentType]
    return this.isEventStream() ? jsonHeaders : headersOf(this.delivery)
  }

  private isEventStream(): boolean {
    const [first] = this.chunks
    const { attempt } = this.delivery
    const { answersText } = attempt.translation?.to ?? this.context.dialect
    return first !== undefined && !answersText && isEventStream(first)
  }

  private charge(last: Buffer, outcome: Parameters<typeof makeCallResult>[3]): Promise<Delivered> {
    const { app, context, delivery } = this
    const result = makeCallResult(app, context, delivery.attempt, outcome)
    return settleAnswer(context, result).then(() => {
      if (this.isOpen) endResponse(context, this.chunks.at(-1)!)
      else if (context.response.stream.headersSent) endResponse(context, last)
      else writeResponse(context, 200, this.headers(), last)
      return delivered
    })
  }
}

type AnswerFields = {
  createdAt: number
  id: string
  contentType: string
  promptTokens?: number
}

const delivered: Delivered = { ok: true }
const noWarnings: readonly string[] = []
const jsonHeaders = ['content-type', 'application/json']

/** Only Responses has whole answers that say of themselves that they failed for what the request is. */
const isFailedResponse = (failure: unknown): boolean =>
  (failure as { object?: unknown } | undefined)?.object === 'response' &&
  isRequestFailureFrame({ response: failure })

const notAnAnswer = (failure: unknown): Delivered => {
  const fault =
    failure === undefined
      ? new Fault('upstream.invalid_response', { detail: 'not an answer' })
      : new Fault('upstream.failed', { detail: 'an error under a good status' })
  return { ok: false, fault, failure }
}

const headersOf = ({ answer, attempt }: Delivery): string[] => {
  const type = attempt.translation ? undefined : answer.headers['content-type']
  return ['content-type', typeof type === 'string' ? type : 'application/json']
}
