import { Fault } from '@hub/contract'
import { noAnswerIds, type ParsedRequest, type StreamObserver } from '@hub/dialects'
import type { Finish, PromptUsage } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'
import { inModes } from '../price-fields/charged-modes.ts'
import { promptOfCheckpoints } from '../prompt-count/prompt-of-call.ts'
import { warningTexts } from '../translate/warnings.ts'
import { classifyStreamError } from '../upstream/upstream-error.ts'
import type { Delivered, Delivery } from './delivery.ts'
import { estimateUsage, makeCallResult, settleAnswer } from './finalize.ts'
import { writeStream } from './stream-writer.ts'

/** Delivers a streamed answer. However it ends, it is charged before the caller can see the end. */
export const deliverStream = (
  app: App,
  context: CallContext,
  delivery: Delivery,
): Promise<Delivered> => {
  const { attempt, answer } = delivery
  const { parsed } = context
  const observer = makeObserver(app, context, attempt)
  const countPrompt = promptOfCheckpoints(app, context, attempt, () => observer.usage())
  const outputMax = lengthMax(parsed)
  return writeStream(app, context, {
    answer,
    observer,
    hooks: {
      readsEnd: true,
      onProgress: metered =>
        metered > outputMax && isTooLong(observer, metered, outputMax)
          ? new Fault('stream.too_long', { hint: 'The provider ignored the requested maximum.' })
          : reportProgress(context, delivery, metered, countPrompt),
      beforeEnd: finish => settle(app, context, delivery, { observer, finish }),
      faultOf: failure => classifyStreamError(app, context, attempt, failure).fault,
    },
  })
}

const endsHint = 'The response ends here.'

const reportProgress = (
  { hold, parsed }: CallContext,
  { attempt }: Delivery,
  metered: number,
  countPrompt: () => Promise<PromptUsage>,
) => {
  const delivered = inModes(
    estimateUsage(parsed, metered),
    Object.values(attempt.serving.requested),
  )
  const progress = hold.progress(attempt.billedModel, delivered, countPrompt)
  if (progress === 'cut') return new Fault('stream.quota')
  return progress === 'failed' ? new Fault('server.ledger', { hint: endsHint }) : progress
}

/** An upstream that sends this many times the requested maximum ignores it; the meter itself is less wrong than that. */
const lengthFactor = 4
const lengthMargin = 1_024
/** Visible reasoning that is delivered above that: no vendor documents a larger budget. */
const reasoningMax = 131_072

const lengthMax = ({ outputMax, n }: ParsedRequest): number =>
  outputMax === undefined ? Number.POSITIVE_INFINITY : outputMax * n * lengthFactor + lengthMargin

const isTooLong = (observer: StreamObserver, metered: number, outputMax: number): boolean =>
  metered > outputMax + reasoningMax || (observer.answerTokens?.() ?? metered) > outputMax

export const makeObserver = (
  app: App,
  { requestId, dialect, parsed }: CallContext,
  attempt: Attempt,
): StreamObserver =>
  required(
    attempt.translation
      ? attempt.translation.observe?.({
          wantsUsage: parsed.wantsUsage,
          createdAt: Math.floor(app.now() / 1_000),
          id: requestId,
        })
      : dialect.observeStream?.(parsed),
  )

/** A request for a stream is refused where the operation, or its translation, has none. */
const required = (observer: StreamObserver | undefined): StreamObserver => {
  if (!observer) throw new Fault('server.failed', { detail: 'a stream that cannot be observed' })
  return observer
}

type Ended = { observer: StreamObserver; finish: Finish }

/** Charges the call, and resolves with its last bytes where they replace the observer's. */
const settle = (
  app: App,
  context: CallContext,
  delivery: Delivery,
  ended: Ended,
): Promise<Buffer | undefined> | undefined => {
  const { observer, finish } = ended
  // An upstream that failed before its first output costs nothing, whatever it sent before.
  if (finish === 'upstream-broke' && observer.meteredTokens() <= 0) return release(context)
  if (finish !== 'complete' || !delivery.saveResponse) return charge(app, context, delivery, ended)
  return delivery.saveResponse(observer.tail()).then(async ({ last, warnings }) => {
    await charge(app, context, delivery, ended, warnings)
    return last
  })
}

const release = async ({ hold }: CallContext): Promise<undefined> => {
  await hold.release()
}

const charge = async (
  app: App,
  context: CallContext,
  { attempt }: Delivery,
  { observer, finish }: Ended,
  saveWarnings: readonly string[] = [],
): Promise<undefined> => {
  if (observer.malformedFrames() > 0) app.metrics.alarms.inc({ kind: 'invalid_response' })
  const result = makeCallResult(app, context, attempt, {
    finish,
    // Before the caller left it was not closed, or the stream would be complete.
    isEndRead: finish === 'caller-left' && observer.isClosed(),
    reported: observer.usage(),
    estimatedOutputTokens: observer.meteredTokens(),
    responseId: observer.responseId?.(),
    answerIds: () => observer.answerIds?.() ?? noAnswerIds(),
    warnings: [...warningTexts(observer.warnings?.() ?? []), ...saveWarnings],
  })
  await settleAnswer(context, result)
}
