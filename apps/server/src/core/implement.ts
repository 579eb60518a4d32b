import type { Access, Endpoint, Endpoints, Resource, Role } from '@hub/contract'
import type { z } from 'zod'
import type { App } from './app.ts'

/** Who asks: read from the database for this very request, so that a demotion or a ban counts at once. */
export type SignedIn = {
  userId: number
  username: string
  role: Role
  group: string
  ip: string
  requestId: string
}

/** Where a request came from, and the two things only a door can do: give a session and take it. */
export type Visit = {
  ip: string
  requestId: string
  userAgent: string
  /** Encrypted on its way here, or to this very machine. */
  isPrivate: boolean
  /** A new session under a new id; the one before it ends. */
  startSession(userId: number): Promise<void>
  endSession(): Promise<void>
}

type CallerOf<A extends Access> = A extends 'public'
  ? null
  : A extends 'optional'
    ? SignedIn | null
    : SignedIn

type Handler<E extends Endpoint> = (
  app: App,
  caller: CallerOf<E['access']>,
  input: z.output<E['input']>,
  visit: Visit,
) => Promise<z.input<E['reply']>> | z.input<E['reply']>

export type Handlers<E extends Endpoints> = { [K in keyof E]: Handler<E[K]> }

/** A resource with its behaviour, as the door sees it: what goes in and out is checked by the contract's schemas. */
export type Feature = {
  resource: Resource
  handlers: Record<
    string,
    (app: App, caller: SignedIn | null, input: unknown, visit: Visit) => unknown
  >
}

/** Does not compile where an endpoint is missing, is not of the contract, or answers in another shape. */
export const implement = <E extends Endpoints>(
  resource: Resource<E>,
  handlers: Handlers<E>,
): Feature => ({ resource, handlers: handlers as Feature['handlers'] })
