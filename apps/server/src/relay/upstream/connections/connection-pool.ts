import { Fault } from '@hub/contract'
import { type buildConnector, Client } from 'undici'
import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import { timers } from '../../../core/timers.ts'
import { type HeadState, skipContinue } from '../../../lib/http/skip-continue.ts'
import type { Channel } from '../../channels/channel.ts'
import { type ConnectionTarget, type ConnectOptions, connectorOf } from './connector.ts'

/** One connection, lent to one request at a time. */
export type ConnectionLease = { pool: Pool; client: Connection; isReturned: boolean }

/** The connections of one channel with one credential to one origin. They are never shared with another. */
type Pool = {
  isPrivateAllowed: boolean
  connectMs: number
  idle: IdleConnection[]
  running: number
  isClosed: boolean
  /** A check of the idle connections is scheduled. */
  isCheckScheduled: boolean
  open(): Connection
}
type Connection = Client & { head: HeadState }
type IdleConnection = { client: Connection; since: number }

/** Requests that one pool carries at once; above it another channel is better than a queue. */
const runningMax = 10_000
const idleMs = 30_000
const checkMs = 10_000

type Pools = {
  /** Connections whose answer was read to its end in this turn of the event loop. */
  returning: ConnectionLease[]
  /** By channel, credential and origin: nested maps, so that no request has to build a key. */
  open: WeakMap<Channel, Map<string, Map<string, Pool>>>
  /** Channels that were changed or removed: a call that began earlier may still take a connection. */
  closed: WeakSet<Channel>
}

const pools = appScoped(
  (): Pools => ({ returning: [], open: new WeakMap(), closed: new WeakSet() }),
)

export const takeConnection = (app: App, target: ConnectionTarget): ConnectionLease => {
  const pool = poolOf(app, target)
  if (pool.running >= runningMax) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  const client = pool.idle.pop()?.client ?? pool.open()
  pool.running++
  return { pool, client, isReturned: false }
}

/** Returns a connection whose answer was read to its end. */
export const release = (app: App, lease: ConnectionLease): void => {
  if (lease.isReturned) return
  lease.isReturned = true
  lease.pool.running--
  const { returning } = pools(app)
  // It waits one turn of the event loop, so that bytes the upstream sent unasked end the connection first.
  if (returning.push(lease) === 1) setImmediate(returnAll, app)
}

/** Closes a connection that cannot be used again. */
export const discard = (lease: ConnectionLease): void => {
  if (lease.isReturned) return
  lease.isReturned = true
  lease.pool.running--
  void lease.client.destroy().catch(() => {})
}

const returnAll = (app: App) => {
  const since = app.monotonic()
  for (const lease of pools(app).returning.splice(0)) returnToPool(app, lease, since)
}

const returnToPool = (app: App, { pool, client }: ConnectionLease, since: number) => {
  if (pool.isClosed) return void client.close().catch(() => {})
  if (!pool.isCheckScheduled) scheduleCheck(app, pool)
  pool.idle.push({ client, since })
}

const scheduleCheck = (app: App, pool: Pool) => {
  pool.isCheckScheduled = true
  timers(app).start(checkMs, () => closeIdle(app, pool))
}

/** The connection returned last is used first, so unneeded ones collect at the front of the list. */
const closeIdle = (app: App, pool: Pool) => {
  pool.isCheckScheduled = false
  const before = app.monotonic() - idleMs
  const firstKept = pool.idle.findIndex(each => each.since > before)
  const old = pool.idle.splice(0, firstKept === -1 ? pool.idle.length : firstKept)
  for (const { client } of old) void client.close().catch(() => {})
  if (pool.idle.length > 0) scheduleCheck(app, pool)
}

/** Closes the pools of a channel that was changed or removed. Running requests may end; no new one begins there. */
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
  for (const { client } of pool.idle.splice(0)) void client.close().catch(() => {})
}

const poolOf = (app: App, target: ConnectionTarget): Pool => {
  const { channel, credential, origin } = target
  const { channels, relay } = app.settings()
  const connectMs = relay.ConnectTimeoutSeconds * 1_000
  const isPrivateAllowed = channels.PrivateAddressesAllowed
  const { open, closed } = pools(app)
  const known = open.get(channel)?.get(credential)?.get(origin)
  const isSame = known?.isPrivateAllowed === isPrivateAllowed && known.connectMs === connectMs
  if (isSame) return known
  if (known) closePool(known)
  const options = { timeout: connectMs, isPrivateAllowed }
  const pool: Pool = {
    isPrivateAllowed,
    connectMs,
    idle: [],
    running: 0,
    isClosed: closed.has(channel),
    isCheckScheduled: false,
    open: () => openClient(target, options),
  }
  if (pool.isClosed) return pool
  const ofChannel = open.get(channel) ?? new Map<string, Map<string, Pool>>()
  const ofCredential = ofChannel.get(credential) ?? new Map<string, Pool>()
  open.set(channel, ofChannel.set(credential, ofCredential.set(origin, pool)))
  return pool
}

// The relay has its own timeouts; undici's are up to a second late.
const clientOptions = {
  pipelining: 1,
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 64 * 1024,
}

const openClient = (target: ConnectionTarget, options: ConnectOptions): Connection => {
  const head: HeadState = { isAwaited: false }
  const connect = skippingContinue(connectorOf(target, options), head)
  return Object.assign(new Client(target.origin, { ...clientOptions, connect }), { head })
}

const skippingContinue =
  (connector: buildConnector.connector, head: HeadState): buildConnector.connector =>
  (target, done) =>
    connector(target, (...[error, socket]) =>
      socket ? done(null, skipContinue(socket, head)) : done(error!, null),
    )
