import { Fault } from '@hub/contract'
import type { Dialect, DialectId } from '@hub/dialects'
import type { Endpoint, Operation, Provider } from '@hub/providers'

export type Route = { endpoint: Endpoint; mode: 'pass' | 'translate' }
type Asked = {
  operation: Operation
  speaks: DialectId
  model: string
  /** A dialect that this channel's upstream does not speak, whatever its vendor does. */
  lacks?: DialectId | undefined
}

/** What is asked for in these words. */
export const operationOf = ({ embeddings }: Dialect): Operation =>
  embeddings ? 'embeddings' : 'chat'

/** Speak the caller's language if the provider can; otherwise the provider's mother tongue. */
export const plan = (provider: Provider, { operation, speaks, model, lacks }: Asked): Route => {
  let mother: Endpoint | undefined
  let spare: Endpoint | undefined
  for (const endpoint of provider.serves[operation] ?? []) {
    if (endpoint.dialect === lacks) continue
    if (endpoint.only && !endpoint.only.test(model)) {
      // Who lacks a dialect is not the vendor, and says it all in another.
      if (lacks !== undefined) spare ??= endpoint
      continue
    }
    if (endpoint.dialect === speaks) return { endpoint, mode: 'pass' }
    mother ??= endpoint
  }
  mother ??= spare
  if (mother) return { endpoint: mother, mode: mother.dialect === speaks ? 'pass' : 'translate' }
  throw new Fault('operation.unsupported', { detail: `${provider.id}: ${operation}` })
}
