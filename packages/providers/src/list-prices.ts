import type { Provider } from './define.ts'

/**
 * Says whether the vendor's published prices hold at the address of a channel; empty means that of the provider. Elsewhere
 * somebody else sells the vendor's models.
 */
export const hasListPrices = (
  { baseUrl, listPriceHosts }: Pick<Provider, 'baseUrl' | 'listPriceHosts'>,
  address: string,
): boolean => {
  if (address === '') return baseUrl !== ''
  const host = hostOf(address)
  if (host === undefined) return false
  return host === hostOf(baseUrl) || listPriceHosts?.test(host) === true
}

const hostOf = (address: string): string | undefined => URL.parse(address)?.host
