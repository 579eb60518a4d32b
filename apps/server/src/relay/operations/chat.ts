import {
  type CallerFormat,
  dialectOf,
  isDialect,
  openaiChat,
  type ParsedRequest,
} from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { RequestContext } from '../context.ts'
import { unreadableFault } from '../request/unreadable.ts'
import { resolveTarget } from '../responses-store/resolve-target.ts'
import { chatFromResponses } from '../translate/chat-from-responses.ts'
import { breaksToolRules } from '../translate/tool-rules.ts'
import { translateChat } from '../translate/translation.ts'
import { splitModelArgument } from './model-argument.ts'
import { type Operation, reserveTokens } from './operation.ts'

const read = ({ dialect, pathParams }: RequestContext, body: Buffer): ParsedRequest => {
  const result = dialect.read(body, pathParams)
  if (!result.ok) throw unreadableFault(result)
  return splitModelArgument(
    dialect === openaiChat ? chatFromResponses(result.parsed) : result.parsed,
  )
}

/**
 * The caller's bytes pass through only if its streams are framed as usual for the dialect, not as in gemini's array form, the endpoint streams SSE, and the vendor accepts the caller's tools.
 */
const canPassThrough = (
  dialect: CallerFormat,
  endpoint: Endpoint,
  parsed: ParsedRequest,
): boolean =>
  isDialect(dialect) &&
  dialect.observeStream === dialectOf(dialect.id).observeStream &&
  endpoint.framing === 'sse' &&
  !(endpoint.toolRules && breaksToolRules(dialect, parsed, endpoint.toolRules))

export const chat: Operation = {
  endpoints: 'chat',
  read,
  resolveTarget: (app, context, parsed) => resolveTarget(app, context, parsed),
  reservation: reserveTokens,
  canPassThrough,
  translate: translateChat,
}

/** Compacts a conversation: https://platform.openai.com/docs/api-reference/responses/compact */
export const compaction: Operation = {
  ...chat,
  resolveTarget: (app, context, parsed) =>
    resolveTarget(app, context, parsed, { isCompaction: true }),
}
