import { randomUUID } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import { channelIndex } from './channel-index.ts'
import { type CooldownKey, takeOverCooldown } from './cooldown.ts'

const topic = 'cooldowns'

/** A cooldown of one key of a channel, as nodes tell each other. A changed channel or key has none. */
type SharedCooldown = {
  node: string
  channelId: number
  channelFingerprint: string
  keyFingerprint: string
  keyChangedAt: number
  /** Absent: it holds for every model and operation. */
  key?: CooldownKey | undefined
  isRefused: boolean
}

const nodeOf = appScoped(() => randomUUID())

export type BegunCooldown = Pick<SharedCooldown, 'key'> & {
  channelKey: ChannelKey
  milliseconds: number
  isRefused?: boolean
}

/** Tells the other nodes about a cooldown. Without Redis there are none, and its failure concerns no call. */
export const shareCooldown = (
  app: App,
  { id: channelId, fingerprint: channelFingerprint }: Channel,
  { channelKey, milliseconds, key, isRefused = false }: BegunCooldown,
): void => {
  if (milliseconds <= 0) return
  const { fingerprint: keyFingerprint, changedAt: keyChangedAt } = channelKey
  const shared: SharedCooldown = {
    ...{ node: nodeOf(app), channelId, channelFingerprint, keyFingerprint, keyChangedAt },
    ...{ key, isRefused },
  }
  const scope = key ? `${key.operation} ${key.model}` : ''
  app.state
    .share(topic, {
      id: `${channelId} ${keyFingerprint} ${scope}`,
      message: JSON.stringify(shared),
      lifetimeMs: milliseconds,
    })
    .catch(error => app.log.debug({ err: error }, 'a cooldown was not shared'))
}

/** Takes over the cooldowns that other nodes report from now on. */
export const receiveCooldowns = (app: App): void =>
  app.state.onShared(topic, (message, milliseconds) => {
    receive(app, message, milliseconds).catch(error =>
      app.log.debug({ err: error }, 'a shared cooldown was not read'),
    )
  })

const receive = async (app: App, message: string, milliseconds: number): Promise<void> => {
  const shared = JSON.parse(message) as SharedCooldown
  if (shared.node === nodeOf(app)) return
  const channel = (await channelIndex(app).get()).byId.get(shared.channelId)
  if (channel?.fingerprint !== shared.channelFingerprint) return
  const channelKey = channel.storedKeys.find(
    each => each.fingerprint === shared.keyFingerprint && each.changedAt === shared.keyChangedAt,
  )
  if (channelKey) takeOverCooldown(app, channelKey, { ...shared, milliseconds })
}
