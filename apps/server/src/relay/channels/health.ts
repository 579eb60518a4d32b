import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import type { Channel } from './channel.ts'

/** Which channel rests for which model until when (monotonic milliseconds). Known to this process only. */
const resting = perApp(() => new Map<string, number>())
const restingMax = 10_000

const keyOf = (channel: Channel, model: string) => `${channel.id} ${model}`

/** The model is the one that the caller asked for: also where a channel calls it by another name. */
export const rest = (app: App, channel: Channel, model: string, seconds: number): void => {
  if (seconds <= 0) return
  const until = app.monotonic() + seconds * 1_000
  const all = resting(app)
  if (all.size >= restingMax) forgetPast(app, all)
  const key = keyOf(channel, model)
  all.set(key, Math.max(until, all.get(key) ?? 0))
}

type IsResting = (channel: Channel, model: string) => boolean

export const isResting = perApp((app): IsResting => {
  const all = resting(app)
  return (channel, model) => {
    if (all.size === 0) return false
    const key = keyOf(channel, model)
    const until = all.get(key)
    if (until === undefined) return false
    if (until > app.monotonic()) return true
    all.delete(key)
    return false
  }
})

const forgetPast = (app: App, all: Map<string, number>) => {
  const now = app.monotonic()
  for (const [key, until] of all) if (until <= now) all.delete(key)
  if (all.size >= restingMax) all.clear()
}
