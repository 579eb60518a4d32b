import { Fault } from '@hub/contract'
import { outputTokens } from '@hub/dialects'
import { chargeCacheHit } from '../../billing/calls/cache-hit.ts'
import type { CallResult, HoldObserver, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { ReadContext, RequestContext } from '../context.ts'
import { startEarlyPings } from '../response/early-pings.ts'
import { endResponse, streamHeaders, writeResponse } from '../response/write.ts'
import type { CallPlan } from '../virtual-models/resolve.ts'
import { type CachedAnswer, findAnswer, storeAnswer } from './store.ts'

type CacheableCall = {
  /** Names the cached answer. */
  key: string
  plan: CallPlan
  idempotency: Reservation['idempotency']
}

/** Calls the upstream. The observer of its hold learns how the call ended. */
type Work = (observer: HoldObserver) => Promise<void>

/** The running calls that others of the same key wait for; each resolves with the answer that it stored, if any. */
const runs = appScoped(() => new Map<string, Promise<CachedAnswer | undefined>>())

/**
 * Answers a request of a token that uses the response cache from an earlier answer to the same request, at no charge.
 * Equal requests at a time make one upstream call; those whose first call stored nothing call the upstream themselves.
 */
export const answerOnce = async (
  app: App,
  context: ReadContext,
  call: CacheableCall,
  work: Work,
): Promise<void> => {
  const { key } = call
  const running = runs(app).get(key)
  if (running) {
    const answer = await waitFor(app, context, running)
    if (answer) return replay(app, context, call, answer)
    return runAndStore(app, context, key, work).then(() => {})
  }
  const outcome = Promise.withResolvers<CachedAnswer | undefined>()
  runs(app).set(key, outcome.promise)
  let stored: CachedAnswer | undefined
  try {
    stored = await findAnswer(app, key)
    if (!stored) stored = await runAndStore(app, context, key, work)
    else await replay(app, context, call, stored)
  } finally {
    runs(app).delete(key)
    outcome.resolve(stored)
  }
}

/** Waits for another call's answer, and pings the caller of a stream meanwhile. */
const waitFor = async <T>(app: App, context: ReadContext, answer: Promise<T>): Promise<T> => {
  using _pings = startEarlyPings(app, context, context.parsed)
  return await untilAborted(context, answer)
}

/** Waits no longer than the caller does. */
const untilAborted = <T>(context: RequestContext, wait: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (reason: string) =>
      reject(new Fault(reason === 'stopping' ? 'server.stopping' : 'upstream.broken'))
    context.abort.onAbort = abort
    if (context.abort.reason) abort(context.abort.reason)
    wait.then(resolve, reject)
  }).finally(() => {
    context.abort.onAbort = undefined
  }) as Promise<T>

/** Calls the upstream, and stores the answer where it is whole and charged. */
const runAndStore = async (
  app: App,
  context: ReadContext,
  key: string,
  work: Work,
): Promise<CachedAnswer | undefined> => {
  context.response.headers.push('x-cache', 'MISS')
  // A retry with an Idempotency-Key records the answer already.
  context.response.recorded ??= { status: 0, type: '', chunks: [], size: 0, isComplete: false }
  let result: CallResult | undefined
  await work({
    settled: charged => {
      result = charged
    },
  })
  const { recorded } = context.response
  if (!recorded?.isComplete || context.record.streamFault || !isWhole(context, result))
    return undefined
  const { status, type, chunks } = recorded
  const answer = { status, type, body: Buffer.concat(chunks) }
  await storeAnswer(app, key, answer)
  return answer
}

const isWhole = ({ operation }: RequestContext, result: CallResult | undefined): boolean =>
  result?.finish === 'complete' && (operation !== 'chat' || outputTokens(result.usage) > 0)

/** The charge of 0 is durable before the caller sees the answer, as any charge. */
const replay = async (
  app: App,
  context: ReadContext,
  { plan, idempotency }: CacheableCall,
  { status, type, body }: CachedAnswer,
): Promise<void> => {
  const firstByteMs = Math.round(app.monotonic() - context.startedAt)
  const { path, parsed } = context
  const { stream, model } = parsed
  const { caller } = plan.targets[0]!
  await chargeCacheHit(
    app,
    { ...context, caller },
    { model, stream, firstByteMs, path, idempotency },
  )
  context.record.isCharged = true
  context.response.firstByteAt ??= app.monotonic()
  if (context.response.stream.headersSent) return endResponse(context, body)
  const headers = stream ? streamHeaders(context.dialect) : ['content-type', type]
  writeResponse(context, status, ['x-cache', 'HIT', ...headers], body)
}
