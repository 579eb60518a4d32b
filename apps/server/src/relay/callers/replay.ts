import { hash } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import { perApp } from '../../core/per-app.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { type Exchange, writeWhole } from '../exchange.ts'

export type Idempotency = { keyHash: string; bodyHash: string }
type Stored = { bodyHash: string; status: number; type: string; body: string }

/** What became of a request: an answer to repeat, nothing charged, or charged and its answer not kept. */
type Outcome =
  | { is: 'answered'; stored: Stored }
  | { is: 'refused'; fault: Fault; told: Exchange['told'] }
  | { is: 'nothing' }
  | { is: 'gone'; receipt: number }
type Run = { bodyHash: string; outcome: Promise<Outcome> }

const keptSeconds = 24 * 60 * 60
const keyMax = 255

const runs = perApp(() => new Map<string, Run>())

/**
 * The same Idempotency-Key from the same token: one upstream call, one charge, the same answer. Here the answer is
 * repeated; that nothing is charged twice is guarded by the hold, whatever is lost here.
 */
export const once = (
  app: App,
  exchange: Exchange,
  caller: Caller,
  body: Buffer,
  work: Work,
): Promise<void> => {
  const key = exchange.request.headers['idempotency-key']
  return key === undefined ? work(undefined) : onceFor(app, exchange, { caller, key, body }, work)
}

type Work = (idempotency: Idempotency | undefined) => Promise<void>
type Keyed = { caller: Caller; key: string | string[]; body: Buffer }

const onceFor = async (
  app: App,
  exchange: Exchange,
  { caller, key, body }: Keyed,
  work: Work,
): Promise<void> => {
  if (typeof key !== 'string' || key === '' || key.length > keyMax)
    throw new Fault('request.invalid', { hint: 'Idempotency-Key has 1 to 255 characters.' })
  const id = { keyHash: hash('sha256', `${caller.tokenId} ${key}`), bodyHash: hash('sha256', body) }
  const running = runs(app)

  for (;;) {
    const other = running.get(id.keyHash)
    if (!other) break
    if (other.bodyHash !== id.bodyHash) throw new Fault('request.key-reused')
    const outcome = await other.outcome
    if (outcome.is !== 'nothing') return repeat(exchange, id, outcome)
  }
  const run = lead(app, exchange, id, work)
  running.set(id.keyHash, { bodyHash: id.bodyHash, outcome: run.outcome })
  try {
    await run.done
  } finally {
    running.delete(id.keyHash)
  }
}

/** The first of several: does the work, and says what became of it to those that wait. */
const lead = (
  app: App,
  exchange: Exchange,
  id: Idempotency,
  work: (idempotency: Idempotency) => Promise<void>,
) => {
  const outcome = Promise.withResolvers<Outcome>()
  const run = async (): Promise<void> => {
    const stored = await recall(app, id.keyHash)
    if (stored) {
      outcome.resolve({ is: 'answered', stored })
      return repeat(exchange, id, { is: 'answered', stored })
    }
    exchange.copy = { status: 0, type: '', chunks: [], size: 0, isWhole: false }
    try {
      await work(id)
      outcome.resolve(await keep(app, id, exchange))
    } catch (error) {
      const late = isCharged(error) ? await recall(app, id.keyHash) : undefined
      outcome.resolve(late ? { is: 'answered', stored: late } : refusalOf(exchange, error))
      if (!late) throw error
      exchange.copy = undefined
      repeat(exchange, id, { is: 'answered', stored: late })
    }
  }
  const done = run().finally(() => outcome.resolve({ is: 'gone', receipt: exchange.id }))
  return { outcome: outcome.promise, done }
}

const isCharged = (error: unknown) =>
  error instanceof Fault && error.code === 'request.already-charged'

/** A caller who left before anything was charged leaves the key free for the next one. */
const refusalOf = (exchange: Exchange, error: unknown): Outcome => {
  if (exchange.stopped === 'caller-left') return { is: 'nothing' }
  return error instanceof Fault
    ? { is: 'refused', fault: error, told: exchange.told }
    : { is: 'gone', receipt: exchange.id }
}

const repeat = (exchange: Exchange, id: Idempotency, outcome: Outcome) => {
  if (outcome.is === 'refused') {
    exchange.told = outcome.told
    throw outcome.fault
  }
  if (outcome.is === 'gone')
    throw new Fault('request.already-charged', { hint: `Receipt: ${outcome.receipt}.` })
  if (outcome.is !== 'answered') return
  const { stored } = outcome
  if (stored.bodyHash !== id.bodyHash) throw new Fault('request.key-reused')
  const headers = ['content-type', stored.type, 'x-idempotent-replay', 'true']
  writeWhole(exchange, stored.status, headers, Buffer.from(stored.body, 'base64'))
}

const place = (keyHash: string) => `idempotency:${keyHash}`

const recall = async (app: App, keyHash: string): Promise<Stored | undefined> => {
  try {
    const sealed = await app.state.recall(place(keyHash))
    return sealed ? JSON.parse(app.seal.open('idempotency', place(keyHash), sealed)) : undefined
  } catch (error) {
    app.log.warn({ err: error }, 'a kept answer could not be read')
    return undefined
  }
}

const keep = async (app: App, id: Idempotency, exchange: Exchange): Promise<Outcome> => {
  const { copy } = exchange
  if (!copy?.isWhole) return { is: 'gone', receipt: exchange.id }
  const body = Buffer.concat(copy.chunks).toString('base64')
  const stored = { bodyHash: id.bodyHash, status: copy.status, type: copy.type, body }
  try {
    const sealed = app.seal.seal('idempotency', place(id.keyHash), JSON.stringify(stored))
    await app.state.remember(place(id.keyHash), sealed, keptSeconds)
    failpoint('answer kept')
  } catch (error) {
    app.log.warn({ err: error }, 'an answer could not be kept')
  }
  return { is: 'answered', stored }
}
