import type { App } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import type { Database } from '../../db/index.ts'
import * as audit from '../../db/queries/audit.ts'
import { disableKeyRow } from '../../db/queries/channel-keys.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import {
  disableChannel,
  disableChannelWithoutKeys,
  enableChannel,
  touchChannel,
} from '../../db/queries/relay-channels.ts'
import type { ChannelKey } from './keys.ts'

type ChannelName = { id: number; name: string }

/** Disables an enabled channel. Resolves with whether this call did it. The reason begins with its kind, as `test: `. */
export const disable = async (app: App, channel: ChannelName, reason: string): Promise<boolean> => {
  const isChanged = await app.db.transaction().execute(async tx => {
    const wasEnabled = await disableChannel(tx, channel.id, reason)
    if (!wasEnabled) return false
    await announceChange(tx)
    await emitStatus(app, tx, channel, 'disabled', reason)
    return true
  })
  if (!isChanged) return false
  app.log.warn({ channel: channel.id, reason }, 'a channel was disabled')
  await writeAudit(app, channel, 'channels.disable', reason)
  return true
}

/** Disables one key of a channel, and the channel where it was the last one. */
export const disableKey = async (
  app: App,
  channel: ChannelName,
  { index, fingerprint }: ChannelKey,
  reason: string,
): Promise<void> => {
  const at = Math.floor(app.now() / 1_000)
  const outcome = await app.db.transaction().execute(async tx => {
    // The lock on the channel's row keeps two nodes from disabling its last two keys without noticing.
    await touchChannel(tx, channel.id)
    const isChanged = await disableKeyRow(tx, channel.id, fingerprint, { reason, at })
    const isDead = isChanged && (await disableChannelWithoutKeys(tx, channel.id, reason))
    await announceChange(tx)
    if (isDead) await emitStatus(app, tx, channel, 'disabled', reason)
    return { isChanged, isDead }
  })
  if (!outcome.isChanged) return
  app.log.warn({ channel: channel.id, key: index, reason }, 'a key of a channel was disabled')
  await writeAudit(app, channel, 'channels.disable-key', `key ${index}: ${reason}`)
  if (outcome.isDead) await writeAudit(app, channel, 'channels.disable', reason)
}

/** Enables a channel that the gateway itself disabled, never one that a person disabled. */
export const enable = async (app: App, channel: ChannelName, reason: string): Promise<boolean> => {
  const isChanged = await app.db.transaction().execute(async tx => {
    const wasDisabled = await enableChannel(tx, channel.id)
    if (!wasDisabled) return false
    await announceChange(tx)
    await emitStatus(app, tx, channel, 'enabled', reason)
    return true
  })
  if (isChanged) await writeAudit(app, channel, 'channels.enable', reason)
  return isChanged
}

const emitStatus = (
  app: App,
  tx: Database,
  { id, name }: ChannelName,
  status: 'enabled' | 'disabled',
  reason: string,
) =>
  emit(app, tx, {
    event: 'channel.status',
    key: `channel:${id}`,
    userIds: [administrators],
    facts: { channel_id: id, channel: name, status, reason },
  })

const writeAudit = (app: App, channel: ChannelName, action: string, reason: string) =>
  audit.append(app.db, {
    at: Math.floor(app.now() / 1_000),
    actor_id: 0,
    actor_name: 'gateway',
    action,
    target: `channel ${channel.id} ${channel.name}`,
    input: JSON.stringify({ reason }),
    outcome: '',
    source_ip: '',
    request_id: '',
  })
