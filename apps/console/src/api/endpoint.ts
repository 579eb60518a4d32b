import { contract, type Endpoint } from '@hub/contract'

type Resources = Record<string, { endpoints: Record<string, Endpoint> }>

/** Returns the contract's description of a call, with its schemas. Only tables and forms need it. */
export const endpointOf = (call: { resource: string; action: string }): Endpoint => {
  const endpoint = (contract as Resources)[call.resource]?.endpoints[call.action]
  if (!endpoint) throw new TypeError(`${call.resource}.${call.action} is not in the contract`)
  return endpoint
}
