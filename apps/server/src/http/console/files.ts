import { stat } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { Fault } from '@hub/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const notBuilt =
  'The console is not built yet. Run `npm run build` once, or start with `npm start`, which does it.\n'
const page = 'index.html'
const yearSeconds = 31_536_000

/**
 * Serves the built console: its files, and its page for every path that is neither a file nor an API route. The build
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
  })
  scope.setNotFoundHandler(async (request, reply) => {
    if (isApi(request.url) || !isGetOrHead(request)) throw new Fault('route.unknown')
    const path = decodePath(request.url)
    if (!isHidden(path) && (await isFile(join(root, path)))) return sendFile(reply, path)
    if (path.startsWith('/assets/')) throw new Fault('route.unknown')
    return sendPage(reply, root)
  })
}

const isApi = (url: string) => /^\/(api|v1|v1beta|metrics)(?![\w-])/.test(url)
const isGetOrHead = (request: FastifyRequest) =>
  request.method === 'GET' || request.method === 'HEAD'

/** Decodes and normalizes the path once, so that no spelling of `..` leaves the folder. */
const decodePath = (url: string): string => {
  try {
    const path = normalize(decodeURIComponent(url.split(/[?#]/)[0]!))
      .split(sep)
      .join('/')
    return path.includes('\0') || path.startsWith('..') ? '/' : path
  } catch {
    return '/'
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

/** Browsers obey these for documents only. On scripts and styles they would cost half a kilobyte per file. */
const pageHeaders = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-frame-options',
]

/** Names below `assets` contain a hash of their content, so those files may be cached forever. */
const sendFile = (reply: FastifyReply, path: string) => {
  const isHashed = path.startsWith('/assets/')
  reply.header(
    'cache-control',
    isHashed ? `public, max-age=${yearSeconds}, immutable` : 'public, max-age=3600',
  )
  if (/\.(js|css)$/.test(path)) for (const name of pageHeaders) reply.removeHeader(name)
  return reply.sendFile(path.slice(1))
}

const sendPage = async (reply: FastifyReply, root: string) => {
  reply.header('cache-control', 'no-cache')
  if (await isFile(join(root, page))) return reply.sendFile(page)
  return reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)
}
