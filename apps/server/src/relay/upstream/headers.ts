import type { Provider } from '@hub/providers'

/**
 * Headers of the caller that are not forwarded to an upstream of the same dialect: they identify the caller, address the
 * request, belong to one connection, or were added by a browser or proxy.
 */
const notForwarded = new Set([
  // Credentials and accounts, which the channel's own replace.
  'authorization',
  'proxy-authorization',
  'proxy-authenticate',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'mj-api-secret',
  'x-auth-token',
  'x-amz-security-token',
  'openai-organization',
  'openai-project',
  'cookie',
  'cookie2',
  'set-cookie',
  // This connection, this host, this body.
  'host',
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'content-length',
  'content-encoding',
  'content-type',
  'accept-encoding',
  'accept',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'max-forwards',
  // Added by proxies and browsers.
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'origin',
  'referer',
  'date',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  // Handled by the gateway.
  'idempotency-key',
  'x-request-id',
  'x-oneapi-request-id',
])
const notForwardedPrefixes = [
  'x-forwarded-',
  'sec-',
  'cf-',
  'proxy-',
  'x-envoy-',
  'access-control-',
]

/** The caller's headers that are forwarded: name and value in turn, as undici takes them. */
export const forwardedHeaders = (rawHeaders: readonly string[]): string[] => {
  const headers: string[] = []
  const named = namedByConnection(rawHeaders)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (notForwarded.has(name) || named?.has(name)) continue
    if (notForwardedPrefixes.some(prefix => name.startsWith(prefix))) continue
    headers.push(name, rawHeaders[at + 1]!)
  }
  return headers
}

/** Headers named by `Connection`, which end here: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const namedByConnection = (rawHeaders: readonly string[]): Set<string> | undefined => {
  let named: Set<string> | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue
    const value = rawHeaders[at + 1]!.toLowerCase()
    if (value === 'keep-alive' || value === 'close') continue
    named ??= new Set()
    for (const token of value.split(',')) named.add(token.trim())
  }
  return named
}

/** Sets headers in the list and returns it. A header that is set twice is sent once, with the last value. */
export const setHeaders = (headers: string[], more: Readonly<Record<string, string>>): string[] => {
  for (const each in more) {
    const name = each.toLowerCase()
    for (let at = headers.length - 2; at >= 0; at -= 2)
      if (headers[at] === name) headers.splice(at, 2)
    headers.push(name, more[each]!)
  }
  return headers
}

/** Adds the provider's headers that the request does not have yet. */
export const addProviderHeaders = (headers: string[], { headers: defaults }: Provider): void => {
  for (const name in defaults) if (!headers.includes(name)) headers.push(name, defaults[name]!)
}
