import { Fault } from '@hub/contract'
import type { CallContext, UpstreamResponse } from '../context.ts'
import { moveToNextCandidate } from './resolve.ts'

type CandidateFailure = { fault: Fault; upstreamError: UpstreamResponse | undefined }

/** No channel was asked, so an earlier candidate's error says more. */
const saysLittle = ({ code }: Fault) => code === 'channel.none' || code === 'operation.unsupported'

/** Runs a call, and again with the next candidate of its virtual model where every channel of one failed. */
export const tryCandidates = async (
  context: CallContext,
  run: () => Promise<void>,
): Promise<void> => {
  let failure: CandidateFailure | undefined
  for (;;)
    try {
      return await run()
    } catch (error) {
      if (!context.virtual || !(error instanceof Fault)) throw error
      if (!failure || !saysLittle(error))
        failure = { fault: error, upstreamError: context.record.upstreamError }
      context.record.upstreamError = undefined
      if (mayMoveOn(context) && moveToNextCandidate(context)) continue
      context.record.upstreamError = failure.upstreamError
      throw failure.fault
    }
}

/** Not after a refusal that every candidate would repeat, nor after the end of the call's time. */
const mayMoveOn = ({ stopReason, abort }: CallContext): boolean =>
  abort.reason === undefined &&
  stopReason !== undefined &&
  ['no_candidate', 'retry_limit', 'retry_budget'].includes(stopReason)
