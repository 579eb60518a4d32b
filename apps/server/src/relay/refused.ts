import type { FormatId } from '@hub/dialects'
import type { App } from '../core/app.ts'
import type { UpstreamResponse } from './call-state.ts'
import type { Attempt, CallContext } from './context.ts'
import { chargeOfRefusal } from './response/failures/charge-failure.ts'
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
  const responseOf = (shownBody: Buffer): UpstreamResponse => {
    const charge = chargeOfRefusal(app, context, attempt, body)
    return { status: shown, type, body: shownBody, ...(charge && { charge }) }
  }
  const refusal: Refusal = canPass
    ? { ...error, upstreamResponse: responseOf(scrub(body, source)) }
    : error
  if (refusesState(status, body.toString())) return { ...refusal, refusesState: true }
  const isMissing = isDialectMissing(attempt, { status, body, ...source.dialect.decodeFault(body) })
  return isMissing ? { ...refusal, missingDialect: attempt.endpoint.dialect } : refusal
}
