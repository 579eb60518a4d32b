import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@hub/contract'

/** What a caller showed: a key, and a channel an administrator wishes or refuses. */
export type Credential = {
  key: string
  pin: { only?: number; except?: number } | undefined
}

/** Longer than any key: what is longer is not looked for. */
const lengthMax = 512

/** Any credential header on any route. More than one is fine as long as they agree. */
export const readCredential = (headers: IncomingHttpHeaders, query: string): Credential => {
  const text =
    bearerOf(headers.authorization) ??
    single(headers['x-api-key']) ??
    single(headers['x-goog-api-key']) ??
    queryKey(query)
  if (text === undefined || text === '' || text.length > lengthMax)
    throw new Fault('caller.unknown')
  const mark = text.indexOf('#')
  const key = mark === -1 ? text : text.slice(0, mark)
  return { key, pin: mark === -1 ? undefined : readPin(text, mark + 1) }
}

const bearerOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  const isBearer = header.slice(0, 7).toLowerCase() === 'bearer '
  return (isBearer ? header.slice(7) : header).trim()
}

const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.trim() : undefined

const queryKey = (query: string): string | undefined =>
  query.includes('key=') ? (new URLSearchParams(query).get('key') ?? undefined) : undefined

/** `#id` this channel only, `#!id` any but this one; `#id#ignore` concerns other routes than these. */
const readPin = (text: string, from: number): Credential['pin'] => {
  const suffix = text.slice(from)
  if (suffix.endsWith('#ignore')) return undefined
  const isRefusal = suffix.startsWith('!')
  const id = Number(isRefusal ? suffix.slice(1) : suffix)
  if (!Number.isSafeInteger(id) || id < 1)
    throw new Fault('request.invalid', { hint: 'The channel after # must be a number.' })
  return isRefusal ? { except: id } : { only: id }
}
