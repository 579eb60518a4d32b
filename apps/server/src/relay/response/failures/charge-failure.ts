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
import type { Attempt, CallContext } from '../../context.ts'

/** The basis of the charge for a failure that reaches its caller: the figures that it reports, or else the output that it shows. */
export type FailureCharge = { reported: Usage | undefined; estimatedOutputTokens: number }

/** The charge of a failure that is all of its answer. Undefined: it shows no output and reports no usage, and is free. */
export const chargeOfFailure = (
  { dialect }: CallContext,
  failure: unknown,
): FailureCharge | undefined => {
  const charge = chargeOf(dialect, readFailureOutput(failure))
  if (!charge?.reported || !isJsonObject(failure)) return charge
  // Read as if it had not failed, the figures have the tools and the tier of the answer.
  const summary = dialect.readAnswer(Buffer.from(JSON.stringify({ ...failure, error: null })))
  const usage = summary.ok ? summary.usage : undefined
  return typeof usage === 'object' ? { ...charge, reported: usage } : charge
}

/** As `chargeOfFailure`, of the body of a refusal. */
export const chargeOfRefusalBody = (
  { dialect }: CallContext,
  body: Buffer,
): FailureCharge | undefined => chargeOf(dialect, readRefusalOutput(body))

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
