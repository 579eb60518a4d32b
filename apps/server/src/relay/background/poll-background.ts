import { openaiResponses } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import type { BackgroundCallsTable } from '../../db/tables/responses.ts'
import { type Channel, decodeChannel } from '../channels/channel.ts'
import { storingKeyOf } from '../references/owner.ts'
import { storingEndpoint } from '../references/storing-endpoint.ts'
import { channelIndex } from '../routing/channel-index.ts'
import { fetchSmall } from '../upstream/fetch-small.ts'
import { giveUp, settleIfFinal } from './background.ts'
import { storedResponseRequest } from './request.ts'

export type PollResult = 'ended' | 'running'

/** A response is read whole, because its usage stands at its end. */
export const responseMax = 64 * 1024 * 1024
/** The lease of a polled call; longer than one poll may last. */
const leaseSeconds = 600
const waitSecondsMax = 60
/** Vendors allow background responses hours. After a day nobody will know the end. */
const lostAfterSeconds = 86_400
/** A vendor may briefly not know a response that it has just accepted. */
const missingAfterSeconds = 600
const concurrency = 8

/** Polls background calls that are due. Each call has a lease, so that one node polls it at a time. */
export const pollBackgroundCalls = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const rows: BackgroundCallsTable[] = []
    const now = seconds(app)
    if (!(await backgroundCalls.isDue(app.db, now))) return
    while (rows.length < concurrency) {
      const row = await backgroundCalls.lease(app.db, now, now + leaseSeconds)
      if (!row) break
      rows.push(row)
    }
    if (rows.length === 0) return
    await Promise.all(rows.map(row => pollAndReschedule(app, row)))
  }
}

const pollAndReschedule = async (app: App, row: BackgroundCallsTable): Promise<void> => {
  const result = await pollCall(app, row).catch((error: unknown) => {
    app.log.warn({ err: error, request: row.request_id }, 'a background call could not be polled')
    return 'running' as const
  })
  if (result === 'ended') return
  if (seconds(app) - row.created_at > lostAfterSeconds) return giveUp(app, row, 'too old')
  const wait = Math.min(waitSecondsMax, 2 ** Math.min(row.attempts, 6))
  await backgroundCalls.putBack(app.db, row, seconds(app) + wait)
}

/** Asks the vendor for the response, and charges the call once it is final. */
export const pollCall = async (app: App, row: BackgroundCallsTable): Promise<PollResult> => {
  const indexed = (await channelIndex(app).get()).byId.get(row.channel_id)
  // A channel that was disabled meanwhile still has the response.
  const found = indexed ? undefined : await findChannel(app.db, row.channel_id)
  const channel = indexed ?? (found && decodeChannel(app, found))
  if (!channel && !found) {
    await giveUp(app, row, 'its channel was deleted')
    return 'ended'
  }
  if (!channel) return 'running'
  return askVendor(app, row, channel)
}

const askVendor = async (
  app: App,
  row: BackgroundCallsTable,
  channel: Channel,
): Promise<PollResult> => {
  const key = storingKeyOf(channel, row.credential)
  const endpoint = storingEndpoint(app, channel, {
    dialect: openaiResponses.id,
    feature: 'background',
  })
  if (!key || !endpoint) return 'running'
  const account = { channel, credential: key.credential, endpoint }
  const outgoing = storedResponseRequest(app, account, {
    method: 'GET',
    pathSuffix: `/${row.answer_id}`,
    query: '',
  })
  const { status, body } = await fetchSmall(app, outgoing, { sizeMax: responseMax })
  if (status === 200)
    return (await settleIfFinal(app, row, openaiResponses, body)) ? 'ended' : 'running'
  if (status !== 404 || seconds(app) - row.created_at < missingAfterSeconds) return 'running'
  await giveUp(app, row, 'the vendor does not know it any more')
  return 'ended'
}

const seconds = (app: App): number => Math.floor(app.now() / 1_000)
