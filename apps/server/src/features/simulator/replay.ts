import type { contract } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import * as rows from '../../db/queries/receipts.ts'
import { type Charge, makeScenario } from './scenario.ts'

type Replay = (typeof contract.simulator.endpoints)['replay']
type Input = z.output<Replay['input']>
type Answer = z.input<Replay['reply']>

const daySeconds = 86_400
/** Small enough that neither the thread of the database nor this one is kept from callers for long. */
const pageRows = 500
const pagesPerAnswer = 8

type Sum = { requests: number; charged: bigint; simulated: bigint }

/**
 * One piece of a replay: a few thousand requests, page by page, with the event loop free in between. The caller holds
 * the place where it ended, so nothing is kept here however long the history is.
 */
export const replay = async (app: App, input: Input): Promise<Answer> => {
  const { from, until, ...start } = readRange(app, input)
  const scenario = await makeScenario(app, input)
  const sums = new Map<string, Sum>()
  let place: rows.LogPosition = start
  let skipped = 0
  for (let page = 0; page < pagesPerAnswer; page += 1) {
    const charges = await rows.listChargesAfter(app.db, place, until, pageRows)
    for (const result of await scenario(charges)) {
      if (result) add(sums, result)
      else skipped += 1
    }
    const last = charges.at(-1)
    if (last) place = { createdAt: last.created_at, id: last.id }
    if (charges.length < pageRows)
      return { models: toModels(sums), skipped, from, until, reached: until, next: null }
  }
  const next = `${from}:${until}:${place.createdAt}:${place.id}`
  return { models: toModels(sums), skipped, from, until, reached: place.createdAt, next }
}

/** What is looked at is fixed by the first piece: calls that come in meanwhile do not move the end. */
const readRange = (app: App, { cursor, days }: Input) => {
  if (cursor) {
    const [from = 0, until = 0, createdAt = 0, id = 0] = cursor.split(':').map(Number)
    return { from, until, createdAt, id }
  }
  const until = nowSeconds(app)
  const from = until - days * daySeconds
  return { from, until, createdAt: from, id: 0 }
}

const add = (sums: Map<string, Sum>, { model, charged, simulated }: Charge) => {
  const sum = sums.get(model) ?? { requests: 0, charged: 0n, simulated: 0n }
  sum.requests += 1
  sum.charged += BigInt(charged)
  sum.simulated += BigInt(simulated)
  sums.set(model, sum)
}

const toModels = (sums: Map<string, Sum>): Answer['models'] =>
  [...sums].map(([model, { requests, charged, simulated }]) => ({
    ...{ model, requests },
    ...{ charged: String(charged), simulated: String(simulated) },
  }))
