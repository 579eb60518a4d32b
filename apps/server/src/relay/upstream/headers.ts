/**
 * Which of the caller's headers go to an upstream of the same dialect: all but those that say who the caller is, where
 * the request goes, how this one connection works, or what a browser or proxy added.
 */
const kept = new Set([
  // Credentials and accounts: the channel's own are set instead.
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
  // What proxies and browsers say of the caller.
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
  // Answered here.
  'idempotency-key',
  'x-request-id',
  'x-oneapi-request-id',
])
const keptPrefixes = ['x-forwarded-', 'sec-', 'cf-', 'proxy-', 'x-envoy-', 'access-control-']

/** Name and value in turn, as undici takes them. */
export const forwardedHeaders = (rawHeaders: readonly string[]): string[] => {
  const headers: string[] = []
  const named = namedByConnection(rawHeaders)
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (kept.has(name) || named?.has(name)) continue
    if (keptPrefixes.some(prefix => name.startsWith(prefix))) continue
    headers.push(name, rawHeaders[at + 1]!)
  }
  return headers
}

/** A header that `Connection` names ends here. */
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

/** Adds to the list. Later ones win: a header that is set twice is sent once, with the last value. */
export const setHeaders = (headers: string[], more: Readonly<Record<string, string>>): string[] => {
  for (const each in more) {
    const name = each.toLowerCase()
    for (let at = headers.length - 2; at >= 0; at -= 2)
      if (headers[at] === name) headers.splice(at, 2)
    headers.push(name, more[each]!)
  }
  return headers
}
