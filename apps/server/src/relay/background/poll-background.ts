import { openaiResponses } from '@hub/dialects'
import { type App, nowSeconds } from '../../core/app.ts'
import * as backgroundCalls from '../../db/queries/background-calls.ts'
import type { BackgroundCallsTable } from '../../db/tables/responses.ts'
import type { Channel } from '../channels/channel.ts'
import { findStoringChannel, storingKeyOf } from '../references/owner.ts'
import { storingEndpoint } from '../references/storing-endpoint.ts'
import { fetchSmall } from '../upstream/fetch-small.ts'
import { giveUp, settleIfFinal } from './background.ts'
import { pollDue } from './poll-queue.ts'
import { storedResponseRequest } from './request.ts'

/** A response is read whole, because its usage stands at its end. */
export const responseMax = 64 * 1024 * 1024
/** Longer than one poll may last. */
const leaseSeconds = 600
/** Vendors allow background responses hours. After a day nobody will know the end. */
const lostAfterSeconds = 86_400
/** A vendor may briefly not know a response that it has just accepted. */
const missingAfterSeconds = 600

/** Polls background calls that are due. */
export const pollBackgroundCalls = (app: App): Promise<void> =>
  pollDue<BackgroundCallsTable>(app, {
    ...{ isDue: backgroundCalls.isDue, lease: backgroundCalls.lease },
    ...{ putBack: backgroundCalls.putBack, giveUp, poll: pollCall },
    ...{ concurrency: 8, leaseSeconds, lostAfterSeconds },
    warn: ({ log }, { request_id }, error) =>
      log.warn({ err: error, request: request_id }, 'a background call could not be polled'),
  })

/** Asks the vendor for the response; resolves with true once its call is charged, or will never be. */
export const pollCall = async (app: App, row: BackgroundCallsTable): Promise<boolean> => {
  const { channel, isDeleted } = await findStoringChannel(app, row.channel_id)
  if (channel) return askVendor(app, row, channel)
  if (isDeleted) await giveUp(app, row, 'its channel was deleted')
  return isDeleted
}

const askVendor = async (
  app: App,
  row: BackgroundCallsTable,
  channel: Channel,
): Promise<boolean> => {
  const key = storingKeyOf(channel, row.credential)
  const endpoint = storingEndpoint(app, channel, {
    dialect: openaiResponses.id,
    feature: 'background',
  })
  if (!key || !endpoint) return false
  const account = { channel, credential: key.credential, endpoint }
  const outgoing = storedResponseRequest(app, account, {
    method: 'GET',
    pathSuffix: `/${row.answer_id}`,
    query: '',
  })
  const { status, body } = await fetchSmall(app, outgoing, { sizeMax: responseMax })
  if (status === 200) return settleIfFinal(app, row, openaiResponses, body)
  if (status !== 404 || nowSeconds(app) - row.created_at < missingAfterSeconds) return false
  await giveUp(app, row, 'the vendor does not know it any more')
  return true
}
