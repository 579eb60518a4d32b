import type { contract } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import * as rows from '../../db/queries/receipts.ts'
import { type Charge, makeScenario } from './scenario.ts'

type Replay = (typeof contract.simulator.endpoints)['replay']
type ReplayInput = z.output<Replay['input']>
type ReplayResult = z.input<Replay['response']>

const daySeconds = 86_400
/** Pages are small, so that neither the database thread nor the event loop is blocked for long. */
const pageRows = 500
const pagesPerAnswer = 8

type ModelSum = { requests: number; charged: bigint; simulated: bigint }

/**
 * Simulates one part of the history, a few thousand requests. The response contains a cursor for the next part, so the
 * server holds no state however long the history is.
 */
export const replay = async (app: App, input: ReplayInput): Promise<ReplayResult> => {
  const { from, until, ...start } = readRange(app, input)
  const scenario = await makeScenario(app, input)
  const sums = new Map<string, ModelSum>()
  let position: rows.LogPosition = start
  let skipped = 0
  for (let page = 0; page < pagesPerAnswer; page += 1) {
    const charges = await rows.listChargesAfter(app.db, position, until, pageRows)
    for (const result of await scenario(charges)) {
      if (result) add(sums, result)
      else skipped += 1
    }
    const last = charges.at(-1)
    if (last) position = { createdAt: last.created_at, id: last.id }
    if (charges.length < pageRows)
      return { models: toModels(sums), skipped, from, until, reached: until, next: null }
  }
  const next = `${from}:${until}:${position.createdAt}:${position.id}`
  return { models: toModels(sums), skipped, from, until, reached: position.createdAt, next }
}

/** Returns the time range and the position. The first part fixes the range, so that new calls do not extend it. */
const readRange = (app: App, { cursor, days }: ReplayInput) => {
  if (cursor) {
    const [from = 0, until = 0, createdAt = 0, id = 0] = cursor.split(':').map(Number)
    return { from, until, createdAt, id }
  }
  const until = nowSeconds(app)
  const from = until - days * daySeconds
  return { from, until, createdAt: from, id: 0 }
}

const add = (sums: Map<string, ModelSum>, { model, charged, simulated }: Charge) => {
  const sum = sums.get(model) ?? { requests: 0, charged: 0n, simulated: 0n }
  sum.requests += 1
  sum.charged += BigInt(charged)
  sum.simulated += BigInt(simulated)
  sums.set(model, sum)
}

const toModels = (sums: Map<string, ModelSum>): ReplayResult['models'] =>
  [...sums].map(([model, { requests, charged, simulated }]) => ({
    ...{ model, requests },
    ...{ charged: String(charged), simulated: String(simulated) },
  }))
