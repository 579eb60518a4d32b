import { meterSpeech, type StreamObserver } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { CallContext } from '../context.ts'
import { promptOfCheckpoints } from '../prompt-count/prompt-of-call.ts'
import { contentTypeOf } from '../upstream/fetch-small.ts'
import { classifyStreamError } from '../upstream/upstream-error.ts'
import type { Delivered, Delivery } from './delivery.ts'
import { estimateUsage } from './estimate-usage.ts'
import { makeCallResult, settleAnswer } from './finalize.ts'
import { writeStream } from './stream-writer.ts'

/**
 * Forwards a file as it arrives, at the caller's pace. The last chunk waits until the charge is durable. Where the request
 * fixes the price, a file that broke off after its first bytes is charged like a whole one; speech that is sold by tokens
 * is charged by the seconds that were forwarded.
 */
export const deliverBytes = (
  app: App,
  context: CallContext,
  delivery: Delivery,
): Promise<Delivered> => {
  const { attempt, answer } = delivery
  const countPrompt = promptOfCheckpoints(app, context, attempt)
  const meter = meterSpeech(context.parsed)
  const observer = observeBytes(meter)
  return writeStream(app, context, {
    answer,
    observer,
    hooks: {
      headers: ['content-type', contentTypeOf(answer) || 'application/octet-stream'],
      onProgress: metered => {
        const delivered = estimateUsage(context.parsed, metered, meter && metered)
        void context.hold.progress(attempt.billedModel, delivered, countPrompt)
        return 'go'
      },
      beforeEnd: async finish => {
        const audioTokens = meter?.tokens()
        const outcome = { reported: undefined, estimatedOutputTokens: 0, audioTokens, finish }
        await settleAnswer(context, makeCallResult(app, context, attempt, outcome))
        return undefined
      },
      faultOf: failure => classifyStreamError(app, context, attempt, failure).fault,
    },
  })
}

/** Holds back one chunk, which may be the last. */
export const observeBytes = (meter?: ReturnType<typeof meterSpeech>): StreamObserver => {
  let held: Buffer | undefined
  return {
    push: chunk => {
      const ready = held ? [held] : []
      held = chunk
      for (const each of ready) meter?.push(each)
      return ready
    },
    end: () => held !== undefined,
    isClosed: () => false,
    mayBeComplete: () => false,
    tail: () => held ?? Buffer.alloc(0),
    meteredTokens: () => meter?.tokens() ?? 0,
    usage: () => undefined,
    failure: () => undefined,
    malformedFrames: () => 0,
  }
}
