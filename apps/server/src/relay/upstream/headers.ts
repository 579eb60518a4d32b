import {
  hasName,
  headerFamilyOf,
  isMissed,
  makeNameSet,
  type NameSet,
  neverReasonOf,
  type Provider,
  passedNames,
} from '@hub/providers'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import { optionList } from '../channels/steering.ts'
import type { RequestContext } from '../context.ts'

/** Names that a log row lists, and the letters of each. */
export const notPassedMax = 20
const nameMax = 64

/** Names that a policy remembers. Callers can invent more and longer ones, which are decided each time. */
const decidedMax = 500

type PolicyChannel = Pick<Channel, 'provider' | 'options'>

/** A decided header: its name in lower case, and what becomes of it. */
type HeaderDecision = { name: string; outcome: 'pass' | 'missed' | 'silent' }

/** The headers of callers that a channel passes with requests of one kind. */
type HeaderPolicy = {
  allowed: NameSet
  passesAll: boolean
  /** By the name as it was sent, so that the names of a client are decided once. */
  decided: Map<string, HeaderDecision>
}

const policies = appScoped(() => new WeakMap<object, Map<string, HeaderPolicy>>())

/**
 * The policy of a channel, made once per format of what is sent, or `translated` where that is not the caller's. A changed
 * channel is another object.
 */
const headerPolicyOf = (app: App, channel: PolicyChannel, sent: string): HeaderPolicy => {
  const ofChannel = policies(app).get(channel) ?? new Map<string, HeaderPolicy>()
  const known = ofChannel.get(sent)
  if (known) return known
  const policy = makeHeaderPolicy(channel, sent)
  policies(app).set(channel, ofChannel.set(sent, policy))
  return policy
}

export const makeHeaderPolicy = (
  { provider, options }: PolicyChannel,
  sent: string,
): HeaderPolicy => {
  const isTranslated = sent === 'translated'
  const listed = isTranslated ? [] : optionList(options.passing?.headers)
  const family = isTranslated ? 'translated' : headerFamilyOf(sent)
  return {
    allowed: makeNameSet([
      ...passedNames(provider.id, family),
      ...listed.filter(each => each !== '*'),
    ]),
    passesAll: listed.includes('*'),
    decided: new Map(),
  }
}

type Caller = Pick<RequestContext, 'request' | 'upstream'>

/**
 * The caller's headers that leave with a request: name and value in turn, as undici takes them. `sent` is the format of the
 * request, or `translated` where the caller's is another. Names that do not leave are noted for the page of the call.
 */
export const callerHeaders = (
  app: App,
  caller: Caller,
  channel: Pick<Channel, 'provider' | 'options'>,
  sent: string,
): string[] => {
  const notPassed: string[] = []
  const policy = headerPolicyOf(app, channel, sent)
  const headers = passedHeaders(caller.request.rawHeaders, policy, notPassed)
  caller.upstream.headersNotPassed = notPassed.length > 0 ? notPassed : undefined
  return headers
}

export const passedHeaders = (
  rawHeaders: readonly string[],
  policy: HeaderPolicy,
  notPassed: string[],
): string[] => {
  const headers: string[] = []
  const named = namedByConnection(rawHeaders)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { name, outcome } = decide(policy, rawHeaders[index]!)
    if (outcome === 'silent' || named?.has(name)) continue
    if (outcome === 'pass') headers.push(name, rawHeaders[index + 1]!)
    else note(notPassed, name)
  }
  return headers
}

const decide = (policy: HeaderPolicy, sentName: string): HeaderDecision => {
  const known = policy.decided.get(sentName)
  if (known) return known
  const name = sentName.toLowerCase()
  const decision: HeaderDecision = { name, outcome: outcomeOf(policy, name) }
  if (policy.decided.size < decidedMax && name.length <= nameMax)
    policy.decided.set(sentName, decision)
  return decision
}

const outcomeOf = (
  { allowed, passesAll }: HeaderPolicy,
  name: string,
): HeaderDecision['outcome'] => {
  const isAllowed = passesAll || hasName(allowed, name)
  if (isAllowed && neverReasonOf(name) === undefined) return 'pass'
  return isMissed(name) ? 'missed' : 'silent'
}

const note = (notPassed: string[], name: string): void => {
  const shown = name.slice(0, nameMax)
  if (notPassed.length < notPassedMax && !notPassed.includes(shown)) notPassed.push(shown)
}

/** The caller's headers that some channel may pass, in lower case: name and value in turn. */
export const passableHeaders = (rawHeaders: readonly string[]): string[] => {
  const headers: string[] = []
  const named = namedByConnection(rawHeaders)
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    if (neverReasonOf(name) === undefined && !named?.has(name))
      headers.push(name, rawHeaders[index + 1]!)
  }
  return headers
}

/** Headers named by `Connection`, which end here: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const namedByConnection = (rawHeaders: readonly string[]): Set<string> | undefined => {
  let named: Set<string> | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue
    const value = rawHeaders[index + 1]!.toLowerCase()
    if (value === 'keep-alive' || value === 'close') continue
    named ??= new Set()
    for (const token of value.split(',')) named.add(token.trim())
  }
  return named
}

/** Sets headers in the list and returns it. A header that is set twice is sent once, with the last value. */
export const setHeaders = (headers: string[], more: Readonly<Record<string, string>>): string[] => {
  for (const each in more) {
    const name = each.toLowerCase()
    for (let at = headers.length - 2; at >= 0; at -= 2)
      if (headers[at] === name) headers.splice(at, 2)
    headers.push(name, more[each]!)
  }
  return headers
}

/** Adds the provider's headers that the request does not have yet. */
export const addProviderHeaders = (headers: string[], { headers: defaults }: Provider): void => {
  for (const name in defaults) if (!headers.includes(name)) headers.push(name, defaults[name]!)
}
