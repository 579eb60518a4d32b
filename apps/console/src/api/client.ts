import type { Contract, Endpoint } from '@hub/contract'
import type { z } from 'zod'
import { endpoints, type Route } from './endpoints.ts'
import { apiError } from './error.ts'
import { handleEndedSession, handleNeededProof, sessionNumber } from './session.ts'

type Input<E extends Endpoint> = z.input<E['input']>
type Output<E extends Endpoint> = z.output<E['response']>

/** An endpoint as a function with its resource and action names, which queries and tables use as keys. */
export type Call<E extends Endpoint = Endpoint> = ((
  ...args: Record<never, never> extends Input<E>
    ? [input?: Input<E>, signal?: AbortSignal]
    : [input: Input<E>, signal?: AbortSignal]
) => Promise<Output<E>>) & {
  resource: string
  action: string
  /** Carries the type of the endpoint and has no value. */
  endpointType?: E
}

export type Api = {
  [R in keyof Contract]: {
    [A in keyof Contract[R]['endpoints']]: Contract[R]['endpoints'][A] extends Endpoint
      ? Call<Contract[R]['endpoints'][A]>
      : never
  }
}

/** Sends a call. A 401 may wait until the user has signed in again; the call is then sent once more. */
const send = async (route: Route, input: object, signal?: AbortSignal): Promise<unknown> => {
  const { path, body } = splitInput(route, input)
  const number = sessionNumber()
  const early = route.method === 'GET' ? takeEarly(path) : undefined
  const response = await (
    early ??
    fetch(path, {
      method: route.method,
      headers: {
        // E-mails come in the language of the console.
        'accept-language': document.documentElement.lang || navigator.language,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ?? null,
      credentials: 'same-origin',
      signal: signal ?? null,
    })
  ).catch(cause => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw apiError(0)
  })
  // The body is read before anything waits: an unread one keeps its connection busy.
  const read: unknown = await response.json().catch(() => undefined)
  if (response.status === 401 && (await handleEndedSession(number))) {
    signal?.throwIfAborted()
    return send(route, input, signal)
  }
  if (needsProof(response, read) && (await handleNeededProof())) {
    signal?.throwIfAborted()
    return send(route, input, signal)
  }
  return unwrap(route, response, read)
}

const needsProof = (response: Response, body: unknown): boolean =>
  response.status === 403 && (body as Envelope | undefined)?.code === 'access.proof_needed'

type Early = { earlyResponses?: Record<string, Promise<Response>> }

/** Returns the response of a call that `public/early.js` made, once. */
const takeEarly = (path: string): Promise<Response> | undefined => {
  const { earlyResponses = {} } = globalThis as Early
  const response = earlyResponses[path]
  delete earlyResponses[path]
  return response
}

type Envelope = { success?: boolean; data?: unknown; code?: unknown; message?: unknown }

/** Removes the response envelope `{ success, message, data }`, or throws an `ApiError`. */
const unwrap = (route: Route, response: Response, body: unknown): unknown => {
  const envelope = (body ?? {}) as Envelope
  if (response.ok && route.envelope === false) return body
  if (response.ok && envelope.success) return envelope.data ?? undefined
  const status = response.ok ? 500 : response.status
  throw apiError(status, envelope, response.headers.get('x-oneapi-request-id') ?? '')
}

/** Fills in path parameters. The rest is the query of a GET, and the body of a write except for its query parameters. */
export const splitInput = (route: Route, input: object) => {
  const unsent: Record<string, unknown> = { ...input }
  const path = route.path.replace(/[:*](\w+)/g, (_, key: string) => {
    const value = unsent[key]
    delete unsent[key]
    return encodeURIComponent(String(value))
  })
  const entries = Object.entries(unsent).filter(([, value]) => value !== undefined)
  const isInQuery = ([key]: [string, unknown]) =>
    route.method === 'GET' || route.query?.includes(key) === true
  const texts = entries.filter(isInQuery).map(([key, value]) => [key, String(value)])
  const query = new URLSearchParams(texts).toString()
  const fields = entries.filter(entry => !isInQuery(entry))
  const hasBody = route.method === 'POST' || route.method === 'PUT' || fields.length > 0
  return {
    path: query ? `${path}?${query}` : path,
    body:
      hasBody && route.method !== 'GET' ? JSON.stringify(Object.fromEntries(fields)) : undefined,
  }
}

const makeCall = (resource: string, action: string, route: Route) =>
  Object.assign((input: object = {}, signal?: AbortSignal) => send(route, input, signal), {
    resource,
    action,
  })

/** All endpoints of the contract as functions: `api.tokens.list({ page: 1 })`. */
export const api = Object.fromEntries(
  Object.entries(endpoints).map(([resource, routes]) => [
    resource,
    Object.fromEntries(
      Object.entries(routes).map(([action, route]) => [action, makeCall(resource, action, route)]),
    ),
  ]),
) as unknown as Api
