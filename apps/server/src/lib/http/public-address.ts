import { isIP } from 'node:net'
import { makeAddressSet, plainAddress } from '../ip.ts'

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and everything else that is not public. */
const isSpecial4 = makeAddressSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** Public IPv6 is global unicast: this leaves out loopback, mapped, translated (64:ff9b::/96), local and multicast addresses. */
const isGlobal6 = makeAddressSet(['2000::/3'])
/** Tunnels, documentation and benchmarks in it: https://www.iana.org/assignments/iana-ipv6-special-registry */
const isSpecial6 = makeAddressSet([
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

/** Returns whether an IP address is in no special-purpose range. Any other text is not public. */
export const isPublicAddress = (address: string): boolean => {
  const plain = plainAddress(address)
  const family = isIP(plain)
  if (family === 0) return false
  return family === 4 ? !isSpecial4(plain) : isGlobal6(plain) && !isSpecial6(plain)
}
