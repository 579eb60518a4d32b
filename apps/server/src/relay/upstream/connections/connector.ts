import { hash } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { Fault } from '@hub/contract'
import { SocksClient } from 'socks'
import { buildConnector } from 'undici'
import type { Channel } from '../../channels/channel.ts'
import { checkHost, publicLookup, resolvePublic } from './addresses.ts'

/** The origin of a request, and all that decides by which proxy its socket is opened. */
export type ConnectionTarget = {
  channel: Pick<Channel, 'proxy'>
  credential: string
  origin: string
}

export type ConnectOptions = {
  /** Milliseconds for each step: TCP, proxy, TLS. */
  timeout: number
  isPrivateAllowed: boolean
}

/** Opens sockets to the origin, by the channel's proxy if it has one. Throws `address.forbidden`. */
export const connectorOf = (
  target: ConnectionTarget,
  { timeout, isPrivateAllowed }: ConnectOptions,
): buildConnector.connector => {
  const { origin } = target
  const address = proxyAddressOf(target)
  const proxy = address === '' ? undefined : new URL(address)
  const options = { timeout, ...(isPrivateAllowed ? {} : { lookup: publicLookup }) }
  if (options.lookup) {
    checkHost(new URL(origin).hostname)
    if (proxy) checkHost(proxy.hostname)
  }
  if (!proxy) return buildConnector({ allowH2: false, ...options })
  const openTunnel = tunnelOf(proxy)
  return connectByTunnel((host, port) => openTunnel(proxy, { host, port }, options), options)
}

/**
 * The address of the proxy, or an empty text without one. `%s` becomes a name that is stable for a credential, for sticky
 * sessions at rotating proxies.
 */
export const proxyAddressOf = ({ channel: { proxy }, credential }: ConnectionTarget): string =>
  proxy.includes('%s') ? proxy.replace('%s', hash('sha256', credential).slice(0, 32)) : proxy

/** Opens sockets to a checked address by a proxy, which is given no name that it could resolve otherwise. */
export const proxyConnector = (
  proxy: URL,
  address: string,
  { timeout, isPrivateAllowed }: ConnectOptions,
): buildConnector.connector => {
  const options = { timeout, ...(isPrivateAllowed ? {} : { lookup: publicLookup }) }
  if (options.lookup) checkHost(proxy.hostname)
  const openTunnel = tunnelOf(proxy)
  return connectByTunnel((_host, port) => openTunnel(proxy, { host: address, port }, options), {
    timeout,
  })
}

const tunnelOf = (proxy: URL) =>
  proxy.protocol.startsWith('socks') ? openSocksTunnel : openHttpTunnel

type SocketOptions = { timeout: number; lookup?: typeof publicLookup }
type ProxyAnswer = [IncomingMessage, Socket]
type Endpoint = { host: string; port: number }

/** The target is named by a public address, because a proxy could resolve a name to a private one. */
export const connectByTunnel =
  (
    openTunnel: (host: string, port: number) => Promise<Socket>,
    { timeout, lookup }: SocketOptions,
  ): buildConnector.connector =>
  async (target, done) => {
    try {
      const name = bare(target.hostname)
      const isTls = target.protocol === 'https:'
      const host = lookup ? await resolvePublic(name) : name
      const socket = await openTunnel(host, Number(target.port || (isTls ? 443 : 80)))
      if (!isTls) return done(null, socket.setNoDelay())
      buildConnector({ allowH2: false, timeout })({ ...target, httpSocket: socket }, done)
    } catch (error) {
      done(error as Error, null)
    }
  }

/** https://www.rfc-editor.org/rfc/rfc9110#name-connect */
const openHttpTunnel = async (
  proxy: URL,
  { host, port }: Endpoint,
  { timeout, lookup }: SocketOptions,
): Promise<Socket> => {
  const { request } = proxy.protocol === 'https:' ? https : http
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  // Node's own client, because undici asks a proxy that closes without an answer again and again.
  const call = request({
    method: 'CONNECT',
    host: bare(proxy.hostname),
    port: proxy.port,
    path,
    headers: { host: path, ...authorizationOf(proxy) },
    agent: false,
    ...(lookup && { lookup }),
  }).end()
  try {
    // A refusal of CONNECT is given to this event too, whatever its status.
    const signal = AbortSignal.timeout(timeout)
    const [{ statusCode }, socket] = (await once(call, 'connect', { signal })) as ProxyAnswer
    if (statusCode === 200) return socket
    socket.destroy()
    throw new Fault('upstream.unreachable', { detail: `the proxy answered ${statusCode}` })
  } catch (error) {
    call.destroy()
    throw error
  }
}

const authorizationOf = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
}

/** https://www.rfc-editor.org/rfc/rfc1928 and, for a login, https://www.rfc-editor.org/rfc/rfc1929 */
const openSocksTunnel = async (
  proxy: URL,
  { host, port }: Endpoint,
  { timeout, lookup }: SocketOptions,
): Promise<Socket> => {
  const name = bare(proxy.hostname)
  const { socket } = await SocksClient.createConnection({
    command: 'connect',
    timeout,
    proxy: {
      type: 5,
      host: lookup ? await resolvePublic(name) : name,
      port: Number(proxy.port || 1080),
      ...(proxy.username ? { userId: decodeURIComponent(proxy.username) } : {}),
      ...(proxy.password ? { password: decodeURIComponent(proxy.password) } : {}),
    },
    destination: { host, port },
  })
  return socket
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '')
