import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { disable, disableKey } from '../channels/status.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import {
  type CooldownKey,
  countRefusedKey,
  isKeyProbed,
  keyCooldownEnd,
  refusedMs,
} from './cooldown.ts'
import { shareCooldown } from './shared-cooldowns.ts'

/** The number of calls that took a key in turn. */
const turns = appScoped(() => new WeakMap<Channel['storedKeys'], number>())

type KeyCriteria = CooldownKey & {
  /** Keys that already failed in this call. */
  failed?: ReadonlySet<ChannelKey> | undefined
  /** The fingerprint of the key that is chosen before all others. */
  preferredKey?: string | undefined
}

/** Chooses a key of the channel; one that another call probes, or that cools down, only where there is no other. */
export const chooseKey = (app: App, channel: Channel, criteria: KeyCriteria): ChannelKey => {
  const { keys } = channel
  if (keys.length === 1) return keys[0]!
  const preferred = keys.findIndex(each => each.fingerprint === criteria.preferredKey)
  const first = preferred === -1 ? firstIndex(app, channel) : preferred
  let probed: ChannelKey | undefined
  let cooling: ChannelKey | undefined
  for (let n = 0; n < keys.length; n++) {
    const key = keys[(first + n) % keys.length]!
    if (criteria.failed?.has(key)) continue
    if (keyCooldownEnd(app)(key, criteria) > 0) cooling ??= key
    else if (isKeyProbed(app, key, criteria)) probed ??= key
    else return key
  }
  return probed ?? cooling ?? keys[first]!
}

const firstIndex = (app: App, { keys, storedKeys, keyRotation }: Channel): number => {
  if (keyRotation === 'random') return Math.floor(Math.random() * keys.length)
  const turn = turns(app).get(storedKeys) ?? 0
  turns(app).set(storedKeys, turn + 1)
  return turn % keys.length
}

/** A failure of the key's account, not of the vendor: another key of the channel may serve the call. */
export const isKeyFailure = ({ refusedCredential, fault }: ErrorClassification) =>
  refusedCredential !== undefined ||
  fault.code === 'upstream.busy' ||
  fault.code === 'upstream.credential' ||
  fault.code === 'upstream.funds'

/** True where the call may try the channel again with another key. */
export const hasOtherKey = (app: App, { keys }: Channel, criteria: KeyCriteria): boolean =>
  keys.some(each => !criteria.failed?.has(each) && keyCooldownEnd(app)(each, criteria) === 0)

type RefusedCall = { error: ErrorClassification; model: string; requestId: string }

/** Leaves out a key that its vendor refused, and disables it, or a channel without another, if the operator wants that. */
export const refuseKey = (
  app: App,
  channel: Channel,
  key: ChannelKey,
  { error, model, requestId }: RefusedCall,
): void => {
  const isLast = countRefusedKey(app, channel, key, error.cooldownSeconds)
  const milliseconds = isLast ? error.cooldownSeconds * 1_000 : refusedMs
  for (const channelKey of isLast ? channel.keys : [key])
    shareCooldown(app, channel, { channelKey, milliseconds, isRefused: !isLast })
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  const hasSeveral = channel.storedKeys.length > 1
  if (!isLast && !hasSeveral) return
  const evidence = {
    ...{ cause: 'automatic' as const, reason: error.reason, code: error.fault.code },
    ...{ httpStatus: error.upstreamStatus, model, requestId },
  }
  const work = hasSeveral
    ? disableKey(app, channel, key, evidence)
    : disable(app, channel, evidence)
  work.catch(error =>
    app.log.error({ err: error, channel: channel.id }, 'could not disable a channel'),
  )
}
