import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { App } from '../core/app.ts'
import { cameByTls } from './visit.ts'

const yearSeconds = 31_536_000

/** What every answer of the console and its API says to a browser. */
export const registerHeaders = async (app: App, scope: FastifyInstance) => {
  await scope.register(helmet, {
    global: true,
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  })
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('permissions-policy', 'camera=(), geolocation=(), payment=(), usb=()')
    if (cameByTls(app, request)) reply.header('strict-transport-security', `max-age=${yearSeconds}`)
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
  })
}

/**
 * Scripts only from files of this server: none inline, none built from text. Styles also inline, since the console's
 * component library writes them at run time. Pictures from anywhere, since logos and icons are addresses that
 * administrators set; frames for the pages they point to, which the console shows in a sandbox.
 */
const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-src': ['https:', 'http:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'object-src': ["'none'"],
}
