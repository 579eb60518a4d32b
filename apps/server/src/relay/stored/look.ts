import { Fault } from '@hub/contract'
import { openaiResponses } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as background from '../../db/queries/background.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import type { BackgroundCallsTable } from '../../db/tables/stored.ts'
import { type Channel, decodeChannel } from '../channels/channel.ts'
import { roster } from '../channels/roster.ts'
import { decoded } from '../upstream/decode.ts'
import { closePools } from '../upstream/pools.ts'
import { readSome } from '../upstream/send.ts'
import { giveUp, settleSeen } from './background.ts'
import { credentialOf } from './holder.ts'
import { keepingEndpoint } from './keeping.ts'
import { askKept } from './request.ts'

export type Looked = 'ended' | 'running'

/** An answer is read whole, because its usage stands at its end. */
export const answerMax = 64 * 1024 * 1024
/** So long nobody else looks: longer than one look may last. */
const leaseSeconds = 600
const waitSecondsMax = 60
/** Vendors give background answers hours. What is not known after a day never will be. */
const lostAfterSeconds = 86_400
/** A vendor may not know for a moment what it has just been given. */
const missingAfterSeconds = 600
const atOnce = 8

/** Looks after the calls whose answer is being made, whoever of all nodes comes first to each. */
export const lookAfterRunning = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const rows: BackgroundCallsTable[] = []
    const now = seconds(app)
    if (!(await background.isDue(app.db, now))) return
    while (rows.length < atOnce) {
      const row = await background.take(app.db, now, now + leaseSeconds)
      if (!row) break
      rows.push(row)
    }
    if (rows.length === 0) return
    await Promise.all(rows.map(row => turn(app, row)))
  }
}

const turn = async (app: App, row: BackgroundCallsTable): Promise<void> => {
  const looked = await look(app, row).catch((error: unknown) => {
    app.log.warn(
      { err: error, request: row.request_id },
      'a background call could not be looked at',
    )
    return 'running' as const
  })
  if (looked === 'ended') return
  if (seconds(app) - row.created_at > lostAfterSeconds) return giveUp(app, row, 'too old')
  const wait = Math.min(waitSecondsMax, 2 ** Math.min(row.attempts, 6))
  await background.putBack(app.db, row, seconds(app) + wait)
}

/** Asks the vendor how far it is, and charges what has ended. */
export const look = async (app: App, row: BackgroundCallsTable): Promise<Looked> => {
  const known = (await roster(app).get()).byId.get(row.channel_id)
  // One that was disabled meanwhile still owes us the answer.
  const found = known ? undefined : await findChannel(app.db, row.channel_id)
  const channel = known ?? (found && decodeChannel(app, found))
  if (!channel && !found) {
    await giveUp(app, row, 'its channel was deleted')
    return 'ended'
  }
  if (!channel) return 'running'
  try {
    return await ask(app, row, channel)
  } finally {
    if (!known) closePools(app, channel)
  }
}

const ask = async (app: App, row: BackgroundCallsTable, channel: Channel): Promise<Looked> => {
  const credential = credentialOf(app, channel, row.credential)
  const endpoint = keepingEndpoint(channel, { dialect: openaiResponses.id, what: 'background' })
  if (credential === undefined || !endpoint) return 'running'
  const under = `/${row.answer_id}`
  const account = { channel, credential, endpoint }
  const told = await askKept(app, account, { method: 'GET', under, query: '', rawHeaders: [] })
    .answer
  if (told instanceof Fault) throw told
  const answer = decoded(told)
  const body = await readSome(answer, answerMax)
  if (answer.status === 200)
    return (await settleSeen(app, row, openaiResponses, body)) ? 'ended' : 'running'
  if (answer.status !== 404 || seconds(app) - row.created_at < missingAfterSeconds) return 'running'
  await giveUp(app, row, 'the vendor does not know it any more')
  return 'ended'
}

const seconds = (app: App): number => Math.floor(app.now() / 1_000)
