import { Fault } from '@hub/contract'
import type { LinkedMedia, MediaPart } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { openSecret } from '../../core/secrets/setting-secrets.ts'
import { fetchByWorker } from '../../lib/http/fetch-by-worker.ts'
import {
  type FetchFailure,
  type FetchLimits,
  type FetchResult,
  type FetchRules,
  fetchGuarded,
} from '../../lib/http/fetch-guarded.ts'
import { makeAddressSet } from '../../lib/ip.ts'
import type { LinkedFile, LinkedFiles } from '../call-state.ts'
import type { RequestContext } from '../context.ts'
import { reserveBytes } from '../request/body.ts'
import { proxyConnector } from './connections/connector.ts'

/** Distinct addresses that are fetched for one request. */
const linksMax = 32
const parallelMax = 4
const fileMax = 20 * 1024 * 1024
const timeoutMs = 10_000

/** Types that vendors read: https://platform.claude.com/docs/en/build-with-claude/vision, https://ai.google.dev/gemini-api/docs/audio */
const types = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'],
  ...['audio/wav', 'audio/mpeg', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/mp4'],
  ...['video/mp4', 'video/quicktime', 'video/webm'],
])

const reasons: Readonly<Record<Exclude<FetchFailure, 'cancelled'>, string>> = {
  url: 'only http and https addresses without a user name, at the usual ports, are fetched',
  address: 'the name is unknown, or its address is not a public one',
  redirects: 'it redirects more than three times',
  connection: 'the connection failed',
  status: 'its server did not answer with 200',
  encoding: 'its content encoding is unknown',
  type: 'it is no file of a supported type',
  size: `it is larger than ${fileMax / 1024 / 1024} MiB`,
  timeout: `it did not arrive within ${timeoutMs / 1_000} seconds`,
}

/** The operator's rules for addresses of callers and vendors. */
export const fetchRules = appScoped((app): FetchRules => {
  const { ports, privateRanges, dnsServers } = app.env.fetch
  return {
    ports: new Set(ports),
    isExempt: makeAddressSet(privateRanges),
    nameServers: dnsServers,
  }
})

/** Replaces the addresses of linked media by the files behind them. Throws `request.link` for the first that fails. */
export const fetchLinkedFiles = async (
  app: App,
  context: RequestContext,
  links: readonly LinkedMedia[],
): Promise<void> => {
  const files: LinkedFiles = context.body.linkedFiles ?? new Map()
  context.body.linkedFiles = files
  throwFirstFault(files, links)
  const missing = [...new Set(links.map(({ url }) => url))].filter(url => !files.has(url))
  if (missing.length > linksMax)
    throw new Fault('request.link', { hint: `A request may have ${linksMax} addresses.` })
  await fetchAll(app, context, files, missing)
  throwFirstFault(files, links)
  if (context.abort.reason) throw new Fault('upstream.broken', { detail: context.abort.reason })
  for (const link of links) replaceLink(link, files.get(link.url) as LinkedFile)
}

const throwFirstFault = (files: LinkedFiles, links: readonly LinkedMedia[]): void => {
  for (const { url } of links) {
    const file = files.get(url)
    if (file instanceof Fault) throw file
  }
}

/** The first failure and a caller who leaves end the other fetches. */
const fetchAll = async (
  app: App,
  context: RequestContext,
  files: LinkedFiles,
  urls: readonly string[],
): Promise<void> => {
  const controller = new AbortController()
  if (context.abort.reason) return
  context.abort.onAbort = () => controller.abort()
  const waiting = urls.values()
  const fetchNext = async () => {
    for (const url of waiting) {
      const file = await fetchFile(app, context, url, controller.signal)
      if (file) files.set(url, file)
      if (file instanceof Fault) controller.abort()
      if (controller.signal.aborted) return
    }
  }
  await Promise.all(Array.from({ length: parallelMax }, fetchNext))
  context.abort.onAbort = undefined
}

/** Returns undefined for a fetch that was cancelled. */
const fetchFile = async (
  app: App,
  context: RequestContext,
  url: string,
  signal: AbortSignal,
): Promise<LinkedFile | Fault | undefined> => {
  let refusal: Fault | undefined
  const result = await fetchBySettings(app, url, {
    ...{ rules: fetchRules(app), types, bytesMax: fileMax, timeoutMs, signal },
    takeBytes: bytes => {
      refusal = reserve(app, context, bytes)
      return refusal === undefined
    },
  })
  if (result.ok) return { mime: result.mime, base64: base64Of(result.chunks) }
  if (refusal) return refusal
  if (result.reason === 'cancelled') return undefined
  const status = result.status === undefined ? '' : ` (${result.status})`
  return linkFault(url, `${reasons[result.reason]}${status}`)
}

/** By the worker of the settings if there is one, else by their proxy, else directly. */
const fetchBySettings = (app: App, url: string, limits: FetchLimits): Promise<FetchResult> => {
  const { links, channels } = app.settings()
  if (links.CFWorkerImageUrl !== '') {
    const key = openSecret(app, 'CFWorkerImageKey')
    return fetchByWorker(url, { url: links.CFWorkerImageUrl, key }, limits)
  }
  if (links.ChatImageRequestProxy === '') return fetchGuarded(url, limits)
  const proxy = new URL(openSecret(app, 'ChatImageRequestProxy'))
  const options = { timeout: timeoutMs, isPrivateAllowed: channels.PrivateAddressesAllowed }
  return fetchGuarded(url, {
    ...limits,
    connectorTo: address => proxyConnector(proxy, address, options),
  })
}

/** A file counts as base64 against the limits of the body. */
const reserve = (app: App, context: RequestContext, bytes: number): Fault | undefined => {
  try {
    reserveBytes(app, context.body, Math.ceil(bytes / 3) * 4)
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** The query of an address may be a signature, which belongs neither into an error nor into a log. */
const linkFault = (url: string, reason: string): Fault => {
  const shown = url.replace(/[?#].*$/s, '').slice(0, 200)
  return new Fault('request.link', {
    hint: `'${shown}': ${reason}. Send its content as base64 instead.`,
  })
}

/** Lets go of each chunk once it is encoded, so that a large file is in memory once. */
const base64Of = (chunks: Buffer[]): string => {
  const pieces: string[] = []
  let rest: Buffer = Buffer.alloc(0)
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.length - (bytes.length % 3)
    pieces.push(bytes.toString('base64', 0, end))
    rest = bytes.subarray(end)
  }
  pieces.push(rest.toString('base64'))
  return pieces.join('')
}

const replaceLink = (link: LinkedMedia, { mime, base64 }: LinkedFile): void => {
  const { url } = link
  if (!isExpected(link.mime, mime)) throw linkFault(url, `it is ${mime}, and not ${link.mime}`)
  const part: MediaPart = link
  // Chat completions want the name of a document.
  if (mime === 'application/pdf') part.name ??= nameIn(url)
  Object.assign(part, { mime, base64 })
  delete part.url
}

const isExpected = (expected: string, mime: string): boolean => {
  if (expected === 'application/octet-stream' || expected === mime) return true
  const [family = ''] = expected.split('/')
  return family !== 'application' && mime.startsWith(`${family}/`)
}

const nameIn = (url: string): string => {
  const [, name = ''] = /([^/]{1,100})$/.exec(new URL(url).pathname) ?? []
  return name === '' ? 'document.pdf' : name
}
