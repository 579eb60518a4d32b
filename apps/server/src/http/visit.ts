import type { FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { perApp } from '../core/per-app.ts'
import { clientAddress, isLoopback, makeAddressSet } from '../lib/ip.ts'

const trustedBy = perApp(app => makeAddressSet(app.env.trustedProxies))

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

/** The address a request came from. Forwarding headers are believed only when a trusted proxy sent them. */
export const addressOf = (app: App, request: FastifyRequest): string =>
  clientAddress(
    request.socket.remoteAddress ?? '',
    one(request.headers['x-forwarded-for']),
    trustedBy(app),
  )

/** Whether the caller's side of the connection was TLS. Only a trusted proxy can say so: this server speaks plain HTTP. */
export const cameByTls = (app: App, request: FastifyRequest): boolean =>
  trustedBy(app)(request.socket.remoteAddress ?? '') &&
  one(request.headers['x-forwarded-proto'])?.split(',').at(-1)?.trim().toLowerCase() === 'https'

/**
 * Whether the cookie of this request may be Secure. A browser keeps a Secure cookie of `http://localhost` too; the name
 * it was asked by decides that, and nothing but the cookie's name and attribute depends on it.
 */
export const isPrivate = (app: App, request: FastifyRequest): boolean =>
  cameByTls(app, request) ||
  (isLoopback(request.socket.remoteAddress ?? '') &&
    /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
