import { Fault, type ParameterRule } from '@hub/contract'
import {
  chatLimitField,
  type Edits,
  emptyNote,
  type ParsedRequest,
  type StateFilter,
  stateEdits,
  type UpstreamFormat,
  withoutEmptyMessages,
} from '@hub/dialects'
import {
  deepEdits,
  type Endpoint,
  effortEdits,
  effortRefusal,
  modelArgumentEdits,
  ownMessageRules,
  topEdits,
} from '@hub/providers'
import type { Terms } from '../../billing/prices/terms.ts'
import type { App } from '../../core/app.ts'
import { attributionEdits } from '../channels/attribution.ts'
import type { Channel } from '../channels/channel.ts'
import { applyParameterRules } from '../channels/parameter-rules.ts'
import { checkSteering } from '../channels/steering.ts'
import type { Serving } from '../context.ts'
import { checkPriceFields } from '../price-fields/check-fields.ts'
import { checkFixedPrice } from '../price-fields/fixed-price.ts'
import { hasPlainFields, hasPlainHeaders } from '../price-fields/plain-fields.ts'
import type { EncodedForm, Form } from '../request/form.ts'
import { formEdits } from '../request/form-json.ts'
import { customParameterEdits } from './custom-parameter.ts'
import { addProviderHeaders, setHeaders } from './headers.ts'
import type { Outgoing } from './send.ts'
import { isEmpty, signRequest } from './sign.ts'

export type Preparation = {
  parsed: ParsedRequest
  /** The upstream's. */
  dialect: UpstreamFormat
  channel: Channel
  credential: string
  endpoint: Endpoint
  upstreamModel: string
  /** The caller's headers that leave with this request; completed here. */
  headers: string[]
  /** The caller's form, which is sent instead of `parsed`. */
  form?: Form | undefined
  /** The bytes of a file, which are sent instead of `parsed`. */
  file?: EncodedForm | undefined
  /** Headers that the vendor needs with a translated request. */
  translatedHeaders?: Readonly<Record<string, string>> | undefined
  /** Sent where the request has none; see `sessions/prompt-cache-key.ts`. */
  promptCacheKey?: string | undefined
  /** The state that must not reach the vendor, and who is told what was left out. Absent: all may. */
  state?: (StateFilter & { note(dropped: ReadonlySet<string>): void }) | undefined
  /** Rules of the virtual model's candidate that serves the call. */
  candidateRules?: readonly ParameterRule[] | undefined
  /** Receives what is left out of the body. Absent: nobody reads it. */
  notes?: string[] | undefined
  /** Receives the modes that the request asks for. Absent: nobody pays for the call. */
  serving?: Serving
  /** The price that the call is charged at. */
  termsOf?(): Terms | undefined
}

/**
 * Builds the upstream request, always in this order: model name, effort, usage flag, the client's billing line, quirks,
 * custom parameter, rules of candidate and channel, cache key, state that is left out, the limit that the balance covers,
 * fields with a price, empty messages that the vendor refuses, signature.
 */
export const prepare = (app: App, preparation: Preparation): Outgoing => {
  const { parsed, dialect, channel, credential, endpoint, upstreamModel, headers } = preparation
  const edits = preparation.file ? {} : editsOf(app, preparation)
  headers.push(
    'accept',
    acceptedType(parsed, dialect),
    // A compressed answer can neither be observed nor passed on as it arrives.
    'accept-encoding',
    'identity',
  )
  if (preparation.translatedHeaders) setHeaders(headers, preparation.translatedHeaders)
  addProviderHeaders(headers, channel.provider)
  setHeaders(headers, channel.requestHeaders)
  const { serving, termsOf } = preparation
  const isPlain = hasPlainFields(parsed, edits)
  if (serving && termsOf && !(isPlain && hasPlainHeaders(headers)))
    serving.requested = checkPriceFields(
      { channel, model: upstreamModel, termsOf },
      { parsed, edits, headers },
    )
  const { type, body } = encodeBody(preparation, edits, isPlain)
  // A vendor may refuse a form of unknown length.
  if (body && !Buffer.isBuffer(body)) headers.push('content-length', String(body.size))
  if (!headers.includes('content-type')) headers.push('content-type', type)
  const { stream, isBatch } = parsed
  return signRequest(
    app,
    { channel, credential, path: endpoint.path, model: upstreamModel, stream, isBatch },
    { method: 'POST', headers, body },
  )
}

const encodeBody = (
  preparation: Preparation,
  edits: Edits,
  isPlain: boolean,
): { type: string; body: Buffer | EncodedForm } => {
  const { form, file, parsed, dialect, endpoint, upstreamModel } = preparation
  if (file) return { type: file.type, body: file }
  if (!isPlain) checkSteering(preparation.channel, dialect.id, parsed, edits)
  if (form) {
    // A form without a model gets the one that is charged.
    const body = form.encode(formEdits({ model: upstreamModel, ...edits }))
    return { type: body.type, body }
  }
  const spliced = isEmpty(edits) ? parsed.body : dialect.splice(parsed, edits)
  const { quirks } = endpoint
  const body = quirks.length > 0 ? deepEdits(quirks, spliced, upstreamModel) : spliced
  const type = parsed.contentType ?? 'application/json'
  const refusesEmpty = endpoint.modelRules?.some(each => each.kind === 'empty-messages')
  return { type, body: refusesEmpty ? withoutEmpty(preparation, body) : body }
}

/** Clients repeat an answer that was cut off as an empty message, which some vendors refuse in their own dialect too. */
const withoutEmpty = (
  { endpoint, dialect, upstreamModel, notes }: Preparation,
  body: Buffer,
): Buffer => {
  const kept = withoutEmptyMessages(body, dialect.id, ownMessageRules(endpoint, upstreamModel))
  const note = `${dialect.id}: ${emptyNote}`
  if (kept !== body && !notes?.includes(note)) notes?.push(note)
  return kept
}

const acceptedType = ({ stream }: ParsedRequest, { answersBytes }: UpstreamFormat): string => {
  if (stream) return 'text/event-stream'
  return answersBytes ? '*/*' : 'application/json'
}

/** The body names the model as its upstream does. */
export const namesModel = (
  { model, modelSuffix, isModelReplaced }: ParsedRequest,
  upstreamModel: string,
): boolean => upstreamModel === model && modelSuffix === undefined && !isModelReplaced

const editsOf = (app: App, preparation: Preparation): Edits => {
  const { parsed, dialect, channel, endpoint, upstreamModel } = preparation
  const { modelSuffix } = parsed
  const edits: Edits = namesModel(parsed, upstreamModel) ? {} : { model: upstreamModel }
  if (modelSuffix !== undefined)
    Object.assign(edits, modelArgumentEdits(modelSuffix, upstreamModel, dialect.id, parsed))
  if (parsed.effort !== undefined) Object.assign(edits, writtenEffort(app, preparation))
  if (parsed.stream && endpoint.usageFlag) Object.assign(edits, dialect.usageEdits?.(parsed))
  if (dialect.attributionEdits)
    Object.assign(edits, attributionEdits(dialect, parsed, { channel, isTranslated: false }))
  if (endpoint.quirks.length > 0) topEdits(endpoint.quirks, parsed, upstreamModel, edits, channel)
  const before = parsed.pricing && { ...edits }
  if (channel.customParameter)
    Object.assign(edits, customParameterEdits(channel.customParameter, parsed, upstreamModel))
  const { candidateRules } = preparation
  if (candidateRules) applyParameterRules(candidateRules, edits, parsed, upstreamModel)
  const { parameterRules } = channel
  if (parameterRules) applyParameterRules(parameterRules, edits, parsed, upstreamModel)
  if (before) checkFixedPrice(parsed, before, edits)
  if (preparation.promptCacheKey !== undefined)
    addCacheKey(edits, preparation, preparation.promptCacheKey)
  if (preparation.state) dropState(edits, preparation, preparation.state)
  if (parsed.isLimitOurs) keepLimit(edits, preparation)
  return edits
}

const addCacheKey = (
  edits: Edits,
  { parsed, endpoint: { promptCacheKey: place }, headers }: Preparation,
  key: string,
): void => {
  if (!place) return
  if ('header' in place) {
    if (!headers.includes(place.header)) headers.push(place.header, key)
  } else if (!parsed.fieldRanges.has(place.field) && !(place.field in edits))
    edits[place.field] = key
}

const dropState = (
  edits: Edits,
  { parsed, dialect }: Preparation,
  state: NonNullable<Preparation['state']>,
): void => {
  const filtered = stateEdits(dialect.id, parsed, edits, state)
  Object.assign(edits, filtered.edits)
  if (filtered.dropped.size > 0) state.note(filtered.dropped)
}

/** The effort in the vendor's own fields. Another channel of the model may have it where this one cannot. */
const writtenEffort = (
  app: App,
  { parsed, dialect, channel, endpoint, upstreamModel }: Preparation,
): Edits => {
  const level = parsed.effort!
  const written = effortEdits(parsed, {
    ...{ rules: channel.provider.effort, model: upstreamModel, dialect: dialect.id },
    ...{ endpoint, level },
    budgetShare: app.settings().claude.ClaudeBudgetTokensPercentage,
  })
  if ('edits' in written) return written.edits
  throw new Fault('request.invalid', { hint: effortRefusal(level, written.refusal) })
}

const chatLimits = ['max_tokens', 'max_completion_tokens'] as const

/** The vendor is sent the limit that is covered, under the name that the model knows, whatever the channel adds. */
const keepLimit = (edits: Edits, { parsed, dialect, upstreamModel }: Preparation): void => {
  for (const each of [...chatLimits, 'max_output_tokens']) delete edits[each]
  for (const each of ['generationConfig', 'generation_config'])
    if (edits[each]) edits[each] = { ...(edits[each] as object), maxOutputTokens: parsed.outputMax }
  const written = chatLimits.find(each => parsed.fieldRanges.has(each))
  const field = chatLimitField(upstreamModel)
  const isChat = dialect.id === 'openai-chat' && parsed.fieldRanges.has('messages')
  if (!isChat || !written || written === field) return
  edits[written] = undefined
  edits[field] = parsed.outputMax
}
