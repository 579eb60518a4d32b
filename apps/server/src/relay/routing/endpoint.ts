import { Fault } from '@hub/contract'
import type { FormatId, ParsedRequest } from '@hub/dialects'
import type { Endpoint, Operation, PathContext, Provider } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'

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
  /** A dialect that this channel's upstream lacks although its vendor has it. */
  unsupportedDialect?: FormatId | undefined
}

/**
 * Chooses the endpoint of the caller's dialect unless the request needs another, or else the provider's default. A
 * third-party upstream without a dialect serves every model through its fallback endpoint, whichever models the vendor
 * serves there.
 */
export const chooseEndpoint = (
  provider: Provider,
  { operation, dialect, model, request, options = {}, unsupportedDialect }: EndpointCriteria,
): EndpointChoice => {
  let own: Endpoint | undefined
  let forTools: Endpoint | undefined
  let defaultEndpoint: Endpoint | undefined
  let fallback: Endpoint | undefined
  for (const endpoint of provider.serves[operation] ?? []) {
    if (endpoint.dialect === unsupportedDialect) continue
    if (endpoint.enabledBy?.(options) === false) continue
    if (endpoint.onlyModels && !endpoint.onlyModels.test(model)) {
      if (unsupportedDialect !== undefined) fallback ??= endpoint
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

type MissingDialect = {
  dialect: FormatId
  /** Milliseconds since 1970. */
  until: number
}

/** An edited channel is another object, so that its entry is forgotten. */
const missingDialects = appScoped(() => new WeakMap<Channel, MissingDialect>())

/** After this time the upstream is asked again, because it may have learnt the dialect. */
const rememberMs = 3_600_000

/** Remembers that a channel's upstream has no address for a dialect that its provider has. */
export const rememberMissingDialect = (app: App, channel: Channel, dialect: FormatId): void => {
  missingDialects(app).set(channel, { dialect, until: app.now() + rememberMs })
}

/** The dialect that a channel's upstream lacks, by its settings or by its own refusal. */
export const unsupportedDialectOf = (app: App, channel: Channel): FormatId | undefined => {
  if (channel.unsupportedDialect !== undefined) return channel.unsupportedDialect
  const missing = missingDialects(app).get(channel)
  return missing && missing.until > app.now() ? missing.dialect : undefined
}
