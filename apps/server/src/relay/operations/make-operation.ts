import type { CallerFormat } from '@hub/dialects'
import type { Operation as ProviderOperation } from '@hub/providers'
import { pinToObjects } from '../references/resolve-objects.ts'
import { unreadableFault } from '../request/unreadable.ts'
import { channelsFor, resolveAny } from '../routing/channel-index.ts'
import { translateOperation } from '../translate/operations/operation.ts'
import type { Translation, TranslationInput } from '../translate/translation.ts'
import { type Operation, reserveUsage, splitModelArgument } from './operation.ts'

/** An operation without stored state: any channel of the model may serve each call. */
export const makeOperation = (
  endpoints: ProviderOperation,
  translate: (input: TranslationInput) => Translation,
): Operation => ({
  endpoints,
  read: ({ dialect, pathParams }, body) => {
    const result = dialect.read(body, pathParams)
    if (!result.ok) throw unreadableFault(result)
    return splitModelArgument(result.parsed)
  },
  resolveTarget: (app, context, parsed) => {
    const resolved = resolveAny(parsed, channelsFor(app, context, parsed.model))
    return resolved instanceof Promise
      ? resolved.then(each => pinToObjects(app, context, each))
      : pinToObjects(app, context, resolved)
  },
  reservation: reserveUsage,
  canPassThrough: () => true,
  translate: (_app, input) => translate(input),
})

/** An operation whose translations read and write one form, that of `canonical`. */
export const makeFormatOperation = (
  endpoints: ProviderOperation,
  canonical: CallerFormat,
): Operation => makeOperation(endpoints, input => translateOperation(canonical, input))
