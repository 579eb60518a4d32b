import { unreadableFault } from '../request/unreadable.ts'
import { candidatesFor, resolveAny } from '../routing/channel-index.ts'
import { translateEmbeddings } from '../translate/embeddings.ts'
import { splitModelArgument } from './model-argument.ts'
import { type Operation, reserveTokens } from './operation.ts'

export const embeddings: Operation = {
  endpoints: 'embeddings',
  read: ({ dialect, pathParams }, body) => {
    const result = dialect.read(body, pathParams)
    if (!result.ok) throw unreadableFault(result)
    return splitModelArgument(result.parsed)
  },
  resolveTarget: (app, context, parsed) =>
    resolveAny(parsed, candidatesFor(app, context, parsed.model)),
  reservation: reserveTokens,
  canPassThrough: () => true,
  translate: (_app, input) => translateEmbeddings(input),
}
