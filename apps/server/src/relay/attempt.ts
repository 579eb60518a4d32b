import { Fault } from '@hub/contract'
import type { FormatId } from '@hub/dialects'
import { appendToPath, type Endpoint } from '@hub/providers'
import { priceCache } from '../billing/price-cache.ts'
import type { App } from '../core/app.ts'
import { deliverBackground } from './background/deliver-background.ts'
import { billedModelOf, type Channel, upstreamModelOf } from './channels/channel.ts'
import type { ChannelKey } from './channels/keys.ts'
import type { Attempt, CallContext, StoredBy } from './context.ts'
import { canFallBack } from './dialect-fallback.ts'
import { checkLinks } from './links/check-links.ts'
import { checkReferences } from './links/check-references.ts'
import { saveLocally } from './local-responses/save.ts'
import type { Operation } from './operations/operation.ts'
import { servedInHeaders } from './price-fields/charged-modes.ts'
import { localResponseFor } from './references/resolve-response.ts'
import { type Refusal, refused } from './refused.ts'
import { deliverBuffered } from './response/buffered.ts'
import { deliverBytes } from './response/bytes.ts'
import type { Delivered, Delivery, Undelivered } from './response/delivery.ts'
import { noteUnanswered } from './response/failures/unanswered.ts'
import { chargeAbandoned } from './response/finalize.ts'
import { isStreamed, peekAnswer } from './response/peek/first-output.ts'
import { deliverStream } from './response/stream.ts'
import { checkImageForm, convertImages } from './result-storage/image-form.ts'
import { chooseEndpoint } from './routing/endpoint.ts'
import { rememberMissingDialects, unsupportedDialectsOf } from './routing/missing-dialects.ts'
import { withChannelPrompt } from './translate/channel-prompt.ts'
import type { Translation } from './translate/translation.ts'
import { asksToStore } from './tries/empty-answer.ts'
import type { OpenChannel } from './tries/hedge.ts'
import { awaitResult } from './upstream/accounts/pending-result.ts'
import { classifyFailure, type ErrorClassification } from './upstream/classify-error.ts'
import { contentTypeOf, openAnswer } from './upstream/fetch-small.ts'
import { callerHeaders } from './upstream/headers.ts'
import { fetchLinkedFiles } from './upstream/linked-files.ts'
import { prepare } from './upstream/prepare.ts'
import type { Answer, Outgoing } from './upstream/send.ts'
import { promptCacheKeyOf } from './upstream/sessions/prompt-cache-key.ts'
import { openWithoutState, stateOf, withoutForeign } from './upstream/sessions/vendor-state.ts'
import { classifyStreamError } from './upstream/upstream-error.ts'

/** Tries one channel: plan, prepare, send, then deliver or classify. Returns undefined once the caller was answered. */
export const attemptChannel = async (
  app: App,
  call: CallContext,
  operation: Operation,
  { canTryAnother, ...account }: ChannelAccount & Pick<Delivery, 'canTryAnother'>,
): Promise<ErrorClassification | undefined> => {
  const { systemPrompt } = account.channel
  const context = systemPrompt ? withChannelPrompt(call, systemPrompt) : call
  const opened = await openChannel(app, context, operation, account)
  if ('fault' in opened) return opened
  const { attempt } = opened
  // The opening of a stream is held back only where a failure before its output leads to another attempt.
  if (!isStreamed(context, opened.answer) || asksToStore(context) || !canTryAnother())
    return deliverOpened(app, context, { ...opened, canTryAnother })
  const peeked = await peekAnswer(app, context, opened, { awaitsOutput: true, canTryAnother })
  return peeked.ok
    ? deliverOpened(app, context, { ...peeked, attempt, canTryAnother })
    : undelivered(app, context, attempt, peeked)
}

/** Opens channels for a hedged start: the answer is delivered once its first output was seen. */
export const openerOf =
  (app: App, operation: Operation): OpenChannel =>
  async (hedged, account, { canTryAnother, onEvent }) => {
    const { systemPrompt } = account.channel
    const prompted = (call: CallContext) =>
      systemPrompt ? withChannelPrompt(call, systemPrompt) : call
    const context = prompted(hedged)
    const opened = await openChannel(app, context, operation, account)
    if ('fault' in opened) return opened
    const { attempt } = opened
    const awaitsOutput = canTryAnother()
    const options = { awaitsOutput, canTryAnother, onEvent }
    const peeked = await peekAnswer(app, context, opened, options)
    if (peeked.ok)
      return call => deliverOpened(app, prompted(call), { ...peeked, attempt, canTryAnother })
    return undelivered(app, context, attempt, peeked)
  }

/** The answer of a channel from its head on, before the caller has a byte of it. */
type OpenedAttempt = { attempt: Attempt; answer: Answer }

/** Plans, prepares and sends the request, and waits for the head of an answer that is no refusal. */
const openChannel = async (
  app: App,
  context: CallContext,
  operation: Operation,
  account: ChannelAccount,
): Promise<OpenedAttempt | ErrorClassification> => {
  const { channel } = account
  context.upstream.provider = channel.provider.id
  const model = upstreamModelOf(channel, context.parsed.model)
  const unsupported = unsupportedDialectsOf(app, channel, model)
  const first = await openOrRepeat(app, context, { operation, ...account, unsupported })
  let missing = missingIn(first)
  if (missing === undefined) return first
  const dialects = new Set(unsupported)
  while (canFallBack(context, { operation, channel, missing, dialects })) {
    dialects.add(missing)
    const fallback = { operation, ...account, unsupported: dialects }
    const next = await openOrRepeat(app, context, fallback)
    missing = missingIn(next)
    if (missing === undefined) {
      rememberMissingDialects(app, channel, { dialects, model })
      return next
    }
  }
  // An upstream that has none of the addresses is another kind of mistake, and nothing is learnt.
  return first
}

const missingIn = (opened: OpenedAttempt | Refusal): FormatId | undefined =>
  'fault' in opened ? opened.missingDialect : undefined

type ChannelAccount = { channel: Channel; key: ChannelKey }

/** The endpoint of a channel is chosen without the dialects that its upstream lacks. */
type EndpointTarget = ChannelAccount & {
  operation: Operation
  unsupported: ReadonlySet<FormatId> | undefined
  dropsState?: boolean
}

const openOrRepeat = (app: App, context: CallContext, target: EndpointTarget) =>
  openWithoutState(context, dropsState => openEndpoint(app, context, { ...target, dropsState }))

const openEndpoint = async (
  app: App,
  context: CallContext,
  target: EndpointTarget,
): Promise<OpenedAttempt | Refusal> => {
  let attempt: Attempt | undefined
  try {
    const planned = planAttempt(app, context, target)
    attempt = planned instanceof Promise ? await planned : planned
    const first = await openAnswer(app, context, outgoingOf(app, context, attempt))
    const isPending = attempt.endpoint.pendingResult !== undefined && isSuccess(first)
    const answer = isPending ? await awaitResult(app, context, attempt, first) : first
    attempt.serving.head = servedInHeaders(answer.headers)
    return isSuccess(answer) ? { attempt, answer } : refused(app, context, attempt, answer)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (attempt) {
      await chargeAbandoned(app, context, attempt)
      noteUnanswered(context, attempt)
    }
    return failed(app, error)
  }
}

type OpenedDelivery = OpenedAttempt & Pick<Delivery, 'begun' | 'canTryAnother'>

const deliverOpened = async (
  app: App,
  context: CallContext,
  opened: OpenedDelivery,
): Promise<ErrorClassification | undefined> => {
  const { attempt } = opened
  const delivered = await deliver(app, context, opened)
  return delivered.ok ? undefined : undelivered(app, context, attempt, delivered)
}

const undelivered = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  { fault, failure, seen }: Undelivered,
): Promise<ErrorClassification> => {
  await chargeAbandoned(app, context, attempt)
  noteUnanswered(context, attempt, seen)
  return failure === undefined
    ? failed(app, fault)
    : classifyStreamError(app, context, attempt, failure)
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status <= 299

/** Chooses endpoint and credential, and translates the request where its bytes cannot pass through. */
const planAttempt = (
  app: App,
  context: CallContext,
  { operation, channel, key, unsupported, dropsState = false }: EndpointTarget,
): Attempt | Promise<Attempt> => {
  const { parsed, dialect, target } = context
  if (parsed.hasAddresses !== false) checkLinks(channel, parsed, target.objects)
  const upstreamModel = upstreamModelOf(channel, parsed.model)
  const choice = chooseEndpoint(channel.provider, {
    operation: operation.endpoints,
    dialect: dialect.id,
    model: upstreamModel,
    request: parsed,
    options: channel.options,
    unsupported,
  })
  const endpoint =
    target.pathSuffix === undefined
      ? choice.endpoint
      : { ...choice.endpoint, path: appendToPath(choice.endpoint.path, target.pathSuffix) }
  if (parsed.imageForm) checkImageForm(app, parsed, endpoint)
  const localResponse =
    parsed.state && localResponseFor(app, { state: parsed.state, target, endpoint })
  // A stored id of ours must replace the vendor's, so its bytes cannot pass.
  const passesThrough =
    choice.mode === 'pass' &&
    !localResponse &&
    !(channel.thoughtsAsText && dialect.mayShowThoughts) &&
    operation.canPassThrough(dialect, endpoint, parsed)
  if (context.body.form && (endpoint.jsonOnly || !(passesThrough || endpoint.translation)))
    throw takesNoForm(endpoint)
  const makeAttempt = (translation: Translation | undefined): Attempt => {
    if (context.body.form && translation && translation.file === undefined)
      throw takesNoForm(endpoint)
    return {
      channel,
      key,
      upstreamModel,
      billedModel: billedModelOf(channel, parsed.model),
      endpoint,
      translation,
      localResponse,
      storedBy: translation ? undefined : storedByOf(context, { key, endpoint }),
      serving: { requested: {}, head: undefined },
      ...{ notes: [], dropsState },
    }
  }
  if (passesThrough) return makeAttempt(undefined)
  const translation = operation.translate(app, {
    ...{ parsed, from: dialect, endpoint, channel, upstreamModel, localResponse },
    call: { userId: context.caller.userId, requestId: context.requestId, session: context.session },
    fetchLinks: links => fetchLinkedFiles(app, context, links),
  })
  return translation instanceof Promise ? translation.then(makeAttempt) : makeAttempt(translation)
}

const takesNoForm = ({ dialect }: Endpoint) =>
  new Fault('operation.unsupported', { detail: `${dialect} takes no form` })

const storedByOf = (
  { parsed, target }: CallContext,
  { key, endpoint }: Pick<Attempt, 'key' | 'endpoint'>,
): StoredBy | undefined => {
  if (target.pathSuffix !== undefined) return undefined
  const storesResponses = endpoint.storedResponses?.includes('answers') === true
  return {
    credential: key.fingerprint,
    isResponseStored: storesResponses && parsed.state?.store === true,
  }
}

const outgoingOf = (app: App, context: CallContext, attempt: Attempt): Outgoing => {
  const { channel, key, upstreamModel, endpoint, translation } = attempt
  const { target } = context
  if (translation) checkLinks(channel, translation.parsed, target.objects)
  const format = translation?.to.id ?? context.dialect.id
  const state = stateOf(app, context, attempt)
  const references = translation ? undefined : withoutForeign(target.references, state)
  const { contentType, body } = translation?.parsed ?? context.parsed
  const mayName = references === undefined || references.length > 0
  if (mayName && contentType === undefined)
    checkReferences({ channel, endpoint, format, body, references }, target)
  const isSameDialect = !translation || translation.to.id === context.dialect.id
  // A vendor with a frame of its own has its own headers too.
  const ownFormat = endpoint.framing === 'sse' ? context.dialect.id : endpoint.framing
  return prepare(app, {
    parsed: translation ? translation.parsed : context.parsed,
    dialect: translation ? translation.to : context.dialect,
    channel,
    credential: key.credential,
    upstreamModel,
    endpoint,
    form: translation ? undefined : context.body.form,
    file:
      translation?.file === undefined ? undefined : context.body.form?.encodeFile(translation.file),
    translatedHeaders: translation?.headers,
    headers: callerHeaders(app, context, channel, isSameDialect ? ownFormat : 'translated'),
    serving: attempt.serving,
    promptCacheKey: promptCacheKeyOf(app, context, attempt),
    state,
    candidateRules: context.virtual?.rules,
    notes: attempt.notes,
    termsOf: () => priceCache(app).find(attempt.billedModel, context.caller.group)?.terms,
  })
}

const deliver = (app: App, context: CallContext, opened: OpenedDelivery): Promise<Delivered> => {
  const { attempt, answer } = opened
  const isStream = isStreamed(context, answer)
  if (context.parsed.state?.background)
    return deliverBackground(app, context, { attempt, answer, isStream })
  const { localResponse } = attempt
  const saveResponse = localResponse
    ? saveLocally(app, context, localResponse)
    : imageConverter(app, context)
  const delivery = { ...opened, saveResponse }
  if (!isStream && isFile(context, attempt, answer)) return deliverBytes(app, context, delivery)
  return isStream ? deliverStream(app, context, delivery) : deliverBuffered(app, context, delivery)
}

const imageConverter = (app: App, context: CallContext) => {
  const { imageForm, stream } = context.parsed
  if (!imageForm || imageForm === 'unknown' || stream) return undefined
  return convertImages(app, context, imageForm)
}

/** An answer of bytes that the caller can have as they are. Errors are texts, whatever their status. */
const isFile = ({ dialect }: CallContext, { translation }: Attempt, answer: Answer): boolean =>
  dialect.answersBytes === true &&
  !/^(application\/json|text\/)/.test(contentTypeOf(answer)) &&
  (!translation || translation.passesAnswer === true)

const failed = (app: App, fault: Fault): ErrorClassification =>
  classifyFailure(fault, app.settings().retry.RetryCooldownSeconds)
