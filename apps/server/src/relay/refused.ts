import type { FormatId } from '@hub/dialects'
import type { App } from '../core/app.ts'
import type { Attempt, CallContext } from './context.ts'
import { chargeOfRefusalBody } from './response/failures/charge-failure.ts'
import { chargeAbandoned, settleFailure } from './response/finalize.ts'
import { isDialectMissing } from './routing/missing-dialects.ts'
import { readRefusalBody } from './upstream/accounts/refusal-body.ts'
import { type ErrorClassification, readRetryAfter } from './upstream/classify-error.ts'
import { contentTypeOf, isJson } from './upstream/fetch-small.ts'
import { scrub } from './upstream/scrub.ts'
import type { Answer } from './upstream/send.ts'
import { refusesState, type StateRefusal } from './upstream/sessions/vendor-state.ts'
import { classifyUpstreamError, errorSource } from './upstream/upstream-error.ts'

/** An upstream that refused the address itself lacks the dialect. */
export type Refusal = ErrorClassification & StateRefusal & { missingDialect?: FormatId }

/** Reads the refusal of a vendor, and decides what it means for the call, the channel and its dialect. */
export const refused = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  answer: Answer,
): Promise<Refusal> => {
  const retryAfterSeconds = readRetryAfter(answer.headers['retry-after'], app.now())
  const { status } = answer
  const { body, isWhole } = await readRefusalBody(app, answer)
  const source = errorSource(context, attempt)
  const error = classifyUpstreamError(app, source, { body, status, retryAfterSeconds })
  const type = contentTypeOf(answer)
  const shown = attempt.channel.statusCodes?.get(status) ?? status
  const isCallers = !error.canRetry || shown === 404
  const canPass = isWhole && isCallers && !attempt.translation && isJson(type) && body.length > 0
  const charge = canPass ? chargeOfRefusal(app, context, attempt, body) : undefined
  const passed = { status: shown, type, body: scrub(body, source), ...(charge && { charge }) }
  const refusal: Refusal = canPass ? { ...error, upstreamResponse: passed } : error
  if (refusesState(context, attempt, { status, body: body.toString() }))
    return { ...refusal, refusesState: true }
  const isMissing = isDialectMissing(attempt, { status, body, ...source.dialect.decodeFault(body) })
  return isMissing ? { ...refusal, missingDialect: attempt.endpoint.dialect } : refusal
}

/** Charges a refusal once it is the one that the caller gets; undefined where it is free. */
const chargeOfRefusal = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  body: Buffer,
): (() => Promise<void>) | undefined => {
  // The failure of a response in the background is the gateway's own, and shows no output.
  const charge = context.target.background ? undefined : chargeOfRefusalBody(context, body)
  if (!charge) return undefined
  return async () => {
    const { abort, record, response } = context
    if (abort.reason === 'caller-left') return chargeAbandoned(app, context, attempt)
    // A stream that was pinged ends with an event of the gateway, which shows nothing of the body.
    if (record.isStream && response.stream.headersSent) return undefined
    context.hold.moveTo(context.caller)
    try {
      await settleFailure(app, context, attempt, charge)
    } catch (error) {
      // Without its charge the caller gets the gateway's own error instead.
      record.upstreamError = undefined
      throw error
    }
  }
}
