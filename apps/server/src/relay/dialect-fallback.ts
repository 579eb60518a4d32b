import { type FormatId, needsStorage } from '@hub/dialects'
import type { Channel } from './channels/channel.ts'
import type { CallContext } from './context.ts'
import type { Operation } from './operations/operation.ts'

type Fallback = {
  operation: Operation
  channel: Channel
  missing: FormatId
  /** The dialects that are known to be missing besides. */
  dialects: ReadonlySet<FormatId>
}

/**
 * A third party may lack any dialect but its provider's default one, and a gateway any of them for one model. Nobody else
 * can serve a vendor's stored responses.
 */
export const canFallBack = (
  { parsed: { state }, target, abort }: CallContext,
  { operation, channel: { baseUrl, provider }, missing, dialects }: Fallback,
): boolean =>
  baseUrl !== '' &&
  (provider.missingDialect !== undefined ||
    provider.serves[operation.endpoints]?.[0]?.dialect !== missing) &&
  provider.serves[operation.endpoints]?.some(
    each => each.dialect !== missing && !dialects.has(each.dialect),
  ) === true &&
  target.pathSuffix === undefined &&
  !(state && needsStorage(state)) &&
  abort.reason === undefined
