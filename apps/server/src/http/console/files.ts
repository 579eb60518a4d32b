import { stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { Fault } from '@hub/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type HasPage, readPages } from './pages.ts'

const notBuilt =
  'The console is not built yet. Run `npm run build` once, or start with `npm start`, which does it.\n'
const page = 'index.html'
const yearSeconds = 31_536_000
const weekSeconds = 604_800

/**
 * Serves the built console: its files, and its page for every path of its route table; a path of nothing is 404. The build
 * writes a `.br` and a `.gz` beside each file that gets smaller by it.
 */
export const registerConsole = async (scope: FastifyInstance, root: string) => {
  await scope.register(fastifyStatic, {
    root,
    serve: false,
    cacheControl: false,
    dotfiles: 'deny',
    preCompressed: true,
    acceptRanges: false,
    // The ETag is enough.
    lastModified: false,
  })
  let pages: Promise<HasPage | undefined> | undefined
  scope.setNotFoundHandler(async (request, reply) => {
    if (isApi(request.url) || !isGetOrHead(request)) throw new Fault('route.unknown')
    const path = decodePath(request.url) ?? ''
    if (path !== '' && !isHidden(path) && (await isFile(join(root, path))))
      return sendFile(reply, path)
    if (/^\/(assets|fonts|marks)\//.test(path)) throw new Fault('route.unknown')
    pages ??= readPages(root)
    const hasPage = await pages
    if (!hasPage || hasPage(path)) return sendPage(reply, root)
    // A person sees the console's own page about it; a program reads a fault.
    if (!wantsPage(request)) throw new Fault('route.unknown')
    reply.status(404)
    return sendPage(reply, root)
  })
}

const isApi = (url: string) => /^\/(api|v1|v1beta|metrics)(?![\w-])/.test(url)
const wantsPage = ({ headers: { accept } }: FastifyRequest) =>
  accept?.includes('text/html') === true
const isGetOrHead = (request: FastifyRequest) =>
  request.method === 'GET' || request.method === 'HEAD'

/** Decodes and normalizes the path once, so that no spelling of `..` leaves the folder. Undefined: it is not a path. */
const decodePath = (url: string): string | undefined => {
  try {
    const path = normalize(decodeURIComponent(url.split(/[?#]/)[0]!))
      .split(sep)
      .join('/')
    return path.includes('\0') || path.startsWith('..') ? undefined : path
  } catch {
    return undefined
  }
}

const isHidden = (path: string) => /\/\.|\/index\.html$/.test(path)

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/**
 * Browsers obey the policies for documents only, and nobody asks for the id of a request for a file. They would cost half
 * a kilobyte per file.
 */
const pageHeaders = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-frame-options',
  'referrer-policy',
  'x-request-id',
  'x-oneapi-request-id',
]

/** An SVG may be opened as a document. Then it loads nothing and runs no script. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/**
 * Names below `assets` contain a hash of their content, and names below `fonts` a version, so those files may be cached
 * forever. A list shows many marks, which seldom change.
 */
const cacheControlOf = (path: string): string => {
  if (/^\/(assets|fonts)\//.test(path)) return `public, max-age=${yearSeconds}, immutable`
  return `public, max-age=${path.startsWith('/marks/') ? weekSeconds : 3_600}`
}

const sendFile = (reply: FastifyReply, path: string) => {
  reply.header('cache-control', cacheControlOf(path))
  if (/\.(js|css|woff2|svg)$/.test(path)) for (const name of pageHeaders) reply.removeHeader(name)
  if (path.endsWith('.svg')) reply.header('content-security-policy', svgPolicy)
  return reply.sendFile(path.slice(1))
}

const sendPage = async (reply: FastifyReply, root: string) => {
  reply.header('cache-control', 'no-cache')
  if (await isFile(join(root, page))) return reply.sendFile(page)
  return reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)
}
