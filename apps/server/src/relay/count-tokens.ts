import { Fault } from '@hub/contract'
import { type ParsedRequest, type TokenCounting, withoutEmptyMessages } from '@hub/dialects'
import { deepEdits, ownMessageRules, type TokenCountEndpoint, topEdits } from '@hub/providers'
import type { App } from '../core/app.ts'
import { identify } from './auth/identify.ts'
import { attributionEdits } from './channels/attribution.ts'
import { type Channel, upstreamModelOf } from './channels/channel.ts'
import { checkSteering } from './channels/steering.ts'
import { findVirtualModel } from './channels/virtual-models.ts'
import {
  type AuthenticatedContext,
  callerIn,
  chatDialect,
  type ResolvedRequest,
} from './context.ts'
import type { Handler } from './handler.ts'
import { admit, checkModelAllowed } from './limits/admit.ts'
import { checkLinks } from './links/check-links.ts'
import { checkReferences } from './links/check-references.ts'
import { splitEffort } from './operations/effort-name.ts'
import { reserveTokens, splitModelArgument } from './operations/operation.ts'
import { fairPromptTokens } from './prompt-count/fair-prompt.ts'
import { resolveWithObjects } from './references/resolve-objects.ts'
import { storingEndpoint } from './references/storing-endpoint.ts'
import { readBody } from './request/body.ts'
import { unreadableFault } from './request/unreadable.ts'
import { writeResponse } from './response/write.ts'
import { chooseKey } from './routing/keys.ts'
import { pickCounter } from './routing/pick-counter.ts'
import { fetchSmall, isJson, type SmallAnswer } from './upstream/fetch-small.ts'
import { addProviderHeaders, callerHeaders, setHeaders } from './upstream/headers.ts'
import { namesModel } from './upstream/prepare.ts'
import { scrub } from './upstream/scrub.ts'
import type { Outgoing } from './upstream/send.ts'
import { signRequest } from './upstream/sign.ts'
import { classifyUpstreamError } from './upstream/upstream-error.ts'
import { planVirtual } from './virtual-models/resolve.ts'

const answerMax = 64 * 1024
const jsonType = ['content-type', 'application/json; charset=utf-8']

/**
 * Counts the tokens of a prompt: by a vendor of the caller's dialect, or else by the gateway's own count.
 * The request counts against the limits like any other, and costs nothing.
 */
export const countTokens: Handler = async (app, request) => {
  const context = await identify(app, request)
  await using _admission = await admit(app, context)
  await respond(app, context)
}

const respond = async (app: App, context: AuthenticatedContext): Promise<void> => {
  const { pathParams, path } = context
  const dialect = chatDialect(context)
  const { tokenCounting: counting } = dialect
  if (!counting) throw new Fault('operation.unsupported', { detail: path })
  const result = dialect.read(await readBody(app, context), pathParams)
  if (!result.ok) throw unreadableFault(result)
  const named = splitModelArgument(result.parsed)
  context.record.requestedModel = result.parsed.model
  const count = await countPrompt(app, context, counting, await withoutEffort(app, context, named))
  const body = Buffer.isBuffer(count)
    ? count
    : Buffer.from(JSON.stringify(counting.encodeResponse(count)))
  writeResponse(context, 200, jsonType, body)
}

/** Counts the prompt of the model that the name stands for, since an effort adds nothing to a prompt. */
const withoutEffort = async (
  app: App,
  context: AuthenticatedContext,
  parsed: ParsedRequest,
): Promise<ParsedRequest> => {
  if (!app.settings().relay.EffortByNameEnabled) return parsed
  const named = await splitEffort(app, context, parsed.model)
  return named ? { ...parsed, model: named.model, isModelReplaced: true } : parsed
}

type Counter = {
  channel: Channel
  endpoint: TokenCountEndpoint
  credential: string
  upstreamModel: string
}

/** The vendor's own answer, or the gateway's estimate where no vendor counts in this dialect or none answers. */
const countPrompt = async (
  app: App,
  context: AuthenticatedContext,
  counting: TokenCounting,
  request: ParsedRequest,
): Promise<Buffer | number> => {
  checkModelAllowed(context.token, request.model)
  const { parsed, target } = await resolveCounted(app, context, request)
  const count = () => {
    const { id: format } = context.dialect
    const uncounted = { parsed, format, model: parsed.model, userId: context.caller.userId }
    return fairPromptTokens(app, uncounted, { isExact: true })
  }
  // No vendor knows a conversation that is stored locally.
  if (target.continuation) return count()
  const { model, hasTools } = parsed
  const picked = pickCounter(app, context, { model, hasTools, candidates: target.candidates })
  const estimate = () => {
    if (target.key === undefined) return count()
    const hint = 'The account that stores the previous response cannot count tokens.'
    throw new Fault('operation.unsupported', { hint })
  }
  if (!picked) return estimate()
  const { channel, counter: endpoint } = picked
  context.upstream.provider = channel.provider.id
  const key = target.key ?? chooseKey(app, channel, { model, operation: context.operation })
  const counter = {
    channel,
    endpoint,
    credential: key.credential,
    upstreamModel: upstreamModelOf(channel, model),
  }
  checkLinks(channel, parsed, target.objects)
  const { id: dialect } = chatDialect(context)
  checkReferences(
    {
      ...{ channel, body: parsed.body, references: target.references },
      endpoint: storingEndpoint(app, channel, { dialect, feature: 'answers' }) ?? {},
      format: dialect,
    },
    target,
  )
  checkSteering(channel, context.dialect.id, parsed)
  const answer = await askVendor(app, context, counter, parsed)
  if (context.abort.reason) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  return (answer && readCount(app, context, { counter, counting, parsed }, answer)) ?? estimate()
}

/** The first candidate of a virtual model counts, as it would answer. */
const resolveCounted = async (
  app: App,
  context: AuthenticatedContext,
  request: ParsedRequest,
): Promise<ResolvedRequest> => {
  const read = { ...context, parsed: request, session: undefined, background: undefined }
  const virtual = findVirtualModel(app, request.model)
  if (!virtual) return resolveWithObjects(app, read, request)
  const plan = await planVirtual(app, read, virtual, async candidate => {
    const resolved = await resolveWithObjects(app, candidate, candidate.parsed)
    const caller = callerIn(candidate.caller, resolved.target.group)
    return { targets: [{ ...resolved, caller }], reservation: reserveTokens(resolved) }
  })
  return plan.targets[0]!
}

/** Undefined where the vendor did not answer. */
const askVendor = async (
  app: App,
  context: AuthenticatedContext,
  counter: Counter,
  parsed: ParsedRequest,
): Promise<SmallAnswer | undefined> => {
  try {
    const outgoing = outgoingOf(app, context, counter, parsed)
    return await fetchSmall(app, outgoing, { sizeMax: answerMax, context })
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** The caller's own bytes. An operator's custom parameters are for answers: a vendor would refuse them here. */
const outgoingOf = (
  app: App,
  context: AuthenticatedContext,
  { channel, credential, endpoint, upstreamModel }: Counter,
  parsed: ParsedRequest,
): Outgoing => {
  const { dialect } = context
  const headers = setHeaders(callerHeaders(app, context, channel, dialect.id), {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
  })
  addProviderHeaders(headers, channel.provider)
  const { path, quirks } = endpoint
  // An argument behind the model's name is for an answer, which nobody makes here.
  const model = namesModel(parsed, upstreamModel) ? {} : { model: upstreamModel }
  const attribution = attributionEdits(dialect, parsed, { channel, isTranslated: false })
  const edits = topEdits(quirks, parsed, upstreamModel, { ...model, ...attribution })
  const edited = deepEdits(quirks, dialect.splice(parsed, edits), upstreamModel)
  const rules = ownMessageRules({ ...endpoint, dialect: dialect.id }, upstreamModel)
  const body = withoutEmptyMessages(edited, dialect.id, rules)
  return signRequest(
    app,
    { channel, credential, path, model: upstreamModel, stream: false },
    { method: 'POST', headers: setHeaders(headers, channel.requestHeaders), body },
  )
}

type Counted = { counter: Counter; counting: TokenCounting; parsed: ParsedRequest }

/** The vendor's count. A refusal of the prompt itself reaches the caller; other refusals give undefined. */
const readCount = (
  app: App,
  context: AuthenticatedContext,
  { counter, counting, parsed }: Counted,
  { status, type, body }: SmallAnswer,
): Buffer | undefined => {
  if (!isJson(type)) return undefined
  if (status === 200) return counting.decodeAnswer(parseJson(body)) === undefined ? undefined : body
  const { channel, credential } = counter
  const source = { requestBody: parsed.body, dialect: context.dialect, channel, credential }
  // A key that may not count may still answer, so neither channel nor credential is blamed.
  const error = classifyUpstreamError(app, source, { body, status })
  if (error.canRetry) return undefined
  context.record.upstreamError = { status, type, body: scrub(body, counter) }
  throw error.fault
}

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
