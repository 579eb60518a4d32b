import { batchApiOf, type ResourceKind, readObject } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import { findChannel } from '../../db/queries/relay-channels.ts'
import * as storedResources from '../../db/queries/stored-resources.ts'
import { type Channel, decodeChannel } from '../../relay/channels/channel.ts'
import { storingKeyOf } from '../../relay/references/owner.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'
import { accountRequest } from '../../relay/upstream/accounts/account-request.ts'
import { fetchSmall } from '../../relay/upstream/fetch-small.ts'
import { updateStored } from '../records.ts'
import { chargeBatch, giveUpBatch } from './charge.ts'

type StoredBatch = storedResources.StoredResource

/** After a crash the batch waits this long. A lease that ends too early costs a second reading, and no second charge. */
const leaseSeconds = 120
const waitSecondsMax = 60
/** Vendors end a batch after a day. The auditor reports holds that are older than two. */
const lostAfterSeconds = 44 * 3_600
/** A vendor may briefly not know a batch that it has just accepted. */
const missingAfterSeconds = 600
const objectMax = 1024 * 1024
const concurrency = 4

/** Polls batches that are due. Each has a lease, so that one node polls it at a time. */
export const pollBatches = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const rows: StoredBatch[] = []
    const now = nowSeconds(app)
    if (!(await storedResources.isDue(app.db, now))) return
    while (rows.length < concurrency) {
      const row = await storedResources.lease(app.db, now, now + leaseSeconds)
      if (!row) break
      rows.push(row)
    }
    if (rows.length === 0) return
    await Promise.all(rows.map(row => pollAndReschedule(app, row)))
  }
}

const pollAndReschedule = async (app: App, row: StoredBatch): Promise<void> => {
  const isOver = await pollBatch(app, row).catch((error: unknown) => {
    app.log.warn({ err: error, batch: row.id }, 'a batch could not be polled')
    return false
  })
  if (isOver) return
  if (nowSeconds(app) - row.created_at > lostAfterSeconds) return giveUpBatch(app, row, 'too old')
  const wait = Math.min(waitSecondsMax, 2 ** Math.min(row.attempts, 6))
  await storedResources.putBack(app.db, row, nowSeconds(app) + wait)
}

/** Asks the vendor for the batch; resolves with true once it is charged, or will never be. */
const pollBatch = async (app: App, row: StoredBatch): Promise<boolean> => {
  const indexed = (await channelIndex(app).get()).byId.get(row.channel_id)
  // A channel that was disabled meanwhile still has the batch.
  const found = indexed ? undefined : await findChannel(app.db, row.channel_id)
  const channel = indexed ?? (found && decodeChannel(app, found))
  if (!channel && !found) {
    await giveUpBatch(app, row, 'its channel was deleted')
    return true
  }
  if (!channel) return false
  return askVendor(app, row, channel)
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
