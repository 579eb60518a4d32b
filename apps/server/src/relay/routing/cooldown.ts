import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'

/** A cooldown holds for one model, by the caller's name for it, and one operation of a channel's key. */
export type CooldownKey = { model: string; operation: string }

/** A call that asks first after a cooldown. It ends with its first byte. */
type Probe = { readonly firstByteAt: number | undefined }

type CooldownState = {
  /** Monotonic milliseconds; 0: none so far. */
  cooldownEnd: number
  /** The call that asks while the cooldown is over and no call was answered since. */
  probe?: Probe | undefined
}

/** The calls of one key since the first failure, and the cooldown they led to. Times are monotonic milliseconds. */
type FailureWindow = CooldownState & {
  startedAt: number
  failures: number
  successes: number
  /** The end that other nodes know. */
  sharedEnd: number
}

/** Its own cooldown holds for every model and operation. */
type KeyState = CooldownState & {
  windows: Map<string, FailureWindow>
  /** The vendor refused the key, and no other key of the channel was left since. */
  isRefused: boolean
}

const windowMs = 30_000
/** A cooldown starts after this many failures in a window, if at least half of the calls failed. */
const failuresMin = 3
/** Callers can invent names for a channel whose model list has a wildcard. */
const windowsMax = 1_000

/** How long a refused key is left out while the channel has another, if the gateway may not disable it. */
export const refusedMs = 600_000

/** A changed channel is decoded anew and starts without cooldowns. Each process has its own. */
const statesOf = appScoped(() => new WeakMap<ChannelKey, KeyState>())

const textOf = ({ model, operation }: CooldownKey) => `${operation} ${model}`
const modelOf = (text: string) => text.slice(text.indexOf(' ') + 1)

/** The end of a running cooldown in monotonic milliseconds, or 0. */
export type CooldownEnd = (channel: Channel, key: CooldownKey) => number

/** The end of the cooldown of a key. */
export const keyCooldownEnd = appScoped(app => {
  const states = statesOf(app)
  return (channelKey: ChannelKey, key: CooldownKey): number => {
    const state = states.get(channelKey)
    if (!state) return 0
    const end = Math.max(state.cooldownEnd, state.windows.get(textOf(key))?.cooldownEnd ?? 0)
    return end > app.monotonic() ? end : 0
  }
})

/** A channel cools down while all of its keys do. */
export const cooldownEnd = appScoped((app): CooldownEnd => {
  const endOf = keyCooldownEnd(app)
  return ({ keys }, key) => {
    let first = Number.POSITIVE_INFINITY
    for (const each of keys) {
      const end = endOf(each, key)
      if (end === 0) return 0
      if (end < first) first = end
    }
    return first
  }
})

export type IsProbed = (channel: Channel, key: CooldownKey) => boolean

/** Another call is the probe of the key after its cooldown, and has no answer yet. */
export const isKeyProbed = (app: App, channelKey: ChannelKey, key: CooldownKey): boolean =>
  halfOpenStates(app, channelKey, key).some(isProbeRunning)

/** Every key of the channel that does not cool down is being probed by another call. */
export const isProbed = appScoped((app): IsProbed => {
  const states = statesOf(app)
  return ({ keys }, key) => {
    for (const each of keys) {
      if (!states.has(each)) return false
      if (keyCooldownEnd(app)(each, key) === 0 && !isKeyProbed(app, each, key)) return false
    }
    return true
  }
})

/**
 * Makes a call the probe of a key whose cooldown is over: until its first byte other calls prefer other channels. Returns
 * the function that ends the probe; undefined where none is needed, or another one runs.
 */
export const startProbe = (
  app: App,
  channelKey: ChannelKey,
  key: CooldownKey,
  probe: Probe,
): (() => void) | undefined => {
  const started = halfOpenStates(app, channelKey, key).filter(each => !isProbeRunning(each))
  if (started.length === 0) return undefined
  for (const each of started) each.probe = probe
  return () => {
    for (const each of started) if (each.probe === probe) each.probe = undefined
  }
}

const none: readonly CooldownState[] = []

/** The cooldowns that are over, while no call was answered since. */
const halfOpenStates = (
  app: App,
  channelKey: ChannelKey,
  key: CooldownKey,
): readonly CooldownState[] => {
  const state = statesOf(app).get(channelKey)
  if (!state) return none
  const now = app.monotonic()
  const window = state.windows.get(textOf(key))
  const found: CooldownState[] = []
  if (window && isHalfOpen(window, now) && !isOver(window, now)) found.push(window)
  if (isHalfOpen(state, now)) found.push(state)
  return found
}

const isHalfOpen = ({ cooldownEnd }: CooldownState, now: number) =>
  cooldownEnd > 0 && cooldownEnd <= now

const isProbeRunning = ({ probe }: CooldownState) =>
  probe !== undefined && probe.firstByteAt === undefined

export type Cooldown = {
  /** Empty: it holds for every model. */
  models: string[]
  /** Until the last of them may be called again. */
  milliseconds: number
}

/** The cooldown that holds for all keys of the channel, or for some models of all keys. */
export const runningCooldown = (app: App, channel: Channel): Cooldown | undefined => {
  const now = app.monotonic()
  const states = channel.keys.map(each => statesOf(app).get(each))
  const whole = Math.min(...states.map(each => each?.cooldownEnd ?? 0))
  if (whole > now) return { models: [], milliseconds: whole - now }
  const windows = new Set(states.flatMap(each => [...(each?.windows.keys() ?? [])]))
  const running = [...windows]
    .map(text => ({ model: modelOf(text), operation: text.slice(0, text.indexOf(' ')) }))
    .map(key => ({ model: key.model, end: cooldownEnd(app)(channel, key) }))
    .filter(each => each.end > 0)
  if (running.length === 0) return undefined
  const models = new Set(running.map(each => each.model))
  return { models: [...models], milliseconds: Math.max(...running.map(each => each.end)) - now }
}

export type Failure = {
  /** The length of the cooldown; 0: none. */
  cooldownSeconds: number
  /** This failure alone starts the cooldown. */
  startsCooldown: boolean
}

/** A cooldown that grows by less is not shared again. */
const sharedStepMs = 1_000

/**
 * Counts a failure. The first one after a cooldown starts the next, so that a dead channel meets few calls. Returns the
 * milliseconds of a cooldown that other nodes do not know yet, or 0.
 */
export const countFailure = (
  app: App,
  channelKey: ChannelKey,
  key: CooldownKey,
  { cooldownSeconds, startsCooldown }: Failure,
): number => {
  if (cooldownSeconds <= 0) return 0
  const now = app.monotonic()
  const window = currentWindow(app, channelKey, key, now)
  window.failures++
  const isFull = window.failures >= failuresMin && window.failures >= window.successes
  if (startsCooldown || isFull || window.cooldownEnd > 0)
    window.cooldownEnd = Math.max(window.cooldownEnd, now + cooldownSeconds * 1_000)
  if (window.cooldownEnd < window.sharedEnd + sharedStepMs) return 0
  window.sharedEnd = window.cooldownEnd
  return window.cooldownEnd - now
}

type ReceivedCooldown = {
  /** Undefined: it holds for every model and operation. */
  key?: CooldownKey | undefined
  milliseconds: number
  isRefused: boolean
}

/** Takes over a cooldown of which another node told. */
export const takeOverCooldown = (
  app: App,
  channelKey: ChannelKey,
  { key, milliseconds, isRefused }: ReceivedCooldown,
): void => {
  const now = app.monotonic()
  const end = now + milliseconds
  if (!key) return void Object.assign(stateOf(app, channelKey), { isRefused, cooldownEnd: end })
  const window = currentWindow(app, channelKey, key, now)
  window.cooldownEnd = Math.max(window.cooldownEnd, end)
  window.sharedEnd = window.cooldownEnd
}

/**
 * Leaves out a key that the vendor refused. Returns whether that was the last one: then the whole channel cools down for
 * the given time.
 */
export const countRefusedKey = (
  app: App,
  { keys }: Pick<Channel, 'keys'>,
  refused: ChannelKey,
  cooldownSeconds: number,
): boolean => {
  const now = app.monotonic()
  Object.assign(stateOf(app, refused), { isRefused: true, cooldownEnd: now + refusedMs })
  const states = keys.map(each => stateOf(app, each))
  if (states.some(each => !each.isRefused)) return false
  const end = { isRefused: false, cooldownEnd: now + cooldownSeconds * 1_000 }
  for (const each of states) Object.assign(each, end)
  return true
}

/** Counts an answered call. It ends no cooldown, since it may have begun long before the failures. */
export const countSuccess = (app: App, channelKey: ChannelKey, key: CooldownKey): void => {
  const state = statesOf(app).get(channelKey)
  if (!state) return
  const now = app.monotonic()
  if (isHalfOpen(state, now)) Object.assign(state, { cooldownEnd: 0, isRefused: false })
  const { windows } = state
  const window = windows.get(textOf(key))
  if (!window) return
  window.successes++
  if (window.cooldownEnd > now) return
  if (window.cooldownEnd > 0 || isOver(window, now)) windows.delete(textOf(key))
}

const isOver = ({ startedAt, cooldownEnd }: FailureWindow, now: number) =>
  now - Math.max(startedAt, cooldownEnd) > windowMs

const stateOf = (app: App, channelKey: ChannelKey): KeyState => {
  const known = statesOf(app).get(channelKey)
  if (known) return known
  const state = { windows: new Map<string, FailureWindow>(), cooldownEnd: 0, isRefused: false }
  statesOf(app).set(channelKey, state)
  return state
}

const currentWindow = (
  app: App,
  channelKey: ChannelKey,
  key: CooldownKey,
  now: number,
): FailureWindow => {
  const { windows } = stateOf(app, channelKey)
  const text = textOf(key)
  const known = windows.get(text)
  if (known && !isOver(known, now)) return known
  windows.delete(text)
  if (windows.size >= windowsMax) windows.delete(windows.keys().next().value!)
  const window = { startedAt: now, failures: 0, successes: 0, cooldownEnd: 0, sharedEnd: 0 }
  windows.set(text, window)
  return window
}
