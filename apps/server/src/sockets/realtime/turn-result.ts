import { type MessageTokens, noUsage, type Usage } from '@hub/dialects'
import type { CallResult, Finish } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { billOf } from '../../relay/channels/channel.ts'
import type { Attempt, CallContext } from '../../relay/context.ts'

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
    bill: billOf(attempt.channel, { upstreamModel: attempt.upstreamModel }),
  }
}

type CountedTurn = {
  /** Output of the running responses. */
  made: Usage
  /** Tokens that the caller sent since the last response. */
  sent: MessageTokens
  /** Tokens of the conversation before that. */
  conversationTokens: number
  /** The vendor reads the conversation from its cache. */
  isContextCached: boolean
}

/** The usage of a turn by the gateway's own count. */
export const estimateTurn = (turn: CountedTurn): Usage => {
  const { made, sent, conversationTokens, isContextCached } = turn
  const text = Math.ceil(sent.text)
  return {
    ...noUsage(),
    output: Math.ceil(made.output),
    audioOutput: Math.ceil(made.audioOutput),
    input: isContextCached ? text : text + conversationTokens,
    cacheRead: isContextCached ? conversationTokens : 0,
    audioInput: Math.ceil(sent.audio),
    imageInput: Math.ceil(sent.image),
  }
}
