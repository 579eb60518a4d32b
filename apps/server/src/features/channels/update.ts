import { type Channel, type ChannelPatch, Fault } from '@hub/contract'
import type { z } from 'zod'
import { writeWithPrices } from '../../billing/prices/write-prices.ts'
import type { App } from '../../core/app.ts'
import { definedOnly } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import { forgetKeys } from '../../db/queries/channel-keys.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as rows from '../../db/queries/channels.ts'
import { openSecret } from '../../relay/channels/secrets.ts'
import { recordManualChange } from '../../relay/channels/status.ts'
import {
  getChannel,
  parseKeys,
  requireAddress,
  requireGroups,
  requireProvider,
  sealSecrets,
  toColumns,
} from './channel.ts'
import { followUpstream } from './costs/store.ts'
import { checkDestination, destinationOf, missingSecrets } from './destination.ts'
import { keyColumns, requireFewKeys, storeKeyStates } from './keys.ts'
import {
  moveHeaders,
  requireCredentials,
  requireFreeField,
  requireOptions,
} from './provider-fields.ts'

/** Changes the fields that the body contains. An absent or empty key leaves the stored keys unchanged. */
export const updateChannel = async (
  app: App,
  caller: SignedInUser,
  { id, status, key, prices = [], ...change }: z.output<typeof ChannelPatch>,
): Promise<Channel> => {
  const { proxy, model_headers, custom_parameter, ...fields } = change
  if (fields.type !== undefined) requireProvider(fields.type)
  const keys = parseKeys(key ?? '')
  requireFewKeys(keys)
  return writeWithPrices(app, caller, prices, async tx => {
    const before = await getChannel(tx, id)
    if (fields.type !== undefined || fields.base_url !== undefined)
      requireAddress({
        ...before,
        ...definedOnly({ type: fields.type, base_url: fields.base_url }),
      })
    const type = fields.type ?? before.type
    const isSameType = type === before.type
    const storedOptions = isSameType ? JSON.parse(before.plugin || '{}') : {}
    requireFreeField(type, fields.other ?? before.other, isSameType ? before.other : '')
    requireCredentials(type, keys)
    const storedHeaders = () => openSecret(app, before, 'model_headers')
    const headers = model_headers === undefined ? storedHeaders() : (model_headers ?? '')
    const moved = fields.plugin && moveHeaders(type, fields.plugin, headers)
    if (moved) requireOptions(type, moved.plugin, storedOptions)
    if (fields.group !== undefined) await requireGroups(tx, fields.group)
    if (status === 1 && before.key_count + keys.length === 0) throw new Fault('channel.key_missing')
    const isKeyKept = keys.length === 0 && before.key_count > 0
    const missing = [...(isKeyKept ? ['key'] : []), ...missingSecrets(before, change)]
    checkDestination(destinationOf(app, before), change, missing)
    const isThere = await rows.update(tx, id, {
      ...toColumns({ ...fields, ...(moved && { plugin: moved.plugin }) }),
      ...sealSecrets(app, id, {
        ...{ proxy, custom_parameter },
        model_headers: moved?.model_headers ?? model_headers,
      }),
      ...(status !== undefined && { status, status_reason: '' }),
      ...(keys.length > 0 && keyColumns(app, id, keys)),
    })
    if (!isThere) throw new Fault('resource.missing')
    await followUpstream(app, tx, before, fields)
    if (status !== undefined && status !== before.status)
      await recordManualChange(app, tx, {
        channelIds: [id],
        status,
        actor: caller.username,
      })
    if (keys.length > 0) {
      await forgetKeys(tx, id)
      await storeKeyStates(app, tx, id, keys)
    }
    await announceChange(tx)
    return rows.asChannel(await getChannel(tx, id))
  })
}
