import { isIPv6, type LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { Agent, type buildConnector, type Dispatcher, request } from 'undici'
import type { AddressSet } from '../ip.ts'
import { decoderOf, type MakeDecoder } from './decoders.ts'
import { fileTypeOf, headBytes } from './file-type.ts'
import { isPublicAddress } from './public-address.ts'
import { resolveHost } from './resolve-host.ts'

/** The operator's rules for addresses that callers supply. */
export type FetchRules = {
  ports: Pick<ReadonlySet<number>, 'has'>
  /** Addresses that may be fetched although they are not public. */
  isExempt: AddressSet
  /** `address` or `address:port`. Empty: those of the system. */
  nameServers: readonly string[]
}

export type FetchLimits = {
  rules: FetchRules
  /** MIME types by their magic numbers; the server's own claim does not count. */
  types: ReadonlySet<string>
  /** Counts unpacked bytes. */
  bytesMax: number
  /** For everything: names, redirects and the file. */
  timeoutMs: number
  signal: AbortSignal
  /** Takes memory for bytes that arrived; false ends the fetch. */
  takeBytes(bytes: number): boolean
  /** Opens sockets to a checked address by the operator's proxy. */
  connectorTo?: ((address: string) => buildConnector.connector) | undefined
}

export type FetchFailure =
  /** Another scheme, a user name, or a port that the rules do not have. */
  | 'url'
  /** The name is unknown, or one of its addresses is not public. Callers cannot tell which. */
  | 'address'
  | 'redirects'
  | 'connection'
  | 'status'
  | 'encoding'
  | 'type'
  | 'size'
  | 'timeout'
  | 'cancelled'

export type FetchResult =
  | { ok: true; mime: string; chunks: Buffer[] }
  | { ok: false; reason: FetchFailure; status?: number }

const redirectsMax = 3
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** The gateway sends nothing of the caller: no headers, no credentials, no cookies. */
const headers = { 'user-agent': 'One-Hub', accept: '*/*', 'accept-encoding': 'identity' }

const failed = (reason: FetchFailure, status?: number): FetchResult => ({
  ok: false,
  reason,
  ...(status === undefined ? {} : { status }),
})

/**
 * Fetches a file at an address that a caller supplied. Each name is resolved once and the connection goes to a checked
 * address, so that a second answer of a name server changes nothing. Never rejects.
 */
export const fetchGuarded = async (url: string, limits: FetchLimits): Promise<FetchResult> => {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  try {
    const signal = AbortSignal.any([timeout, limits.signal])
    const opened = await follow(url, { ...limits, signal, headers })
    if (!opened.ok) return opened
    try {
      return await readFile(opened.response, limits)
    } finally {
      opened.close()
    }
  } catch {
    if (limits.signal.aborted) return failed('cancelled')
    return failed(timeout.aborted ? 'timeout' : 'connection')
  }
}

/** A file whose bytes are read as they arrive. */
export type OpenedFile =
  | { ok: true; response: Dispatcher.ResponseData; close(): void }
  | { ok: false; reason: FetchFailure }

type OpenOptions = Pick<FetchLimits, 'rules' | 'signal' | 'connectorTo'> & {
  /** Sent besides the gateway's own. */
  headers: Readonly<Record<string, string>>
}

/** Opens a file by the same rules as `fetchGuarded`. The caller reads the body, and closes it in any case. */
export const openGuarded = async (
  url: string,
  { headers: more, ...options }: OpenOptions,
): Promise<OpenedFile> => {
  try {
    return await follow(url, { ...options, headers: { ...headers, ...more } })
  } catch {
    return { ok: false, reason: options.signal.aborted ? 'cancelled' : 'connection' }
  }
}

const follow = async (
  first: string,
  { rules, signal, headers, connectorTo }: OpenOptions,
): Promise<OpenedFile> => {
  let url = allowedUrl(first, undefined, rules)
  for (let redirects = 0; url; redirects += 1) {
    if (redirects > redirectsMax) return { ok: false, reason: 'redirects' }
    const addresses = await allowedAddresses(url.hostname, rules, signal)
    signal.throwIfAborted()
    if (addresses.length === 0) return { ok: false, reason: 'address' }
    const lookup = { lookup: lookupOf(addresses), timeout: 0 }
    const dispatcher = new Agent({ connect: connectorTo?.(addresses[0]!) ?? lookup })
    const close = () => void dispatcher.destroy().catch(() => {})
    try {
      const response = await request(url, { dispatcher, signal, headers })
      const location = redirectOf(response)
      if (location === undefined) return { ok: true, response, close }
      url = allowedUrl(location, url, rules)
    } catch (error) {
      close()
      throw error
    }
    close()
  }
  return { ok: false, reason: 'url' }
}

/** True for an address that `fetchGuarded` would call. Rejects where the name cannot be looked up in time. */
export const isFetchable = async (
  url: string,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<boolean> => {
  const allowed = allowedUrl(url, undefined, rules)
  return (
    allowed !== undefined && (await allowedAddresses(allowed.hostname, rules, signal)).length > 0
  )
}

/** The parser normalises what hides an address: decimal, octal and short forms, full-width letters, dots at the end. */
export const allowedUrl = (
  text: string,
  base: URL | undefined,
  { ports }: FetchRules,
): URL | undefined => {
  if (!URL.canParse(text, base)) return undefined
  const url = new URL(text, base)
  const defaultPort = { 'http:': 80, 'https:': 443 }[url.protocol]
  if (defaultPort === undefined || url.username !== '' || url.password !== '') return undefined
  return ports.has(Number(url.port || defaultPort)) ? url : undefined
}

/** Returns no address if any of them may not be called: a name that mixes them is an attack. */
export const allowedAddresses = async (
  hostname: string,
  { isExempt, nameServers }: FetchRules,
  signal: AbortSignal,
): Promise<string[]> => {
  const found = await resolveHost(hostname, nameServers, signal)
  return found.every(each => isPublicAddress(each) || isExempt(each)) ? found : []
}

/** Answers the socket's own look-up with the checked addresses. */
export const lookupOf = (addresses: readonly string[]): LookupFunction => {
  const list = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const [first] = list
  return (_hostname, { all }, done) => {
    if (all) done(null, list)
    else done(null, first!.address, first!.family)
  }
}

const redirectOf = ({ statusCode, headers, body }: Dispatcher.ResponseData): string | undefined => {
  const { location } = headers
  if (!redirectStatuses.has(statusCode) || typeof location !== 'string') return undefined
  body.on('error', ignore).destroy()
  return location
}

const ignore = () => undefined

const readFile = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { types, bytesMax, takeBytes }: FetchLimits,
): Promise<FetchResult> => {
  body.on('error', ignore)
  if (statusCode !== 200) return failed('status', statusCode)
  const make = decoderOf(headers['content-encoding'])
  if (!make) return failed('encoding')
  if (make === 'none' && Number(headers['content-length'] ?? 0) > bytesMax) return failed('size')
  const chunks: Buffer[] = []
  let size = 0
  let mime: string | undefined
  for await (const chunk of make === 'none' ? body : unpack(body, make)) {
    size += chunk.length
    if (size > bytesMax) return failed('size')
    if (!takeBytes(chunk.length)) return failed('cancelled')
    chunks.push(chunk)
    if (mime !== undefined || size < headBytes) continue
    mime = fileTypeOf(Buffer.concat(chunks))
    if (mime === undefined || !types.has(mime)) return failed('type')
  }
  return mime === undefined ? failed('type') : { ok: true, mime, chunks }
}

const unpack = async function* (body: Readable, make: MakeDecoder): AsyncGenerator<Buffer> {
  const packed = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const first = await packed.next()
  if (first.done) return
  const rest = async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => packed }
  }
  yield* pipeline(Readable.from(rest()), make(first.value), ignore)
}
