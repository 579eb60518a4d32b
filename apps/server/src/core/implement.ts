import type { Access, Endpoint, Endpoints, Resource, Role } from '@hub/contract'
import type { z } from 'zod'
import type { App } from './app.ts'
import type { EmailLanguage } from './define-job.ts'

/** The signed-in user, read from the database for each request, so that a demotion or a ban has effect at once. */
export type SignedInUser = {
  userId: number
  username: string
  role: Role
  group: string
  ip: string
  requestId: string
  /** The time of the last fresh proof in this session, in seconds; 0: none. Null: the caller has no session. */
  provedAt: number | null
}

/** The origin of an HTTP request, and the session operations that need its cookie. */
export type HttpContext = {
  ip: string
  requestId: string
  /** The name of the endpoint, such as `profile.update`. */
  action: string
  userAgent: string
  /** The first language of the browser that e-mails exist in, or the site's. */
  language: EmailLanguage
  /** True when the client used TLS or connected to localhost, as browsers define a secure context. */
  isSecureContext: boolean
  /** The id of the caller's browser if it signed in to this account before. */
  knownBrowser(userId: number | undefined): string | undefined
  /** Starts a session under a new id and ends the current one. The browser is known to the account from then on. */
  startSession(userId: number): Promise<void>
  endSession(): Promise<void>
  /** Names the session of the request. Empty: it has none, as with an access token. */
  sessionHash(): string
  /** Identifies this browser for ten minutes by a cookie, while it is at a third party. */
  markBrowser(): string
  /** The hash of what `markBrowser` set; undefined without it. */
  markedBrowser(): string | undefined
  /** Seconds; undefined without a session. */
  signedInAt(): Promise<number | undefined>
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
) => HandlerResponse<E>

/** An endpoint whose response is a stream of events returns them one after the other. */
type HandlerResponse<E extends Endpoint> = E extends { events: true }
  ? AsyncIterable<z.input<E['response']>>
  : Promise<z.input<E['response']>> | z.input<E['response']>

export type Handlers<E extends Endpoints> = { [K in keyof E]: Handler<E[K]> }

/** Rows as administrators see them, by a name that the audit log shows. They contain no secret. */
export type AuditedRows = Record<string, object>

/** A write whose rows are compared. `ids` are those of the input, and after the write those of created rows too. */
export type AuditedWrite = {
  action: string
  input: Record<string, unknown>
  ids: readonly number[]
  context: HttpContext
}

/** Reads the rows that an audited write changes. Runs before and after it. */
export type ReadAuditedRows = (
  app: App,
  caller: SignedInUser | null,
  write: AuditedWrite,
) => Promise<AuditedRows>

/** A resource of the contract with its handlers. `http/` validates inputs and responses by the contract's schemas. */
export type Feature = {
  resource: Resource
  handlers: Record<
    string,
    (app: App, caller: SignedInUser | null, input: unknown, visit: HttpContext) => unknown
  >
  /** Absent: the rows of an audited write are read by the endpoint `get`. */
  auditedRows?: ReadAuditedRows
}

/** Binds handlers to a resource. It does not compile when an endpoint is missing, unknown, or answers in another shape. */
export const implement = <E extends Endpoints>(
  resource: Resource<E>,
  handlers: Handlers<E>,
  auditedRows?: ReadAuditedRows,
): Feature => ({
  resource,
  handlers: handlers as Feature['handlers'],
  ...(auditedRows && { auditedRows }),
})
