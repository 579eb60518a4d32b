import { Fault } from '@hub/contract'
import { type buildConnector, Client } from 'undici'
import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import { type HeadState, skipContinue } from '../../../lib/http/skip-continue.ts'
import {
  type ConnectionTarget,
  type ConnectOptions,
  connectorOf,
  proxyAddressOf,
} from './connector.ts'

/** One connection, lent to one request at a time. */
export type ConnectionLease = { pool: Pool; client: Connection; isReturned: boolean }

/**
 * The connections to one origin by one proxy, or by none. All channels and credentials share them: an installation with
 * thousands of keys of one vendor would otherwise open a connection, with its TLS handshake, for almost every call.
 */
type Pool = {
  proxy: string
  origin: string
  isPrivateAllowed: boolean
  connectMs: number
  idle: IdleConnection[]
  running: number
  isClosed: boolean
  open(): Connection
}
type Connection = Client & { head: HeadState }
type IdleConnection = { client: Connection; since: number }

/** Requests that one pool carries at once; above it another origin is better than one more connection. */
const runningMax = 50_000
const idleMs = 30_000
const checkMs = 10_000

type Pools = {
  /** Connections whose answer was read to its end in this turn of the event loop. */
  returning: ConnectionLease[]
  /** By proxy and origin: nested maps, so that no request has to build a key. */
  open: Map<string, Map<string, Pool>>
}

const pools = appScoped((): Pools => ({ returning: [], open: new Map() }))

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
  for (const lease of pools(app).returning.splice(0)) returnToPool(lease, since)
}

const returnToPool = ({ pool, client }: ConnectionLease, since: number) => {
  if (pool.isClosed) return void client.close().catch(() => {})
  pool.idle.push({ client, since })
}

/** A timer of Node, because the timing wheel would wake a server with few calls forty times a second. */
const scheduleCheck = (app: App, pool: Pool) => {
  setTimeout(closeIdle, checkMs, app, pool).unref()
}

/** The connection returned last is used first, so unneeded ones collect at the front of the list. */
const closeIdle = (app: App, pool: Pool) => {
  if (pool.isClosed) return
  const before = app.monotonic() - idleMs
  const firstKept = pool.idle.findIndex(each => each.since > before)
  const old = pool.idle.splice(0, firstKept === -1 ? pool.idle.length : firstKept)
  for (const { client } of old) void client.close().catch(() => {})
  if (pool.idle.length + pool.running > 0) scheduleCheck(app, pool)
  else closePool(app, pool)
}

/** Running requests may end; no new one begins here. */
const closePool = (app: App, pool: Pool) => {
  pool.isClosed = true
  for (const { client } of pool.idle.splice(0)) void client.close().catch(() => {})
  const { open } = pools(app)
  const byOrigin = open.get(pool.proxy)
  if (byOrigin?.get(pool.origin) !== pool) return
  byOrigin.delete(pool.origin)
  if (byOrigin.size === 0) open.delete(pool.proxy)
}

const poolOf = (app: App, target: ConnectionTarget): Pool => {
  const { origin } = target
  const proxy = target.channel.proxy === '' ? '' : proxyAddressOf(target)
  const { channels, relay } = app.settings()
  const connectMs = relay.ConnectTimeoutSeconds * 1_000
  const isPrivateAllowed = channels.PrivateAddressesAllowed
  const { open } = pools(app)
  const known = open.get(proxy)?.get(origin)
  const isSame = known?.isPrivateAllowed === isPrivateAllowed && known.connectMs === connectMs
  if (isSame) return known
  if (known) closePool(app, known)
  const options = { timeout: connectMs, isPrivateAllowed }
  // Not the target itself: its channel may be changed or deleted before the pool ends.
  const resolved = { channel: { proxy }, credential: '', origin }
  const pool: Pool = {
    proxy,
    origin,
    isPrivateAllowed,
    connectMs,
    idle: [],
    running: 0,
    isClosed: false,
    open: () => openClient(resolved, options),
  }
  const byOrigin = open.get(proxy) ?? new Map<string, Pool>()
  open.set(proxy, byOrigin.set(origin, pool))
  scheduleCheck(app, pool)
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
