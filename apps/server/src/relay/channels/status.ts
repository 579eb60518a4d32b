import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import type { Database } from '../../db/index.ts'
import * as audit from '../../db/queries/audit.ts'
import * as changes from '../../db/queries/channel-changes.ts'
import { disableKeyRow, enableKeyRow } from '../../db/queries/channel-keys.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import {
  disableChannel,
  disableChannelWithoutKeys,
  enableChannel,
  touchChannel,
} from '../../db/queries/relay-channels.ts'
import { type ChannelKey, shownDigits } from './keys.ts'

type ChannelName = { id: number; name: string }

/** Why the gateway itself changes a state. */
export type Evidence = {
  /** `automatic`: a call or a balance query failed. */
  cause: 'automatic' | 'test'
  /** The vendor's message, scrubbed. */
  reason: string
  code?: string
  /** The upstream's. */
  httpStatus?: number | undefined
  model?: string
  /** The call that failed. */
  requestId?: string
}

/** Disables an enabled channel. Resolves with whether this call did it. */
export const disable = async (
  app: App,
  channel: ChannelName,
  evidence: Evidence,
): Promise<boolean> => {
  const reason = reasonOf(evidence)
  const isChanged = await app.db.transaction().execute(async tx => {
    const wasEnabled = await disableChannel(tx, channel.id, reason)
    if (!wasEnabled) return false
    await changes.append(tx, [rowOf(app, channel, evidence, { status: 3 })])
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
  evidence: Evidence,
): Promise<void> => {
  const at = nowSeconds(app)
  const reason = reasonOf(evidence)
  const outcome = await app.db.transaction().execute(async tx => {
    // The lock on the channel's row keeps two nodes from disabling its last two keys without noticing.
    await touchChannel(tx, channel.id)
    const isChanged = await disableKeyRow(tx, channel.id, fingerprint, { reason, at })
    const isDead = isChanged && (await disableChannelWithoutKeys(tx, channel.id, reason))
    const rows = [
      ...(isChanged ? [rowOf(app, channel, evidence, { status: 3, fingerprint })] : []),
      ...(isDead ? [rowOf(app, channel, evidence, { status: 3 })] : []),
    ]
    await changes.append(tx, rows)
    await announceChange(tx)
    if (isDead) await emitStatus(app, tx, channel, 'disabled', reason)
    return { isChanged, isDead }
  })
  if (!outcome.isChanged) return
  app.log.warn({ channel: channel.id, key: index, reason }, 'a key of a channel was disabled')
  await writeAudit(app, channel, 'channels.disable-key', `key ${index}: ${reason}`)
  if (outcome.isDead) await writeAudit(app, channel, 'channels.disable', reason)
}

/** Enables a key that the gateway itself disabled, never one that a person disabled. */
export const enableKey = async (
  app: App,
  channel: ChannelName,
  { index, fingerprint }: ChannelKey,
  evidence: Evidence,
): Promise<boolean> => {
  const isChanged = await app.db.transaction().execute(async tx => {
    await touchChannel(tx, channel.id)
    if (!(await enableKeyRow(tx, channel.id, fingerprint, nowSeconds(app)))) return false
    await changes.append(tx, [rowOf(app, channel, evidence, { status: 1, fingerprint })])
    await announceChange(tx)
    return true
  })
  if (!isChanged) return false
  const reason = `key ${index}: ${reasonOf(evidence)}`
  await writeAudit(app, channel, 'channels.enable-key', reason)
  return true
}

/** Enables a channel that the gateway itself disabled, never one that a person disabled. */
export const enable = async (
  app: App,
  channel: ChannelName,
  evidence: Evidence,
): Promise<boolean> => {
  const isChanged = await app.db.transaction().execute(async tx => {
    const wasDisabled = await enableChannel(tx, channel.id)
    if (!wasDisabled) return false
    await changes.append(tx, [rowOf(app, channel, evidence, { status: 1 })])
    await announceChange(tx)
    await emitStatus(app, tx, channel, 'enabled', reasonOf(evidence))
    return true
  })
  if (isChanged) await writeAudit(app, channel, 'channels.enable', reasonOf(evidence))
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

/** Tells administrators that the account of a channel at its vendor is empty. */
export const reportEmptyAccount = (
  app: App,
  { id, name }: ChannelName,
  reason: string,
  db: Database = app.db,
): Promise<void> =>
  emit(app, db, {
    event: 'channel.funds',
    key: `channel:${id}`,
    userIds: [administrators],
    facts: { channel_id: id, channel: name, reason: withoutNul(reason) },
  })

type ManualChange = {
  channelIds: readonly number[]
  status: 1 | 2
  /** The key that changes. Absent: the whole channel. */
  fingerprint?: string
  /** The name of the person. */
  actor: string
}

/** Records that a person changes the state of channels, or of a key. Call it inside the transaction that does so. */
export const recordManualChange = (
  app: App,
  tx: Database,
  { channelIds, status, fingerprint = '', actor }: ManualChange,
): Promise<void> =>
  changes.append(
    tx,
    channelIds.map(channel_id => ({
      ...{ at: nowSeconds(app), channel_id, status, actor, cause: 'manual' },
      ...{ code: '', http_status: null, model: '', reason: '', request_id: '' },
      fingerprint: fingerprint.slice(0, shownDigits),
    })),
  )

const rowOf = (
  app: App,
  { id }: ChannelName,
  { cause, reason, code = '', httpStatus, model = '', requestId = '' }: Evidence,
  { status, fingerprint = '' }: { status: 1 | 3; fingerprint?: string },
) => ({
  ...{ at: nowSeconds(app), channel_id: id, status, cause, code, actor: '' },
  ...{ http_status: httpStatus ?? null, model: withoutNul(model), request_id: requestId },
  fingerprint: fingerprint.slice(0, shownDigits),
  reason: withoutNul(reason),
})

/** The console tells a failed test from a failed call by the first word. */
const reasonOf = ({ cause, reason }: Evidence): string =>
  `${cause === 'test' ? 'test' : 'failure'}: ${withoutNul(reason)}`

/** PostgreSQL refuses NUL in a text. */
const withoutNul = (text: string) => text.replaceAll('\0', '')

const writeAudit = (app: App, channel: ChannelName, action: string, reason: string) =>
  audit.append(app.db, {
    at: nowSeconds(app),
    actor_id: 0,
    actor_name: 'gateway',
    action,
    target: `channel ${channel.id} ${channel.name}`,
    input: JSON.stringify({ reason }),
    outcome: '',
    source_ip: '',
    request_id: '',
  })
