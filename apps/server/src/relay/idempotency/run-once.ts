import { createHash, hash } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { UpstreamResponse } from '../call-state.ts'
import type { AuthenticatedContext, RequestContext } from '../context.ts'
import { writeResponse } from '../response/write.ts'

/** SHA-256 hashes in hex. */
export type Idempotency = { keyHash: string; bodyHash: string }

type StoredAnswer = {
  bodyHash: string
  status: number
  type: string
  /** Base64. */
  body: string
}

/** The end of a request, for those that wait with the same key. */
type Outcome =
  | { kind: 'answered'; answer: StoredAnswer }
  | { kind: 'refused'; fault: Fault; upstreamError: UpstreamResponse | undefined }
  /** Nothing was charged and nothing was answered: the key is free. */
  | { kind: 'void' }
  /** Charged, and the answer was too long to store. */
  | { kind: 'charged'; receipt: number }
type Run = { bodyHash: string; outcome: Promise<Outcome> }

const storedSeconds = 24 * 60 * 60
const keyMax = 255

const runs = appScoped(() => new Map<string, Run>())

type Work = (idempotency: Idempotency) => Promise<void>

/** The value of the header, and what is equal for retries of one request. */
type KeyedRequest = { key: string | string[]; body: Buffer }

/** As `runOnce` where the request has a key; else runs the work. */
export const runOnceByKey = (
  app: App,
  context: AuthenticatedContext,
  body: Buffer,
  work: (idempotency: Idempotency | undefined) => Promise<void>,
): Promise<void> => {
  const key = context.request.headers['idempotency-key']
  return key === undefined ? work(undefined) : runOnce(app, context, { key, body }, work)
}

/**
 * Runs the work once per Idempotency-Key and token: one upstream call, one charge, the same answer. The answer is
 * replayed from here; the hold guards against a second charge, whatever is lost here.
 */
export const runOnce = async (
  app: App,
  context: AuthenticatedContext,
  { key, body }: KeyedRequest,
  work: Work,
): Promise<void> => {
  if (typeof key !== 'string' || key === '' || key.length > keyMax)
    throw new Fault('request.invalid', { hint: 'Idempotency-Key has 1 to 255 characters.' })
  const { tokenId } = context.caller
  const id = { keyHash: hash('sha256', `${tokenId} ${key}`), bodyHash: hashOf(context, body) }
  const running = runs(app)

  for (;;) {
    const other = running.get(id.keyHash)
    if (!other) break
    if (other.bodyHash !== id.bodyHash) throw new Fault('request.key_reused')
    const outcome = await other.outcome
    if (outcome.kind !== 'void') return replay(context, id, outcome)
  }
  const run = startRun(app, context, id, work)
  running.set(id.keyHash, { bodyHash: id.bodyHash, outcome: run.outcome })
  try {
    await run.done
  } finally {
    running.delete(id.keyHash)
  }
}

/** A path that names the model is a part of the request. */
const hashOf = ({ pathParams, path, query }: RequestContext, body: Buffer): string =>
  pathParams === undefined
    ? hash('sha256', body)
    : createHash('sha256').update(`${path}?${query}\n`).update(body).digest('hex')

/** The first of several requests with a key: does the work and reports its outcome to those that wait. */
const startRun = (app: App, context: RequestContext, id: Idempotency, work: Work) => {
  const outcome = Promise.withResolvers<Outcome>()
  const run = async (): Promise<void> => {
    const earlier = await findAnswer(app, id.keyHash)
    if (earlier) {
      outcome.resolve({ kind: 'answered', answer: earlier })
      return replay(context, id, { kind: 'answered', answer: earlier })
    }
    context.response.recorded = { status: 0, type: '', chunks: [], size: 0, isComplete: false }
    try {
      await work(id)
      outcome.resolve(await storeAnswer(app, id, context))
    } catch (error) {
      // Another node may have answered the same key meanwhile.
      const late = isCharged(error) ? await findAnswer(app, id.keyHash) : undefined
      if (!late) {
        outcome.resolve((await storeChargedRefusal(app, id, context)) ?? failureOf(context, error))
        throw error
      }
      outcome.resolve({ kind: 'answered', answer: late })
      context.response.recorded = undefined
      replay(context, id, { kind: 'answered', answer: late })
    }
  }
  const done = run().finally(() => outcome.resolve({ kind: 'charged', receipt: context.id }))
  return { outcome: outcome.promise, done }
}

const isCharged = (error: unknown) =>
  error instanceof Fault && error.code === 'request.already_charged'

/** A caller who left before anything was charged leaves the key free for the next request. */
const failureOf = (context: RequestContext, error: unknown): Outcome => {
  if (context.abort.reason === 'caller-left') return { kind: 'void' }
  return error instanceof Fault
    ? { kind: 'refused', fault: error, upstreamError: context.record.upstreamError }
    : { kind: 'charged', receipt: context.id }
}

const replay = (context: RequestContext, id: Idempotency, outcome: Outcome) => {
  if (outcome.kind === 'refused') {
    context.record.upstreamError = outcome.upstreamError
    throw outcome.fault
  }
  if (outcome.kind === 'charged')
    throw new Fault('request.already_charged', { hint: `Receipt: ${outcome.receipt}.` })
  if (outcome.kind !== 'answered') return
  const { bodyHash, status, type, body } = outcome.answer
  if (bodyHash !== id.bodyHash) throw new Fault('request.key_reused')
  const headers = ['content-type', type, 'x-idempotent-replay', 'true']
  writeResponse(context, status, headers, Buffer.from(body, 'base64'))
}

/** A vendor's refusal that was charged is the answer of its key, because no other call with this key is made. */
const storeChargedRefusal = async (
  app: App,
  id: Idempotency,
  context: RequestContext,
): Promise<Outcome | undefined> => {
  const { record, abort, response } = context
  if (!(record.upstreamError && record.isCharged) || abort.reason !== undefined) return undefined
  const { status, type, body } = record.upstreamError
  response.recorded = { status, type, chunks: [body], size: body.length, isComplete: true }
  return await storeAnswer(app, id, context)
}

const stateKey = (keyHash: string) => `idempotency:${keyHash}`

const findAnswer = async (app: App, keyHash: string): Promise<StoredAnswer | undefined> => {
  try {
    const sealed = await app.state.recall(stateKey(keyHash))
    return sealed ? JSON.parse(app.seal.open('idempotency', stateKey(keyHash), sealed)) : undefined
  } catch (error) {
    app.log.warn({ err: error }, 'a stored idempotent answer could not be read')
    return undefined
  }
}

const storeAnswer = async (
  app: App,
  { keyHash, bodyHash }: Idempotency,
  { id, response: { recorded } }: RequestContext,
): Promise<Outcome> => {
  if (!recorded?.isComplete) return { kind: 'charged', receipt: id }
  const { status, type, chunks } = recorded
  const answer = { bodyHash, status, type, body: Buffer.concat(chunks).toString('base64') }
  try {
    const sealed = app.seal.seal('idempotency', stateKey(keyHash), JSON.stringify(answer))
    await app.state.remember(stateKey(keyHash), sealed, storedSeconds)
    failpoint('answer kept')
  } catch (error) {
    app.log.warn({ err: error }, 'an idempotent answer could not be stored')
  }
  return { kind: 'answered', answer }
}
