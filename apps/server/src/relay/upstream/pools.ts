import { hash } from 'node:crypto'
import { Fault } from '@hub/contract'
import { socksConnector } from 'fetch-socks'
import { Client, ProxyAgent } from 'undici'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import type { Channel } from '../channels/channel.ts'
import { timers } from '../clock.ts'
import { checkHost, publicLookup } from './addresses.ts'

/** One connection, lent to one call at a time. */
export type Lane = { pool: Pool; client: Connection; isBack: boolean }

/** The connections of one channel with one credential to one origin: no call of another ever gets one of them. */
type Pool = {
  isPrivateAllowed: boolean
  connectMs: number
  lanes: Idle[]
  running: number
  isClosed: boolean
  /** A look at its idle connections is due: one at a time, however often the pool runs empty. */
  isWatched: boolean
  open(): Connection
}
type Connection = Client | ProxyAgent
type Idle = { client: Connection; since: number }

/** Calls that one pool carries at once; beyond it another channel is better than a queue. */
const runningMax = 10_000
const idleMs = 30_000
const lookMs = 10_000

type Pools = {
  /** Connections of this turn of the loop whose answer was read to its end. */
  back: Lane[]
  /** By channel, credential and origin: maps of maps, so that no call has to write a key. */
  open: WeakMap<Channel, Map<string, Map<string, Pool>>>
  /** Channels that were changed or removed: a call that began before may still ask for a connection. */
  closed: WeakSet<Channel>
}

const pools = perApp((): Pools => ({ back: [], open: new WeakMap(), closed: new WeakSet() }))

type Target = { channel: Channel; credential: string; origin: string }

export const takeLane = (app: App, target: Target): Lane => {
  const pool = poolOf(app, target)
  if (pool.running >= runningMax) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  pool.running++
  return { pool, client: pool.lanes.pop()?.client ?? pool.open(), isBack: false }
}

/** The answer was read to its end: another call may have the connection. */
export const release = (app: App, lane: Lane): void => {
  if (lane.isBack) return
  lane.isBack = true
  lane.pool.running--
  const { back } = pools(app)
  // One turn of the loop, so that what an upstream sent without being asked ends the connection first.
  if (back.push(lane) === 1) setImmediate(putAllBack, app)
}

/** Something else happened: the connection is not used again. */
export const discard = (lane: Lane): void => {
  if (lane.isBack) return
  lane.isBack = true
  lane.pool.running--
  void lane.client.destroy().catch(() => {})
}

const putAllBack = (app: App) => {
  const since = app.monotonic()
  for (const lane of pools(app).back.splice(0)) putBack(app, lane, since)
}

const putBack = (app: App, { pool, client }: Lane, since: number) => {
  if (pool.isClosed) return void client.close().catch(() => {})
  if (!pool.isWatched) watch(app, pool)
  pool.lanes.push({ client, since })
}

const watch = (app: App, pool: Pool) => {
  pool.isWatched = true
  timers(app).start(lookMs, () => closeIdle(app, pool))
}

/** The last one that came back is used first, so the first ones of the list are those that nobody needed. */
const closeIdle = (app: App, pool: Pool) => {
  pool.isWatched = false
  const before = app.monotonic() - idleMs
  const firstKept = pool.lanes.findIndex(each => each.since > before)
  const old = pool.lanes.splice(0, firstKept === -1 ? pool.lanes.length : firstKept)
  for (const { client } of old) void client.close().catch(() => {})
  if (pool.lanes.length > 0) watch(app, pool)
}

/** For a channel that was changed or removed: what runs may end, nothing new begins on its connections. */
export const closePools = (app: App, channel: Channel): void => {
  const { open, closed } = pools(app)
  const known = open.get(channel)
  closed.add(channel)
  open.delete(channel)
  if (!known) return
  for (const ofCredential of known.values())
    for (const pool of ofCredential.values()) closePool(pool)
}

const closePool = (pool: Pool) => {
  pool.isClosed = true
  for (const { client } of pool.lanes.splice(0)) void client.close().catch(() => {})
}

const poolOf = (app: App, { channel, credential, origin }: Target): Pool => {
  const { channels, relay } = app.settings()
  const connectMs = relay.ConnectTimeoutSeconds * 1_000
  const isPrivateAllowed = channels.PrivateAddressesAllowed
  const { open, closed } = pools(app)
  const known = open.get(channel)?.get(credential)?.get(origin)
  const isSame = known?.isPrivateAllowed === isPrivateAllowed && known.connectMs === connectMs
  if (isSame) return known
  if (known) closePool(known)
  if (!isPrivateAllowed) checkHost(new URL(origin).hostname)
  const lookup = isPrivateAllowed ? undefined : publicLookup
  const proxy = proxyOf(channel, credential)
  const pool: Pool = {
    isPrivateAllowed,
    connectMs,
    lanes: [],
    running: 0,
    isClosed: closed.has(channel),
    isWatched: false,
    open: () => connect(origin, proxy, { timeout: connectMs, ...(lookup ? { lookup } : {}) }),
  }
  if (pool.isClosed) return pool
  const ofChannel = open.get(channel) ?? new Map<string, Map<string, Pool>>()
  const ofCredential = ofChannel.get(credential) ?? new Map<string, Pool>()
  open.set(channel, ofChannel.set(credential, ofCredential.set(origin, pool)))
  return pool
}

// All limits of time are the relay's own: undici's are up to a second late.
const clientOptions = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 64 * 1024,
}

type ConnectOptions = { timeout: number; lookup?: typeof publicLookup }

const connect = (origin: string, proxy: URL | undefined, options: ConnectOptions): Connection => {
  if (proxy === undefined) return new Client(origin, { ...clientOptions, connect: options })
  if (!proxy.protocol.startsWith('socks'))
    return new ProxyAgent({
      ...clientOptions,
      uri: proxy.href,
      connections: 1,
      proxyTunnel: true,
      requestTls: { timeout: options.timeout },
    })
  const connector = socksConnector(
    {
      type: 5,
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: Number(proxy.port || 1080),
      ...(proxy.username ? { userId: decodeURIComponent(proxy.username) } : {}),
      ...(proxy.password ? { password: decodeURIComponent(proxy.password) } : {}),
    },
    { timeout: options.timeout, allowH2: false },
  )
  return new Client(origin, { ...clientOptions, connect: connector })
}

/** `%s` stands for a name that is the same for the same credential: sticky sessions at rotating proxies. */
const proxyOf = (channel: Channel, credential: string): URL | undefined =>
  channel.proxy === ''
    ? undefined
    : new URL(channel.proxy.replace('%s', hash('sha256', credential).slice(0, 32)))
