import { Fault } from '@hub/contract'
import type { FormatId, ParsedRequest } from '@hub/dialects'
import type { Endpoint, Operation, PathContext, Provider } from '@hub/providers'

export type EndpointChoice = { endpoint: Endpoint; mode: 'pass' | 'translate' }

/** The parts of a request that decide between the endpoints of a vendor. */
export type EndpointNeeds = Pick<ParsedRequest, 'hasTools' | 'reasoning' | 'n'>

export type EndpointCriteria = {
  operation: Operation
  /** The caller's. */
  dialect: FormatId
  /** The model's name at the upstream. */
  model: string
  request: EndpointNeeds
  /** The channel's. */
  options?: PathContext['options']
  /** Dialects that this channel's upstream lacks although its provider has them. */
  unsupported?: ReadonlySet<FormatId> | undefined
}

/**
 * Chooses the endpoint of the caller's dialect unless the request needs another, or else the provider's default. A
 * third-party upstream without a dialect serves every model through its fallback endpoint, whichever models the vendor
 * serves there.
 */
export const chooseEndpoint = (
  provider: Provider,
  { operation, dialect, model, request, options = {}, unsupported }: EndpointCriteria,
): EndpointChoice => {
  let own: Endpoint | undefined
  let forTools: Endpoint | undefined
  let defaultEndpoint: Endpoint | undefined
  let fallback: Endpoint | undefined
  for (const endpoint of provider.serves[operation] ?? []) {
    if (unsupported?.has(endpoint.dialect)) continue
    if (endpoint.enabledBy?.(options) === false) continue
    if (endpoint.onlyModels && !endpoint.onlyModels.test(model)) {
      if (unsupported !== undefined) fallback ??= endpoint
      continue
    }
    if (endpoint.dialect === dialect) own ??= endpoint
    // Such an endpoint returns one choice only.
    if (request.n === 1 && endpoint.requiredForTools?.test(model)) forTools ??= endpoint
    defaultEndpoint ??= endpoint
  }
  const preferred = usesToolsOrReasoning(request) ? (forTools ?? own) : (own ?? forTools)
  const endpoint = preferred ?? defaultEndpoint ?? fallback
  if (endpoint) return { endpoint, mode: endpoint.dialect === dialect ? 'pass' : 'translate' }
  throw new Fault('operation.unsupported', { detail: `${provider.id}: ${operation}` })
}

const usesToolsOrReasoning = ({ hasTools, reasoning }: EndpointNeeds): boolean =>
  reasoning === 'on' || (hasTools && reasoning !== 'off')
