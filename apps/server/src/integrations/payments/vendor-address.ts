import { isIP } from 'node:net'
import { z } from 'zod'

/** The address of a vendor's server, without a path at the end and without credentials. */
export const VendorAddress = z
  .url({ protocol: /^https?$/ })
  .max(300)
  .refine(text => {
    const url = URL.parse(text)
    return url !== null && url.username === '' && url.password === '' && url.search === ''
  }, 'must be an address without a user name or a query')
  .transform(text => text.replace(/\/+$/, ''))

/**
 * True if nobody on the way can change an answer: it travels over TLS, or within the operator's own network. Answers
 * without a signature are believed only then.
 */
export const isPrivateConnection = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:') return true
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0) return host === 'localhost' || !host.includes('.')
  return /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^::1$|^f[cd]/i.test(host)
}
