import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Waits for one name server, doubled for its second try. */
const tryMs = 2_000

/**
 * Looks a host name up once, A and AAAA. Asks name servers only: a hosts file and search domains hold internal names, and
 * the system's own lookup blocks a thread. Returns an empty list for an unknown name.
 */
export const resolveHost = async (
  hostname: string,
  nameServers: readonly string[],
  signal: AbortSignal,
): Promise<string[]> => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return [bare]
  const resolver = new Resolver({ timeout: tryMs, tries: 2 })
  if (nameServers.length > 0) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  const none = (): string[] => []
  const found = await Promise.all([
    resolver.resolve4(bare).catch(none),
    resolver.resolve6(bare).catch(none),
  ])
  signal.removeEventListener('abort', cancel)
  return found.flat()
}
