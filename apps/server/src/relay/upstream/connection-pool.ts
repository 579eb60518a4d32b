import { hash } from 'node:crypto'
import { Fault } from '@hub/contract'
import { socksConnector } from 'fetch-socks'
import { buildConnector, Client, type Dispatcher, ProxyAgent } from 'undici'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import { type HeadState, skipContinue } from '../../lib/http/skip-continue.ts'
import type { Channel } from '../channels/channel.ts'
import { checkHost, publicLookup, resolvePublic } from './addresses.ts'

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
type Connection = (Client | ProxyAgent) & { head: HeadState }
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

type Target = { channel: Channel; credential: string; origin: string }

export const takeConnection = (app: App, target: Target): ConnectionLease => {
  const pool = poolOf(app, target)
  if (pool.running >= runningMax) throw new Fault('server.busy', { retryAfterSeconds: 1 })
  pool.running++
  return { pool, client: pool.idle.pop()?.client ?? pool.open(), isReturned: false }
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

const poolOf = (app: App, { channel, credential, origin }: Target): Pool => {
  const { channels, relay } = app.settings()
  const connectMs = relay.ConnectTimeoutSeconds * 1_000
  const isPrivateAllowed = channels.PrivateAddressesAllowed
  const { open, closed } = pools(app)
  const known = open.get(channel)?.get(credential)?.get(origin)
  const isSame = known?.isPrivateAllowed === isPrivateAllowed && known.connectMs === connectMs
  if (isSame) return known
  if (known) closePool(known)
  const proxy = proxyOf(channel, credential)
  const lookup = isPrivateAllowed ? undefined : publicLookup
  if (lookup) {
    checkHost(new URL(origin).hostname)
    if (proxy) checkHost(proxy.hostname)
  }
  const pool: Pool = {
    isPrivateAllowed,
    connectMs,
    idle: [],
    running: 0,
    isClosed: closed.has(channel),
    isCheckScheduled: false,
    open: () => connect(origin, proxy, { timeout: connectMs, ...(lookup ? { lookup } : {}) }),
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

type ConnectOptions = { timeout: number; lookup?: typeof publicLookup }

const connect = (origin: string, proxy: URL | undefined, options: ConnectOptions): Connection => {
  const head: HeadState = { isAwaited: false }
  if (proxy && !proxy.protocol.startsWith('socks')) {
    const agent = new ProxyAgent({
      ...clientOptions,
      uri: proxy.href,
      connections: 1,
      proxyTunnel: true,
      proxyTls: options,
      requestTls: { timeout: options.timeout },
      factory: (origin, inner) => {
        const { connect } = inner as { connect: buildConnector.connector }
        return new Client(origin, { ...inner, connect: skippingContinue(connect, head) })
      },
      ...(options.lookup && {
        clientFactory: (url, more) => new PublicTunnelClient(url, more as Client.Options),
      }),
    })
    return Object.assign(agent, { head })
  }
  const connector = proxy
    ? connectBySocks(proxy, options)
    : buildConnector({ allowH2: false, ...options })
  const client = new Client(origin, {
    ...clientOptions,
    connect: skippingContinue(connector, head),
  })
  return Object.assign(client, { head })
}

const skippingContinue =
  (connector: buildConnector.connector, head: HeadState): buildConnector.connector =>
  (target, done) =>
    connector(target, (...[error, socket]) =>
      socket ? done(null, skipContinue(socket, head)) : done(error!, null),
    )

/** Names the targets of tunnels by a public address, because the proxy could resolve a name to a private one. */
export class PublicTunnelClient extends Client {
  override connect = (async (target: Dispatcher.ConnectOptions) => {
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target.path) ?? []
    const address = await resolvePublic(bare(host))
    const authority = address.includes(':') ? `[${address}]` : address
    return super.connect({ ...target, path: `${authority}:${port}` })
  }) as Client['connect']
}

const connectBySocks =
  (proxy: URL, { timeout, lookup }: ConnectOptions): buildConnector.connector =>
  async (target, done) => {
    try {
      const resolve = async (host: string) => (lookup ? resolvePublic(host) : host)
      const connector = socksConnector(
        {
          type: 5,
          host: await resolve(bare(proxy.hostname)),
          port: Number(proxy.port || 1080),
          ...(proxy.username ? { userId: decodeURIComponent(proxy.username) } : {}),
          ...(proxy.password ? { password: decodeURIComponent(proxy.password) } : {}),
        },
        { timeout, allowH2: false },
      )
      connector({ ...target, hostname: await resolve(bare(target.hostname)) }, done)
    } catch (error) {
      done(error as Error, null)
    }
  }

const bare = (host: string) => host.replace(/^\[|\]$/g, '')

/** `%s` becomes a name that is stable for a credential, for sticky sessions at rotating proxies. */
const proxyOf = (channel: Channel, credential: string): URL | undefined =>
  channel.proxy === ''
    ? undefined
    : new URL(channel.proxy.replace('%s', hash('sha256', credential).slice(0, 32)))
