import {
  type CallerFormat,
  type Dialect,
  dialectOf,
  isDialect,
  mayHaveReferences,
  type ParsedRequest,
  readResponsesAsChat,
} from '@hub/dialects'
import { type Endpoint, hasNarrowCallIds, ownToolRules } from '@hub/providers'
import type { RequestContext, ResolvedRequest } from '../context.ts'
import { measureNamed } from '../named-sizes/measure.ts'
import { hasPlainFields } from '../price-fields/plain-fields.ts'
import { resolveWithObjects } from '../references/resolve-objects.ts'
import { unreadableFault } from '../request/unreadable.ts'
import { channelsFor, resolveAny } from '../routing/channel-index.ts'
import { obeyToolRules } from '../translate/keep-rules.ts'
import { translateChat } from '../translate/translation.ts'
import { type Operation, reserveTokens, splitModelArgument } from './operation.ts'

const read = ({ dialect, pathParams }: RequestContext, body: Buffer): ParsedRequest => {
  const own = dialect.read(body, pathParams)
  const isChat = own.ok && own.parsed.fieldRanges.has('messages')
  const result = isChat ? own : readResponsesAsChat(dialect, own)
  if (!result.ok) throw unreadableFault(result)
  return splitModelArgument(result.parsed)
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
  (!parsed.state?.compacts || endpoint.storedResponses?.includes('compaction') === true) &&
  !(endpoint.mediaBytesOnly && parsed.hasMediaLinks) &&
  !(endpoint.modelRules && breaksToolRules(dialect, parsed, endpoint))

/** Returns true where a vendor refuses a request of its own dialect because of the tools in it. */
const breaksToolRules = (dialect: Dialect, parsed: ParsedRequest, endpoint: Endpoint): boolean => {
  const isSuspect = hasNarrowCallIds(endpoint) ? parsed.hasTools : parsed.hasUnusualToolText
  if (!isSuspect || usesVendorState(parsed)) return false
  const rules = ownToolRules(endpoint, parsed.model)
  const { model, stream } = parsed
  const decoded = dialect.decodeRequest(JSON.parse(parsed.body.toString()), { model, stream })
  return decoded.ok && obeyToolRules(decoded.request, rules).request !== decoded.request
}

/** A response that the vendor stores keeps the vendor's ids, so its bytes must pass. */
const usesVendorState = ({ state }: ParsedRequest): boolean =>
  state !== undefined &&
  (state.store ||
    state.background ||
    state.hasItemReferences ||
    state.previousResponseId !== undefined ||
    state.conversationId !== undefined)

/** A vendor calls these tools itself, which may change things elsewhere. */
const remoteTools = ['"mcp"', '"mcp_toolset"', '"mcp_servers"']

/** A response that a vendor stores would be stored twice, and linked files would be fetched twice. */
const canHedge = ({ parsed, target }: ResolvedRequest): boolean =>
  !usesVendorState(parsed) &&
  target.pathSuffix === undefined &&
  !parsed.hasMediaLinks &&
  !remoteTools.some(each => parsed.body.includes(each))

/** The request is all that the vendor reads: it names nothing that is stored, linked or looked up. */
const isSelfContained = (parsed: ParsedRequest, { id }: CallerFormat): boolean =>
  parsed.state === undefined &&
  parsed.hasAddresses === false &&
  parsed.hasVendorTools !== true &&
  hasPlainFields(parsed) &&
  !mayHaveReferences(parsed.body, id)

const withoutReferences = (
  resolved: ResolvedRequest | Promise<ResolvedRequest>,
): ResolvedRequest | Promise<ResolvedRequest> =>
  resolved instanceof Promise
    ? resolved.then(withoutReferences)
    : { ...resolved, target: { ...resolved.target, references: [] } }

/** Resolves where the call may go, and how much the vendor adds to its prompt. */
const resolveMeasured = (
  ...[app, context, parsed, options]: Parameters<typeof resolveWithObjects>
): ResolvedRequest | Promise<ResolvedRequest> => {
  if (options === undefined && isSelfContained(parsed, context.dialect))
    return withoutReferences(resolveAny(parsed, channelsFor(app, context, parsed.model)))
  const resolved = resolveWithObjects(app, context, parsed, options)
  return resolved instanceof Promise
    ? resolved.then(each => measureNamed(app, context, each))
    : measureNamed(app, context, resolved)
}

export const chat: Operation = {
  endpoints: 'chat',
  read,
  resolveTarget: (app, context, parsed) => resolveMeasured(app, context, parsed),
  reservation: reserveTokens,
  canHedge,
  canPassThrough,
  translate: translateChat,
}

/**
 * Compacts a conversation, by the vendor or by a summary that the gateway asks for:
 * https://platform.openai.com/docs/api-reference/responses/compact
 */
export const compaction: Operation = {
  ...chat,
  resolveTarget: (app, context, parsed) =>
    resolveMeasured(app, context, parsed, { isCompaction: true }),
}
