import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'

/** End of each cooldown by channel and model, in monotonic milliseconds. Each process has its own. */
const cooldowns = appScoped(() => new Map<string, number>())
const cooldownsMax = 10_000

const keyOf = (channel: Channel, model: string) => `${channel.id} ${model}`

/** Stops asking a channel for a model. `model` is the caller's name for it, whatever the channel maps it to. */
export const startCooldown = (app: App, channel: Channel, model: string, seconds: number): void => {
  if (seconds <= 0) return
  const end = app.monotonic() + seconds * 1_000
  const all = cooldowns(app)
  if (all.size >= cooldownsMax) removeEnded(app, all)
  const key = keyOf(channel, model)
  all.set(key, Math.max(end, all.get(key) ?? 0))
}

type CooldownCheck = (channel: Channel, model: string) => boolean

export const isCoolingDown = appScoped((app): CooldownCheck => {
  const all = cooldowns(app)
  return (channel, model) => {
    if (all.size === 0) return false
    const key = keyOf(channel, model)
    const end = all.get(key)
    if (end === undefined) return false
    if (end > app.monotonic()) return true
    all.delete(key)
    return false
  }
})

const removeEnded = (app: App, all: Map<string, number>) => {
  const now = app.monotonic()
  for (const [key, end] of all) if (end <= now) all.delete(key)
  if (all.size >= cooldownsMax) all.clear()
}
