import { Fault } from '@hub/contract'
import type { PendingResult } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import { timers } from '../../../core/timers.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { fetchSmall, openAnswer, readSmall, type SmallAnswer } from '../fetch-small.ts'
import { addProviderHeaders, setHeaders } from '../headers.ts'
import type { Answer, Outgoing } from '../send.ts'
import { signRequest } from '../sign.ts'

const answerMax = 64 * 1024 * 1024
/** The interval of vendors' own clients; it grows for results that take long. */
const firstPauseMs = 500
const pauseMaxMs = 5_000
/** Polls in a row without an answer, after which the result is given up. */
const failuresMax = 5
const cancelTimeoutMs = 10_000

type Pending = { attempt: Attempt; result: PendingResult; id: string }

/**
 * Asks for the result that an answer announces until it is there, and returns it in place of the answer. A result that is
 * given up is cancelled, because the vendor charges it. Throws like `openAnswer`.
 */
export const awaitResult = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  answer: Answer,
): Promise<Answer> => {
  const { pendingResult: result } = attempt.endpoint
  if (!result) return answer
  const first = await readSmall(context, answer, answerMax)
  const id = result.idIn(parse(first.body))
  if (id === undefined) return replay(answer, first)
  try {
    return replay(answer, await pollUntilDone(app, context, { attempt, result, id }))
  } catch (error) {
    // The vendor has the request, whatever became of the last poll.
    context.upstream.isSent = true
    const request = requestOf(app, attempt, 'POST', result.cancelPath(id))
    fetchSmall(app, request, { sizeMax: 1_024, timeoutMs: cancelTimeoutMs }).catch(() => undefined)
    throw error
  }
}

const pollUntilDone = async (
  app: App,
  context: CallContext,
  { attempt, result, id }: Pending,
): Promise<SmallAnswer> => {
  const deadline = app.monotonic() + app.settings().relay.StreamDurationMaxSeconds * 1_000
  let failures = 0
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)) {
    await pause(app, context, pauseMs)
    const polled = await poll(app, context, requestOf(app, attempt, 'GET', result.path(id)))
    failures = polled ? 0 : failures + 1
    if (polled && result.idIn(parse(polled.body)) === undefined) return polled
    if (failures === failuresMax)
      throw new Fault('upstream.broken', { detail: `${failures} polls had no answer` })
    if (app.monotonic() >= deadline)
      throw new Fault('upstream.timeout', { detail: 'the result is still being made' })
  }
}

/** Returns undefined where the vendor did not answer this time. */
const poll = async (
  app: App,
  context: CallContext,
  request: Outgoing,
): Promise<SmallAnswer | undefined> => {
  try {
    const answer = await readSmall(context, await openAnswer(app, context, request), answerMax)
    return answer.status === 200 ? answer : undefined
  } catch (error) {
    if (context.abort.reason !== undefined || !(error instanceof Fault)) throw error
    return undefined
  }
}

const requestOf = (
  app: App,
  { channel, key, upstreamModel }: Attempt,
  method: 'GET' | 'POST',
  path: string,
): Outgoing => {
  const headers = ['accept', 'application/json', 'accept-encoding', 'identity']
  addProviderHeaders(headers, channel.provider)
  return signRequest(
    app,
    // Addresses with ids would fill the cache of fixed ones.
    { channel, credential: key.credential, path: () => path, model: upstreamModel, stream: false },
    { method, headers: setHeaders(headers, channel.requestHeaders), body: null },
  )
}

const pause = (app: App, context: CallContext, milliseconds: number): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const leave = (detail: string) => reject(new Fault('upstream.broken', { detail }))
    if (context.abort.reason !== undefined) return leave(context.abort.reason)
    const timer = timers(app).start(milliseconds, resolve)
    context.abort.onAbort = reason => {
      timers(app).stop(timer)
      leave(reason)
    }
  }).finally(() => {
    context.abort.onAbort = undefined
  })

/** An answer whose body was read, to be read again. */
const replay = ({ status, headers }: Answer, { body }: SmallAnswer): Answer => ({
  status,
  headers,
  read: reader => {
    reader.data(body)
    reader.end()
  },
  pause: () => {},
  resume: () => {},
  drop: () => {},
})

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
