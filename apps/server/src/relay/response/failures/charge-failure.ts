import {
  type CallerFormat,
  type FailureOutput,
  outputTokens,
  readFailureOutput,
  readRefusalOutput,
  type StreamObserver,
  type Usage,
  usageOfFailure,
} from '@hub/dialects'
import { isJsonObject } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { type AnswerOutcome, makeCallResult, settleAnswer } from '../finalize.ts'

/** What a failure that reaches its caller is charged by: the figures that it reports, or else the output that it shows. */
type FailureCharge = Pick<AnswerOutcome, 'reported' | 'estimatedOutputTokens'>

/** The charge of a failure that is all of its answer. Undefined: it shows no output and reports no usage, and is free. */
export const chargeOfFailure = (
  { dialect }: CallContext,
  failure: unknown,
): FailureCharge | undefined => {
  const charge = chargeOf(dialect, readFailureOutput(failure))
  if (!charge?.reported || !isJsonObject(failure)) return charge
  // Read as if it had not failed, the figures have the tools and the tier of the answer.
  const summary = dialect.readAnswer(Buffer.from(JSON.stringify({ ...failure, error: null })))
  const isWhole = summary.ok && typeof summary.usage === 'object'
  return isWhole ? { ...charge, reported: summary.usage } : charge
}

const chargeOf = (dialect: CallerFormat, output: FailureOutput): FailureCharge | undefined => {
  const reported = usageOfFailure(dialect, output)
  const metered = Math.ceil((output.own + output.repeated) / 4)
  if (reported === undefined && metered === 0) return undefined
  return { reported, estimatedOutputTokens: unreportedTokens(reported, metered) }
}

/** Figures that have output count all of it. */
const unreportedTokens = (reported: Usage | undefined, metered: number): number =>
  reported && outputTokens(reported) > 0 ? 0 : metered

/**
 * The charge of a stream by the usage that the failure at its end reports; undefined where it reports none. A translated
 * stream is charged by what was delivered, because its failure has no usage in the caller's words.
 */
export const reportedByFailure = (
  { dialect }: CallContext,
  { translation }: Attempt,
  failure: unknown,
  observer: StreamObserver,
): FailureCharge | undefined => {
  if (translation) return undefined
  const reported = usageOfFailure(dialect, readFailureOutput(failure))
  if (!reported) return undefined
  const observed = observer.usage()
  const { tools, served } = typeof observed === 'object' ? observed : reported
  return {
    reported: { ...reported, tools: { ...tools, ...reported.tools }, ...(served && { served }) },
    estimatedOutputTokens: unreportedTokens(reported, observer.meteredTokens()),
  }
}

/** Charges a failure that is all of its answer before the caller gets it, or releases the hold where it is free. */
export const settleFailure = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  charge: FailureCharge | undefined,
): Promise<void> => {
  if (!charge) return void (await context.hold.release())
  const result = makeCallResult(app, context, attempt, { ...charge, finish: 'upstream-broke' })
  await settleAnswer(context, result)
}

/** Charges a refusal once it is the one that the caller gets; undefined where it is free. */
export const chargeOfRefusal = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  body: Buffer,
): (() => Promise<void>) | undefined => {
  // The failure of a response in the background is the gateway's own, and shows no output.
  if (context.target.background) return undefined
  const charge = chargeOf(context.dialect, readRefusalOutput(body))
  if (!charge) return undefined
  return async () => {
    context.hold.moveTo(context.caller)
    try {
      await settleFailure(app, context, attempt, charge)
    } catch (error) {
      context.record.upstreamError = undefined
      throw error
    }
  }
}
