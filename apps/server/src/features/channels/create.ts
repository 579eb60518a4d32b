import { type Channel, type ChannelFields, Fault, type NewChannel } from '@hub/contract'
import type { z } from 'zod'
import { writeWithPrices } from '../../billing/prices/write-prices.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as rows from '../../db/queries/channels.ts'
import {
  fingerprintKeys,
  getChannel,
  openKeys,
  openSecrets,
  parseKeys,
  requireAddress,
  requireGroups,
  requireProvider,
  sealAll,
  toColumns,
} from './channel.ts'
import { copyCosts } from './costs/store.ts'
import { requireFewKeys, storeKeyStates } from './keys.ts'
import {
  moveHeaders,
  requireCredentials,
  requireFreeField,
  requireOptions,
} from './provider-fields.ts'

/** The columns of a new channel that no test, balance check or deletion has set yet. */
export const initialState = (app: App) => ({
  status_reason: '',
  created_time: nowSeconds(app),
  test_time: 0,
  test_error: '',
  test_kind: 'call',
  response_time: 0,
  balance: 0,
  balance_currency: '',
  balance_updated_time: 0,
  deleted_at: null,
})

/** The columns that a copy takes over as they are; the encrypted ones are sealed for their own row. */
export const copiedColumns = (channel: rows.ChannelRow) => {
  const { id, key_sealed, proxy, model_headers, custom_parameter, ...rest } = channel
  const { used_quota, disabled_keys, ...columns } = rest
  return columns
}

type NewFields = Omit<z.output<typeof ChannelFields>, 'proxy' | 'custom_parameter'>
type NewSecrets = { keys: string[]; proxy: string; custom_parameter: string }

/** Throws unless a channel can have these fields and keys. Groups are checked by `requireGroups`. */
export const requireValid = (fields: NewFields, keys: string[]): void => {
  requireProvider(fields.type)
  requireAddress(fields)
  requireOptions(fields.type, moveHeaders(fields.type, fields.plugin, fields.model_headers).plugin)
  requireFreeField(fields.type, fields.other)
  requireFewKeys(keys)
  requireCredentials(fields.type, keys)
}

/** Inserts a channel, which may be without a key only where it is disabled. Returns its id. */
export const insertChannel = async (
  app: App,
  tx: Database,
  given: NewFields & { status: 1 | 2 },
  { keys, proxy, custom_parameter }: NewSecrets,
): Promise<number> => {
  const { model_headers, ...fields } = {
    ...given,
    ...moveHeaders(given.type, given.plugin, given.model_headers),
  }
  const channel = {
    ...toColumns(fields),
    ...initialState(app),
    status: given.status,
    key_hash: fingerprintKeys(app, keys),
    key_count: keys.length,
  }
  const id = await rows.insert(
    tx,
    channel,
    sealAll(app, keys, { proxy, model_headers, custom_parameter }),
  )
  await storeKeyStates(app, tx, id, keys)
  return id
}

/**
 * Creates one channel with all keys or one per key, and the given prices, all or none. From the second on, the name gets a
 * number.
 */
export const createChannels = async (
  app: App,
  caller: SignedInUser,
  {
    key,
    key_mode,
    status,
    proxy,
    custom_parameter,
    prices,
    ...fields
  }: z.output<typeof NewChannel>,
): Promise<Channel[]> => {
  const keys = parseKeys(key)
  if (keys.length === 0) throw new Fault('channel.key_missing')
  requireValid(fields, keys)
  const isOne = key_mode === 'one_channel'
  return writeWithPrices(app, caller, prices, async tx => {
    await requireGroups(tx, fields.group)
    const made: Channel[] = []
    for (const [index, each] of (isOne ? [keys] : keys.map(key => [key])).entries()) {
      const name = index === 0 ? fields.name : `${fields.name}_${index + 1}`
      const secrets = { keys: each, proxy, custom_parameter }
      const id = await insertChannel(app, tx, { ...fields, name, status }, secrets)
      made.push(rows.asChannel(await getChannel(tx, id)))
    }
    await announceChange(tx)
    return made
  })
}

/** Copies a channel. The copy is disabled, so that two channels do not use one key before an administrator decides so. */
export const copyChannel = (app: App, { userId }: SignedInUser, id: number): Promise<Channel> =>
  app.db.transaction().execute(async tx => {
    const channel = await getChannel(tx, id)
    const copy = {
      ...copiedColumns(channel),
      ...initialState(app),
      name: `${channel.name}_copy`,
      status: 2,
    }
    const keys = openKeys(app, channel)
    const copyId = await rows.insert(tx, copy, sealAll(app, keys, openSecrets(app, channel)))
    await storeKeyStates(app, tx, copyId, keys)
    await copyCosts(app, tx, { from: id, to: copyId, userId })
    await announceChange(tx)
    return rows.asChannel(await getChannel(tx, copyId))
  })
