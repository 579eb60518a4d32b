import { Fault } from '@hub/contract'
import {
  noAnswerIds,
  type ParsedRequest,
  type StreamObserver,
  type ToolCounts,
} from '@hub/dialects'
import { limitFactor, limitMargin, reasoningMax } from '../../billing/calls/bound-usage.ts'
import type { Finish, PromptUsage } from '../../billing/open-hold.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'
import { inModes } from '../price-fields/charged-modes.ts'
import { promptOfCheckpoints } from '../prompt-count/prompt-of-call.ts'
import { warningTexts } from '../translate/warnings.ts'
import { noteEmptyAnswer } from '../tries/outcome.ts'
import { classifyStreamError } from '../upstream/upstream-error.ts'
import type { Delivered, Delivery, StreamEnd } from './delivery.ts'
import { estimateUsage } from './estimate-usage.ts'
import { reportedByFailure } from './failures/charge-failure.ts'
import { noteUnanswered } from './failures/unanswered.ts'
import { type AnswerOutcome, makeCallResult, makeLeftResult, settleAnswer } from './finalize.ts'
import { mayHideReasoning, reasoningTerms } from './left/estimate.ts'
import { audioOf } from './left/read-on.ts'
import { writeStream } from './stream-writer.ts'

/** Delivers a streamed answer. However it ends, it is charged before the caller can see the end. */
export const deliverStream = (
  app: App,
  context: CallContext,
  delivery: Delivery,
): Promise<Delivered> => {
  const { attempt, answer, begun } = delivery
  const { parsed } = context
  const observer = begun?.observer ?? makeObserver(app, context, attempt)
  const countPrompt = promptOfCheckpoints(app, context, attempt, () => observer.usage())
  const outputMax = lengthMax(parsed)
  return writeStream(app, context, {
    answer,
    observer,
    opening: begun?.parts,
    hooks: {
      mayHide: () => mayHide(app, context, attempt),
      onProgress: metered =>
        metered > outputMax && isTooLong(observer, metered, outputMax)
          ? new Fault('stream.too_long', { hint: 'The provider ignored the requested maximum.' })
          : reportProgress(
              context,
              delivery,
              { metered, audio: audioOf(observer, metered) },
              countPrompt,
            ),
      beforeEnd: (finish, ended) => settle(app, context, delivery, { observer, finish, ...ended }),
      faultOf: failure => classifyStreamError(app, context, attempt, failure).fault,
    },
  })
}

/** A price by tokens may need the usage at the stream's end; of a chat, the reasoning that nobody sees. */
const mayHide = (app: App, context: CallContext, attempt: Attempt): false | Promise<boolean> => {
  const { pricing } = context.parsed
  if (pricing) return pricing.isExact ? false : Promise.resolve(true)
  const terms = reasoningTerms(context, attempt)
  return terms.request === 'off' ? false : mayHideReasoning(app, terms)
}

const endsHint = 'The response ends here.'

const reportProgress = (
  { hold, parsed }: CallContext,
  { attempt }: Delivery,
  { metered, audio }: { metered: number; audio: number | undefined },
  countPrompt: () => Promise<PromptUsage>,
) => {
  const delivered = inModes(
    estimateUsage(parsed, metered, audio),
    Object.values(attempt.serving.requested),
  )
  const progress = hold.progress(attempt.billedModel, delivered, countPrompt)
  if (progress === 'cut') return new Fault('stream.quota')
  return progress === 'failed' ? new Fault('server.ledger', { hint: endsHint }) : progress
}

const lengthMax = ({ outputMax, n }: ParsedRequest): number =>
  outputMax === undefined ? Number.POSITIVE_INFINITY : outputMax * n * limitFactor + limitMargin

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
          createdAt: nowSeconds(app),
          now: () => nowSeconds(app),
          id: requestId,
        })
      : dialect.observeStream?.(parsed),
  )

/** A request for a stream is refused where the operation, or its translation, has none. */
const required = (observer: StreamObserver | undefined): StreamObserver => {
  if (!observer) throw new Fault('server.failed', { detail: 'a stream that cannot be observed' })
  return observer
}

type Ended = StreamEnd & {
  observer: StreamObserver
  finish: Finish
  /** Set where the failure at the end reports usage. */
  failed?: ReturnType<typeof reportedByFailure>
}

/** Charges the call, and resolves with its last bytes where they replace the observer's. */
const settle = (
  app: App,
  context: CallContext,
  delivery: Delivery,
  ended: Ended,
): Promise<Buffer | undefined> | undefined => {
  const { observer } = ended
  const refusal = observer.requestFailure?.()
  const isRefused = refusal !== undefined && ended.finish === 'complete'
  const finish = isRefused ? 'upstream-broke' : ended.finish
  // The caller has the vendor's own frame; the log row and the metrics have its meaning.
  if (isRefused)
    context.record.streamFault = classifyStreamError(app, context, delivery.attempt, refusal).fault
  const failure = refusal ?? observer.failure()
  const failed =
    failure === undefined
      ? undefined
      : reportedByFailure(context, delivery.attempt, failure, observer)
  // An upstream that failed before its first output costs nothing, unless the caller has the usage that its failure reports.
  const isFree = !hasOutput(observer) && !(isRefused && failed) && !hasCalls(observer.tools?.())
  if (finish === 'upstream-broke' && isFree) {
    const seen = { reported: observer.usage(), metered: 0, isFinal: observer.isClosed() }
    noteUnanswered(context, delivery.attempt, seen)
    return release(context)
  }
  if (finish !== 'complete' || !delivery.saveResponse)
    return charge(app, context, delivery, { ...ended, finish, failed })
  return delivery.saveResponse(observer.tail()).then(async ({ last, warnings }) => {
    await charge(app, context, delivery, ended, warnings)
    return last
  })
}

/** Images, names of tools and hidden reasoning are output that weighs nothing. */
const hasOutput = (observer: StreamObserver): boolean =>
  observer.meteredTokens() > 0 ||
  (observer.emptiness !== undefined && observer.emptiness() === undefined)

/** An image or a search was delivered before any text. */
const hasCalls = (tools: ToolCounts = {}): boolean => Object.keys(tools).length > 0

const release = async ({ hold }: CallContext): Promise<undefined> => {
  await hold.release()
}

/** The vendor's figures for a cut stream. They may count output that was held back, which is not charged. */
const reportedOf = (
  observer: StreamObserver,
  delivered: number,
): ReturnType<StreamObserver['usage']> => {
  const usage = observer.usage()
  if (typeof usage !== 'object' || observer.meteredTokens() <= delivered) return usage
  return { ...usage, output: Math.min(usage.output, delivered) }
}

/** A failure that the request causes is the end of a stream, and has usage only where it reports it. */
const isUnreported = (observer: StreamObserver, failed: Ended['failed']): boolean =>
  observer.requestFailure?.() !== undefined && !failed

const outputTokensOf = (
  observer: StreamObserver,
  { finish, delivered, failed }: Pick<Ended, 'finish' | 'delivered' | 'failed'>,
): number => {
  if (finish === 'cut') return delivered
  const isReported = finish === 'upstream-broke' && failed
  return isReported ? failed.estimatedOutputTokens : observer.meteredTokens()
}

const outputOf = (observer: StreamObserver, metered: number) => ({
  estimatedOutputTokens: metered,
  audioTokens: audioOf(observer, metered),
})

const charge = async (
  app: App,
  context: CallContext,
  { attempt }: Delivery,
  { observer, finish, delivered, left, failed }: Ended,
  saveWarnings: readonly string[] = [],
): Promise<undefined> => {
  if (finish === 'complete' && observer.emptiness?.()) noteEmptyAnswer(app, context, attempt)
  if (observer.malformedFrames() > 0) app.metrics.alarms.inc({ kind: 'invalid_response' })
  const outcome: AnswerOutcome = {
    finish,
    left,
    // Before the caller left it was not closed, or the stream would be complete.
    isEndRead: finish === 'caller-left' && observer.isClosed() && !isUnreported(observer, failed),
    reported:
      finish === 'cut' ? reportedOf(observer, delivered) : (failed?.reported ?? observer.usage()),
    ...outputOf(observer, outputTokensOf(observer, { finish, delivered, failed })),
    tools: finish === 'complete' ? undefined : observer.tools?.(),
    responseId: observer.responseId?.(),
    answerIds: () => observer.answerIds?.() ?? noAnswerIds(),
    warnings: [...warningTexts(observer.warnings?.() ?? []), ...saveWarnings],
  }
  const make = finish === 'caller-left' ? makeLeftResult : makeCallResult
  await settleAnswer(context, await make(app, context, attempt, outcome))
}
