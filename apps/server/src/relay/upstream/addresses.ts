import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Fault } from '@hub/contract'
import { makeAddressSet } from '../../lib/ip.ts'

// IANA special-purpose registries: everything that is not a public unicast address.
const isSpecial = makeAddressSet([
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
/** Public IPv6 is global unicast without tunnel, mapping and documentation prefixes. */
const isGlobal6 = makeAddressSet(['2000::/3'])
const isSpecial6 = makeAddressSet([
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
])

export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address.replace(/%.*$/, ''))
  if (family === 0) return false
  if (isMapped(address) || family === 4) return !isSpecial(address)
  return isGlobal6(address) && !isSpecial6(address)
}

const isMapped = (address: string) => /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)

/** Refuses a private IP address as a host name, which never reaches the DNS lookup. Throws `address.forbidden`. */
export const checkHost = (hostname: string): void => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !isPublicAddress(bare)) throw new Fault('address.forbidden')
}

/** Resolves a host name to a public address. Throws `address.forbidden`. */
export const resolvePublic = async (hostname: string): Promise<string> =>
  new Promise((resolve, reject) => {
    publicLookup(hostname, {}, (error, address) =>
      error ? reject(error) : resolve(String(address)),
    )
  })

/** A DNS lookup that yields public addresses only. There is no second lookup that could answer otherwise. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const open = addresses.filter(each => isPublicAddress(each.address))
    const first = open[0]
    if (!first) return done(new Fault('address.forbidden'), '', 0)
    if (options.all) return done(null, open)
    done(null, first.address, first.family)
  })
}
