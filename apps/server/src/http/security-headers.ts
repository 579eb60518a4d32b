import helmet from '@fastify/helmet'
import { analyticsOrigins, isPublicPage } from '@hub/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '../core/app.ts'
import { isBotCheckEnabled } from '../core/sign-in/bot-check.ts'
import { usedTls } from './client-connection.ts'

const yearSeconds = 31_536_000

/** Sets the security headers of every console and admin API response. */
export const registerSecurityHeaders = async (app: App, scope: FastifyInstance) => {
  await scope.register(helmet, {
    global: true,
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    // These are read by Internet Explorer, Flash and Acrobat only, and would be sent with every file.
    xXssProtection: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xDnsPrefetchControl: false,
  })
  scope.addHook('onRequest', async (request, reply) => {
    if (!isJsonOnly(request.url))
      reply.header('permissions-policy', 'camera=(), geolocation=(), payment=(), usb=()')
    if (usedTls(app, request)) reply.header('strict-transport-security', `max-age=${yearSeconds}`)
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store')
    if (isJsonOnly(request.url)) reply.header('content-security-policy', jsonPolicy)
    else {
      if (isBotCheckEnabled(app)) allowScripts(reply, ['https://challenges.cloudflare.com'])
      // A script could read passwords and keys on any other page.
      if (isPublicPage(request.url.split('?', 1)[0]!))
        allowAnalytics(reply, analyticsOrigins(app.settings().analytics))
    }
  })
}

const allowScripts = (reply: FastifyReply, origins: readonly string[]) => {
  const policy = String(reply.getHeader('content-security-policy'))
  const sources = `script-src 'self' ${origins.join(' ')}`
  reply.header('content-security-policy', policy.replace("script-src 'self'", sources))
}

/** The operator's own choice of hosts; texts between script tags stay forbidden. */
const allowAnalytics = (reply: FastifyReply, origins: readonly string[]) => {
  if (origins.length === 0) return
  const policy = String(reply.getHeader('content-security-policy'))
  const sources = `'self' ${origins.join(' ')}`
  reply.header(
    'content-security-policy',
    policy
      .replace("script-src 'self'", `script-src ${sources}`)
      .replace("connect-src 'self'", `connect-src ${sources}`),
  )
}

/** Nothing may be loaded by or around a response that is data. */
const jsonPolicy = "default-src 'none'; frame-ancestors 'none'"
const isJsonOnly = (url: string) => /^\/api\/(?!docs(\/|$))/.test(url)

/**
 * Content Security Policy. Scripts come only from files of this server. Inline styles are allowed because the component
 * library writes them at run time. Images and frames may come from anywhere: administrators set their URLs, and the
 * console shows the frames in a sandbox.
 */
const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:', 'https:', 'http:'],
  'media-src': ["'self'"],
  'font-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-src': ['https:', 'http:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'object-src': ["'none'"],
}
