import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'

/** A cooldown holds for one model, by the caller's name for it, and one operation of a channel. */
export type CooldownKey = { model: string; operation: string }

/** The calls of one key since the first failure, and the cooldown they led to. Times are monotonic milliseconds. */
type FailureWindow = {
  startedAt: number
  failures: number
  successes: number
  /** 0: none so far. */
  cooldownEnd: number
}

type ChannelState = {
  windows: Map<string, FailureWindow>
  /** The end of a cooldown that holds for every model and operation. */
  cooldownEnd: number
}

const windowMs = 30_000
/** A cooldown starts after this many failures in a window, if at least half of the calls failed. */
const failuresMin = 3
/** Callers can invent names for a channel whose model list has a wildcard. */
const windowsMax = 1_000

/** A changed channel is decoded anew and starts without cooldowns. Each process has its own. */
const statesOf = appScoped(() => new WeakMap<Channel, ChannelState>())

const textOf = ({ model, operation }: CooldownKey) => `${operation} ${model}`

/** The end of a running cooldown in monotonic milliseconds, or 0. */
export type CooldownEnd = (channel: Channel, key: CooldownKey) => number

export const cooldownEnd = appScoped((app): CooldownEnd => {
  const states = statesOf(app)
  return (channel, key) => {
    const state = states.get(channel)
    if (!state) return 0
    const end = Math.max(state.cooldownEnd, state.windows.get(textOf(key))?.cooldownEnd ?? 0)
    return end > app.monotonic() ? end : 0
  }
})

/** True while a cooldown holds for the channel, or for one of its models. */
export const isCoolingDown = (app: App, channel: Channel): boolean => {
  const state = statesOf(app).get(channel)
  if (!state) return false
  const now = app.monotonic()
  return state.cooldownEnd > now || [...state.windows.values()].some(each => each.cooldownEnd > now)
}

export type Failure = {
  /** The length of the cooldown; 0: none. */
  cooldownSeconds: number
  /** This failure alone starts the cooldown. */
  startsCooldown: boolean
}

/** Counts a failure. The first one after a cooldown starts the next, so that a dead channel meets few calls. */
export const countFailure = (
  app: App,
  channel: Channel,
  key: CooldownKey,
  { cooldownSeconds, startsCooldown }: Failure,
): void => {
  if (cooldownSeconds <= 0) return
  const now = app.monotonic()
  const window = currentWindow(app, channel, key, now)
  window.failures++
  const isFull = window.failures >= failuresMin && window.failures >= window.successes
  if (startsCooldown || isFull || window.cooldownEnd > 0)
    window.cooldownEnd = Math.max(window.cooldownEnd, now + cooldownSeconds * 1_000)
}

/** Starts a cooldown of the whole channel, because its vendor refused every credential. */
export const startChannelCooldown = (app: App, channel: Channel, seconds: number): void => {
  stateOf(app, channel).cooldownEnd = app.monotonic() + seconds * 1_000
}

/** Counts an answered call. It ends no cooldown, since it may have begun long before the failures. */
export const countSuccess = (app: App, channel: Channel, key: CooldownKey): void => {
  const windows = statesOf(app).get(channel)?.windows
  const window = windows?.get(textOf(key))
  if (!windows || !window) return
  const now = app.monotonic()
  window.successes++
  if (window.cooldownEnd > now) return
  if (window.cooldownEnd > 0 || isOver(window, now)) windows.delete(textOf(key))
}

const isOver = ({ startedAt, cooldownEnd }: FailureWindow, now: number) =>
  now - Math.max(startedAt, cooldownEnd) > windowMs

const stateOf = (app: App, channel: Channel): ChannelState => {
  const known = statesOf(app).get(channel)
  if (known) return known
  const state = { windows: new Map<string, FailureWindow>(), cooldownEnd: 0 }
  statesOf(app).set(channel, state)
  return state
}

const currentWindow = (
  app: App,
  channel: Channel,
  key: CooldownKey,
  now: number,
): FailureWindow => {
  const { windows } = stateOf(app, channel)
  const text = textOf(key)
  const known = windows.get(text)
  if (known && !isOver(known, now)) return known
  windows.delete(text)
  if (windows.size >= windowsMax) windows.delete(windows.keys().next().value!)
  const window = { startedAt: now, failures: 0, successes: 0, cooldownEnd: 0 }
  windows.set(text, window)
  return window
}
