import { batchApiOf, type ResourceKind, readObject } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import { pollDue } from '../../relay/background/poll-queue.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { findStoringChannel, storingKeyOf } from '../../relay/references/owner.ts'
import { accountRequest } from '../../relay/upstream/accounts/account-request.ts'
import { fetchSmall } from '../../relay/upstream/fetch-small.ts'
import { updateStored } from '../records.ts'
import { chargeBatch, giveUpBatch } from './charge.ts'

type StoredBatch = storedResources.StoredResource

/** After a crash the batch waits this long. A lease that ends too early costs a second reading, and no second charge. */
const leaseSeconds = 120
/** Vendors end a batch after a day. The auditor reports holds that are older than two. */
const lostAfterSeconds = 44 * 3_600
/** A vendor may briefly not know a batch that it has just accepted. */
const missingAfterSeconds = 600
const objectMax = 1024 * 1024

/** Polls batches that are due. */
export const pollBatches = (app: App): Promise<void> =>
  pollDue<StoredBatch>(app, {
    ...{ isDue: storedResources.isDue, lease: storedResources.lease },
    ...{ putBack: storedResources.putBack, giveUp: giveUpBatch, poll: pollBatch },
    ...{ concurrency: 4, leaseSeconds, lostAfterSeconds },
    warn: ({ log }, { id }, error) =>
      log.warn({ err: error, batch: id }, 'a batch could not be polled'),
  })

/** Asks the vendor for the batch; resolves with true once it is charged, or will never be. */
const pollBatch = async (app: App, row: StoredBatch): Promise<boolean> => {
  const { channel, isDeleted } = await findStoringChannel(app, row.channel_id)
  if (channel) return askVendor(app, row, channel)
  if (isDeleted) await giveUpBatch(app, row, 'its channel was deleted')
  return isDeleted
}

const askVendor = async (app: App, row: StoredBatch, channel: Channel): Promise<boolean> => {
  const key = storingKeyOf(channel, row.credential)
  const paths = channel.provider.stores?.paths
  if (!key || !paths) return false
  const accountFor = (kind: ResourceKind) => ({
    channel,
    credential: key.credential,
    path: paths[kind]!,
  })
  const outgoing = accountRequest(app, accountFor(row.kind as ResourceKind), {
    ...{ method: 'GET', pathSuffix: `/${row.id}`, query: '' },
    forwardedParams: new Set(),
  })
  const { status, body } = await fetchSmall(app, outgoing, { sizeMax: objectMax })
  if (status === 404 && nowSeconds(app) - row.created_at > missingAfterSeconds) {
    await giveUpBatch(app, row, 'the vendor does not know it any more')
    return true
  }
  const object = status === 200 ? readObject(row.kind, body) : undefined
  if (object?.id !== row.id) return false
  if (!batchApiOf(row.kind).isEnded(object)) {
    await updateStored(app, row.kind, object)
    return false
  }
  await chargeBatch(app, { row, object, accountFor })
  return true
}
