import { Fault } from '@hub/contract'
import type { DialectId } from '@hub/dialects'
import type { Endpoint, Operation, Provider } from '@hub/providers'

export type EndpointChoice = { endpoint: Endpoint; mode: 'pass' | 'translate' }

export type EndpointCriteria = {
  operation: Operation
  /** The caller's. */
  dialect: DialectId
  /** The model's name at the upstream. */
  model: string
  /** A dialect that this channel's upstream lacks although its vendor has it. */
  unsupportedDialect?: DialectId | undefined
}

/**
 * Chooses the endpoint of the caller's dialect, or else the provider's default. A third-party upstream without a dialect
 * serves every model through its fallback endpoint, whichever models the vendor serves there.
 */
export const chooseEndpoint = (
  provider: Provider,
  { operation, dialect, model, unsupportedDialect }: EndpointCriteria,
): EndpointChoice => {
  let defaultEndpoint: Endpoint | undefined
  let fallback: Endpoint | undefined
  for (const endpoint of provider.serves[operation] ?? []) {
    if (endpoint.dialect === unsupportedDialect) continue
    if (endpoint.onlyModels && !endpoint.onlyModels.test(model)) {
      if (unsupportedDialect !== undefined) fallback ??= endpoint
      continue
    }
    if (endpoint.dialect === dialect) return { endpoint, mode: 'pass' }
    defaultEndpoint ??= endpoint
  }
  const endpoint = defaultEndpoint ?? fallback
  if (endpoint) return { endpoint, mode: endpoint.dialect === dialect ? 'pass' : 'translate' }
  throw new Fault('operation.unsupported', { detail: `${provider.id}: ${operation}` })
}
