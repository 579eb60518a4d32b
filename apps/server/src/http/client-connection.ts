import type { FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { appScoped } from '../core/app-scoped.ts'
import { clientAddress, isLoopback, makeAddressSet } from '../lib/ip.ts'

const isTrustedProxy = appScoped(app => makeAddressSet(app.env.trustedProxies))

const joinHeader = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

/** Returns the client address of a request. Forwarding headers count only when a trusted proxy sent them. */
export const requestAddress = (app: App, request: FastifyRequest): string =>
  clientAddress(
    request.socket.remoteAddress ?? '',
    joinHeader(request.headers['x-forwarded-for']),
    isTrustedProxy(app),
  )

/** True when the client connected over TLS. Only a trusted proxy can report this: the server itself listens on plain HTTP. */
export const usedTls = (app: App, request: FastifyRequest): boolean =>
  isTrustedProxy(app)(request.socket.remoteAddress ?? '') &&
  joinHeader(request.headers['x-forwarded-proto'])?.split(',').at(-1)?.trim().toLowerCase() ===
    'https'

/**
 * True when the session cookie can be `Secure`: over TLS, or on `http://localhost` from this machine, where browsers
 * accept it. A forged Host header is harmless, because only the name and attributes of the cookie depend on it.
 */
export const isSecureContext = (app: App, request: FastifyRequest): boolean =>
  usedTls(app, request) ||
  (isLoopback(request.socket.remoteAddress ?? '') &&
    /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
