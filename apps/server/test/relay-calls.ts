import { type ClientRequest, request } from 'node:http'
import { expect } from 'vitest'
import type { Turn } from '../../../test/upstream/turn.ts'
import type { RelayHub } from './relay-hub.ts'

export type RelayCall = {
  path: string
  body: object
  /** Sent instead of the body, for texts that no object has. */
  text?: string
  headers?: Record<string, string>
}

/** Sends a call that the test may leave at any time. */
export const sendCall = (
  hub: RelayHub,
  { path, body, text, headers = {} }: RelayCall,
): ClientRequest => {
  const call = request(`${hub.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${hub.key}`, ...headers },
  })
  call.on('error', () => undefined)
  call.end(text ?? JSON.stringify(body))
  return call
}

/** The last charge of a call, with the receipt of its posting. */
export type PostedCharge = {
  id: number
  amount: number
  usage: Record<string, number>
  [field: string]: unknown
}

/** Waits until no hold is open. Undefined: no call was charged yet. */
export const lastCharge = async ({ app }: RelayHub): Promise<PostedCharge | undefined> => {
  const { db } = app.app
  const openHolds = () => db.selectFrom('holds').select('id').execute()
  await expect.poll(openHolds, { interval: 5 }).toEqual([])
  const posting = await db
    .selectFrom('transfers')
    .select(['id', 'amount', 'usage'])
    .where('kind', '=', 'request')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return posting && { id: posting.id, amount: posting.amount, ...JSON.parse(posting.usage) }
}

export const beginStream = ({ response }: Pick<Turn, 'response'>) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })

/** One event of a stream, named where its dialect names events. */
export const frame = (value: { type?: string } & Record<string, unknown>): string =>
  `${value.type === undefined ? '' : `event: ${value.type}\n`}data: ${JSON.stringify(value)}\n\n`
