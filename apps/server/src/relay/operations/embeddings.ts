import { unreadableFault } from '../request/unreadable.ts'
import { candidatesFor } from '../routing/channel-index.ts'
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
  resolveTarget: (app, context, parsed) => {
    const candidates = candidatesFor(app, context, parsed.model)
    return candidates instanceof Promise
      ? candidates.then(each => ({ parsed, target: { candidates: each } }))
      : { parsed, target: { candidates } }
  },
  reservation: reserveTokens,
  canPassThrough: () => true,
  translate: (_app, input) => translateEmbeddings(input),
}
