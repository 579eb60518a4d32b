import type { Access, Endpoint, Endpoints, Resource, Role } from '@hub/contract'
import type { z } from 'zod'
import type { App } from './app.ts'

/** The signed-in user, read from the database for each request, so that a demotion or a ban has effect at once. */
export type SignedInUser = {
  userId: number
  username: string
  role: Role
  group: string
  ip: string
  requestId: string
}

/** The origin of an HTTP request, and the session operations that need its cookie. */
export type HttpContext = {
  ip: string
  requestId: string
  userAgent: string
  /** True when the client used TLS or connected to localhost, as browsers define a secure context. */
  isSecureContext: boolean
  /** The id of the caller's browser if it signed in to this account before. */
  knownBrowser(userId: number | undefined): string | undefined
  /** Starts a session under a new id and ends the current one. The browser is known to the account from then on. */
  startSession(userId: number): Promise<void>
  endSession(): Promise<void>
}

type CallerOf<A extends Access> = A extends 'public'
  ? null
  : A extends 'optional'
    ? SignedInUser | null
    : SignedInUser

type Handler<E extends Endpoint> = (
  app: App,
  caller: CallerOf<E['access']>,
  input: z.output<E['input']>,
  visit: HttpContext,
) => Promise<z.input<E['reply']>> | z.input<E['reply']>

export type Handlers<E extends Endpoints> = { [K in keyof E]: Handler<E[K]> }

/** A resource of the contract with its handlers. `http/` validates inputs and replies by the contract's schemas. */
export type Feature = {
  resource: Resource
  handlers: Record<
    string,
    (app: App, caller: SignedInUser | null, input: unknown, visit: HttpContext) => unknown
  >
}

/** Binds handlers to a resource. It does not compile when an endpoint is missing, unknown, or replies in another shape. */
export const implement = <E extends Endpoints>(
  resource: Resource<E>,
  handlers: Handlers<E>,
): Feature => ({ resource, handlers: handlers as Feature['handlers'] })
