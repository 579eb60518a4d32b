import { Fault } from '@hub/contract'
import { endedResponse, type ResponseObject, unfinishedResponse } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as vendorResponses from '../../db/queries/vendor-responses.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { CallContext } from '../context.ts'
import { errorInfo, writeJson } from '../response/write.ts'
import type { BackgroundResponse } from '../translate/translation.ts'
import { contentMax, encodeContent, inputOf, sealContent } from './content.ts'
import { DetachedResponse } from './detached-response.ts'
import { runningResponses } from './running-responses.ts'
import { insertResponse } from './save.ts'

/**
 * Runs a call whose response the gateway makes in the background. Its row is written before its caller learns the id;
 * from then on the call ends with its answer, with an error, or by being cancelled, whether its caller stays or not.
 */
export const runInBackground = async (
  app: App,
  context: CallContext,
  background: BackgroundResponse,
  run: () => Promise<void>,
): Promise<void> => {
  const { id } = background
  const response = await begin(app, context, background)
  if (context.abort.reason !== undefined) {
    await vendorResponses.remove(app.callDb, id)
    return run()
  }
  const recorded = detach(context, response)
  const running = runningResponses(app)
  running.add(id, context)
  const ending = (fault: Fault | undefined) =>
    running.end(
      id,
      fault && sealContent(app, id, encodeContent(failedContent(context, response, fault))),
    )
  try {
    await run()
  } catch (error) {
    await ending(error instanceof Fault ? error : new Fault('server.failed', { cause: error }))
    throw error
  }
  await ending(context.record.streamFault)
  if (recorded) context.response.recorded = recorded
}

/** Stores the response without its output. */
const begin = async (
  app: App,
  context: CallContext,
  { id, createdAt }: BackgroundResponse,
): Promise<ResponseObject> => {
  const { parsed, target } = context
  const previous = target.continuation?.previous
  const response = unfinishedResponse(parsed, { id, createdAt, previous })
  const encoded = encodeContent({ input: inputOf(context), response })
  if (encoded.size > contentMax)
    throw new Fault('request.too_large', { hint: 'The gateway stores at most 8 MiB of input.' })
  await insertResponse(app, context, {
    ...sealContent(app, id, encoded),
    ...{ created_at: createdAt, previous, is_running: 1 },
  })
  failpoint('background begun')
  return response
}

/**
 * Answers a caller who does not stream with the id, and lets the call go on without a caller. Returns the answer that a
 * retry with the same Idempotency-Key gets; undefined where that is the stream.
 */
const detach = (context: CallContext, response: ResponseObject) => {
  if (context.parsed.stream) {
    context.response.stream = new DetachedResponse(context.response.stream)
    return undefined
  }
  writeJson(context, { ...response, status: 'queued' })
  const { recorded } = context.response
  context.response.recorded = undefined
  context.response.stream = new DetachedResponse(undefined)
  return recorded
}

const failedContent = (context: CallContext, response: ResponseObject, fault: Fault) => {
  const { body } = context.dialect.encodeFault(errorInfo(context, fault))
  const { error } = JSON.parse(body) as { error?: { code?: string; message?: string } }
  const { code = 'server_error', message = '' } = error ?? {}
  return {
    input: inputOf(context),
    response: endedResponse(response, { status: 'failed', error: { code, message } }),
  }
}
