import type { Usage } from '@hub/dialects'
import type { CallResult, Finish } from '../../../billing/open-hold.ts'
import type { App } from '../../../core/app.ts'
import type { Attempt, CallContext } from '../../context.ts'

type EndedTurn = Pick<CallResult, 'headersNotPassed'> & {
  call: CallContext
  attempt: Attempt
  /** The vendor's figures. */
  reported: Usage | 'broken' | undefined
  /** The figures that are charged: the vendor's, or else the gateway's. */
  usage: Usage
  finish: Finish
}

/** The result of a turn that is charged. */
export const turnResult = (
  app: App,
  { call, attempt, headersNotPassed, reported, usage, finish }: EndedTurn,
): CallResult => {
  const isReported = typeof reported === 'object'
  if (!isReported && finish === 'complete')
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  return {
    model: attempt.billedModel,
    requestedModel: call.parsed.model,
    headersNotPassed,
    channelId: attempt.channel.id,
    usage,
    estimated: !isReported,
    finish,
    stream: true,
    firstByteMs: Math.round((call.response.firstByteAt ?? app.monotonic()) - call.startedAt),
    warnings: [],
  }
}
