import compress from '@fastify/compress'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../core/app.ts'
import { usedTls } from '../client-connection.ts'

/** Below this size the compressed response takes as many network packets as the plain one. */
const bytesMin = 1024

/** Compresses the JSON of the admin API. Request bodies stay packed, and the relay's scope is not affected. */
export const registerCompression = async (app: App, scope: FastifyInstance) => {
  scope.addHook('onRequest', async request => {
    if (request.url.startsWith('/api') && !isSafeToCompress(app, request))
      delete request.headers['accept-encoding']
  })
  await scope.register(compress, {
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    customTypes: /^application\/json\b/,
    threshold: bytesMin,
  })
}

/**
 * The size of a compressed response over TLS may reveal a secret in it to another site that chooses part of the request
 * (BREACH). Browsers name the requesting site on every request over TLS.
 */
const isSafeToCompress = (app: App, request: FastifyRequest): boolean => {
  const site = request.headers['sec-fetch-site']
  return site === 'same-origin' || (site === undefined && !usedTls(app, request))
}
