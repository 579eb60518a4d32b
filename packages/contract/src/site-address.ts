/** `loopback`: the address leads to the reader's own machine, so that a link in an e-mail reaches nobody else. */
type AddressState = 'unset' | 'loopback' | 'public'

/** An address of a local network is `public`: its people reach it. */
export const addressStateOf = (address: string): AddressState => {
  const url = URL.parse(address)
  if (!url) return 'unset'
  return isLoopback(url.hostname) ? 'loopback' : 'public'
}

/** Host names that RFC 6761 and RFC 1122 bind to the own machine; a URL writes every form of IPv4 as four numbers. */
const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost\.?$/.test(hostname) ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname) ||
  ['0.0.0.0', '[::]', '[::1]'].includes(hostname) ||
  /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(hostname)
