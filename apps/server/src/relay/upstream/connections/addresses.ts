import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Fault } from '@hub/contract'
import { isPublicAddress } from '../../../lib/http/public-address.ts'

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
