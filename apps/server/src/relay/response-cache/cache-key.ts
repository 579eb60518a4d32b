import type { App } from '../../core/app.ts'
import type { AuthenticatedContext, ResolvedRequest } from '../context.ts'
import { passableHeaders } from '../upstream/headers.ts'
import type { CallPlan } from '../virtual-models/resolve.ts'

/** Headers that describe the client or this try of it, and change no answer. */
const inertHeaders =
  /^(user-agent|accept-language|traceparent|tracestate|baggage|priority|pragma|x-stainless-.*)$/

/** Headers by which a caller asks for an answer of its own: https://www.rfc-editor.org/rfc/rfc9111#section-5.2.1 */
const bypasses = /(^|[\s,])(no-cache|no-store|max-age=0)\b/

/**
 * The key under which the answer to a request is cached for a token that wants that, or undefined where it must not be. It covers user, token, group
 * and everything that the upstream sees, so that no two tokens ever share an answer.
 */
export const cacheKeyOf = (
  app: App,
  context: AuthenticatedContext,
  { targets, virtual }: CallPlan,
): string | undefined => {
  const { parsed, target, caller } = targets[0]!
  const { ChatCacheEnabled, ChatCacheSampledEnabled } = app.settings().responseCache
  if (!ChatCacheEnabled) return undefined
  if (!isCacheable(context, { parsed, target })) return undefined
  const body = readJson(parsed.body)
  if (context.operation === 'chat' && !ChatCacheSampledEnabled && !isDeterministic(body))
    return undefined
  const { dialect, operation, query, pathParams, request } = context
  // A virtual model is drawn anew for each call, and another version of it may answer otherwise.
  const [group, model] = virtual
    ? [virtual.group, [virtual.name, virtual.version]]
    : [caller.group, parsed.model]
  return app.seal.fingerprint(
    'response-cache',
    JSON.stringify([
      ...[caller.userId, caller.tokenId, group, caller.backupGroup],
      ...[operation, dialect.id, dialect.streamContentType, queryWithoutKey(query), pathParams],
      ...[model, parsed.modelSuffix, parsed.effort, parsed.stream],
      visibleHeaders(request.rawHeaders),
      canonical(body),
    ]),
  )
}

/** The operations whose answers are whole texts or vectors, and free of anything that is stored or fetched elsewhere. */
const isCacheable = (
  { operation, forcedChannel, body: { form }, request }: AuthenticatedContext,
  { parsed, target }: ResolvedRequest,
): boolean =>
  (operation === 'chat' || operation === 'embeddings') &&
  !parsed.hasTools &&
  !parsed.hasMediaLinks &&
  !usesStoredState(parsed.state) &&
  target.key === undefined &&
  target.continuation === undefined &&
  forcedChannel === undefined &&
  form === undefined &&
  !bypasses.test(request.headers['cache-control'] ?? '')

const usesStoredState = (state: ResolvedRequest['parsed']['state']): boolean =>
  state !== undefined &&
  (state.store ||
    state.background ||
    state.hasItemReferences ||
    state.previousResponseId !== undefined ||
    state.conversationId !== undefined)

type JsonValue = null | boolean | string | JsonValue[] | { [name: string]: JsonValue }

/**
 * Numbers stay as they were written: two that differ beyond the precision of a double are different requests. They are
 * marked, so that no string equals a number.
 */
const readJson = (body: Buffer): JsonValue => JSON.parse(body.toString(), keepNumbers)

const numberMark = '\u0000number'

// https://github.com/tc39/proposal-json-parse-with-source
const keepNumbers = (_name: string, value: unknown, ...[context]: unknown[]): unknown =>
  typeof value === 'number' ? [numberMark, (context as { source: string }).source] : value

/** Temperature 0, where each dialect has it. */
const isDeterministic = (body: JsonValue): boolean =>
  isZero(fieldOf(body, 'temperature')) ||
  ['generationConfig', 'generation_config'].some(each =>
    isZero(fieldOf(fieldOf(body, each), 'temperature')),
  )

const fieldOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) ? value[name] : undefined

const isObject = (value: JsonValue | undefined): value is { [name: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isZero = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value[0] === numberMark && Number(value[1]) === 0

/** The order of an object's fields means nothing. */
const canonical = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map(name => [name, canonical(value[name]!)])
}

const queryWithoutKey = (query: string): string => {
  const parameters = new URLSearchParams(query)
  parameters.delete('key')
  parameters.sort()
  return parameters.toString()
}

const visibleHeaders = (rawHeaders: readonly string[]): string[] => {
  const headers = passableHeaders(rawHeaders)
  const visible: string[] = []
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at] !== 'cache-control' && !inertHeaders.test(headers[at]!))
      visible.push(`${headers[at]}:${headers[at + 1]}`)
  return visible.sort()
}
