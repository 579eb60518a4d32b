import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { type Attempt, type CallContext, chatDialect } from '../context.ts'
import type { Delivered } from '../response/delivery.ts'
import { makeCallResult, settleAnswer } from '../response/finalize.ts'
import { writeStream } from '../response/stream-writer.ts'
import { writeResponse } from '../response/write.ts'
import { readBytes } from '../upstream/fetch-small.ts'
import type { Answer } from '../upstream/send.ts'
import { classifyStreamError } from '../upstream/upstream-error.ts'
import { detachCall, isTerminal } from './background.ts'
import { responseMax } from './poll-background.ts'
import { endRead, noteRead } from './read-output.ts'
import { settleStreamEnd } from './settle-stream-end.ts'

type BackgroundDelivery = { attempt: Attempt; answer: Answer; isStream: boolean }

/** Delivers the beginning of a background response. The caller learns its id once the hold is detached. */
export const deliverBackground = (
  app: App,
  context: CallContext,
  delivery: BackgroundDelivery,
): Promise<Delivered> =>
  delivery.isStream
    ? deliverStream(app, context, delivery)
    : deliverBuffered(app, context, delivery)

/** The response is made whether anybody reads it or not: nothing is charged by what was delivered. */
const deliverStream = (
  app: App,
  context: CallContext,
  { attempt, answer }: BackgroundDelivery,
): Promise<Delivered> => {
  const { parsed } = context
  const dialect = chatDialect(context)
  const observer = dialect.observeStream(parsed)
  let id = ''
  return writeStream(app, context, {
    answer,
    observer,
    hooks: {
      beforeFirstByte: responseId => {
        id = responseId
        return detachCall(app, context, attempt, responseId)
      },
      onProgress: metered => {
        noteRead(app, id, metered)
        return 'go'
      },
      beforeEnd: async finish => {
        if (finish === 'complete')
          await settleStreamEnd(app, { responseId: id, dialect, lastFrame: observer.tail() })
        else void endRead(app, id)
        return undefined
      },
      faultOf: failure => classifyStreamError(app, context, attempt, failure).fault,
    },
  })
}

const deliverBuffered = async (
  app: App,
  context: CallContext,
  { attempt, answer }: BackgroundDelivery,
): Promise<Delivered> => {
  const body = await readBytes(answer, responseMax).catch((error: unknown) => asFault(error))
  if (body instanceof Fault) return { ok: false, fault: body }
  const summary = context.dialect.readAnswer(body)
  if (!summary.ok && summary.failure === undefined)
    return {
      ok: false,
      fault: new Fault('upstream.invalid_response', { detail: 'not an answer' }),
    }
  const { id, status } = JSON.parse(body.toString()) as { id?: unknown; status?: unknown }
  if (!summary.ok && typeof id !== 'string') {
    const { failure } = summary
    return { ok: false, fault: classifyStreamError(app, context, attempt, failure).fault, failure }
  }
  context.response.firstByteAt ??= app.monotonic()
  if (isTerminal(status) && summary.ok) {
    const { usage: reported, meteredTokens: estimatedOutputTokens, responseId, answerIds } = summary
    const outcome = { reported, estimatedOutputTokens, responseId, answerIds }
    const result = makeCallResult(app, context, attempt, { finish: 'complete', ...outcome })
    await settleAnswer(context, result)
  } else await detachCall(app, context, attempt, String(id))
  writeResponse(context, 200, ['content-type', 'application/json'], body)
  return { ok: true }
}

const asFault = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  throw error
}
