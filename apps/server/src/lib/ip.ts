import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** Tells whether an address is in a list of addresses and ranges. `makeAddressSet` throws for an invalid range. */
export type AddressSet = (address: string) => boolean

export const isRange = (text: string): boolean => {
  const [address = '', bits, ...extra] = text.split('/')
  if (extra.length > 0 || isIP(address) === 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128))
  )
}

export const makeAddressSet = (ranges: readonly string[]): AddressSet => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}

const isPlainIPv4 = /^[\d.]+$/

/** `::ffff:1.2.3.4` and `fe80::1%eth0` become `1.2.3.4` and `fe80::1`: limits and logs need one spelling per address. */
export const plainAddress = (address: string): string => {
  if (isPlainIPv4.test(address)) return address
  const bare = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  return mapped ? mapped[1]! : bare
}

/**
 * The unit that limits per address count: an IPv4 address, or the /64 of an IPv6 address, since one customer of a
 * provider owns all addresses of a /64 (RFC 6177).
 */
export const addressUnit = (address: string): string => {
  if (!isIPv6(address)) return address
  const [before = '', after] = address.split('::')
  const [left, right] = [before, after ?? ''].map(part => (part ? part.split(':') : []))
  const width = (groups: string[]) => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0)
  const zeros = after === undefined ? 0 : 8 - width(left!) - width(right!)
  const groups = [...left!, ...Array(zeros).fill('0'), ...right!].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Networks whose addresses do not identify a caller on the internet. */
export const privateRanges = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '127.0.0.0/8'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]

export const isLoopback = makeAddressSet(['127.0.0.0/8', '::1'])

/**
 * The address of the caller: the peer itself, unless the peer is a trusted proxy. Then the last untrusted address of
 * the forwarding header. An invalid address ends the search, so that a header cannot inject text into a log.
 */
export const clientAddress = (
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: AddressSet,
): string => {
  let address = plainAddress(peer)
  if (forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').reverse()
  for (const hop of hops) {
    if (!isTrusted(address)) return address
    const next = plainAddress(hop.trim())
    if (isIP(next) === 0) return address
    address = next
  }
  return address
}
