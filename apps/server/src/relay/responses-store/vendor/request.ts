import { appendToPath, type Endpoint } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { Channel } from '../../channels/channel.ts'
import { addProviderHeaders, forwardedHeaders, setHeaders } from '../../upstream/headers.ts'
import type { Outgoing } from '../../upstream/send.ts'
import { signRequest } from '../../upstream/sign.ts'

/** An account that stores responses, and the endpoint that serves them. */
export type StorageAccount = { channel: Channel; credential: string; endpoint: Endpoint }

export type StoredResponseRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Appended to the endpoint's path. */
  pathSuffix: string
  query: string
  /** The caller's headers as they came. */
  rawHeaders: readonly string[]
}

/** The query parameters that the vendor documents. No other is forwarded, above all no key. */
const forwardedParams = new Set([
  'include',
  'include[]',
  'stream',
  'starting_after',
  'include_obfuscation',
  'limit',
  'order',
  'after',
  'before',
])

/** Builds a request for a response that the account stores. */
export const storedResponseRequest = (
  app: App,
  { channel, credential, endpoint }: StorageAccount,
  { method, pathSuffix, query, rawHeaders }: StoredResponseRequest,
): Outgoing => {
  const headers = setHeaders(forwardedHeaders(rawHeaders), {
    accept: '*/*',
    'accept-encoding': 'identity',
  })
  addProviderHeaders(headers, channel.provider)
  const path = appendToPath(endpoint.path, pathSuffix)
  const outgoing = signRequest(
    app,
    { channel, credential, path, model: '', stream: false },
    { method, headers: setHeaders(headers, channel.headers), body: null },
  )
  const params = forwardedQuery(query)
  if (params !== '') outgoing.path += `${outgoing.path.includes('?') ? '&' : '?'}${params}`
  return outgoing
}

const forwardedQuery = (query: string): string =>
  query === ''
    ? ''
    : new URLSearchParams(
        [...new URLSearchParams(query)].filter(([name]) => forwardedParams.has(name)),
      ).toString()
