import { type CallerFormat, inputTokens, outputTokens, type ParsedRequest } from '@hub/dialects'
import type { Endpoint, Operation as ProviderOperation } from '@hub/providers'
import type { Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { ReadContext, RequestContext, ResolvedRequest } from '../context.ts'
import { billedModels } from '../routing/channel-index.ts'
import { reservedPromptTokens } from '../routing/pick.ts'
import type { Translation, TranslationInput } from '../translate/translation.ts'

/**
 * How one kind of charged call is read, routed, reserved and forwarded; the pipeline is the same for all. The dialect
 * reads usage out of the answer and writes errors.
 */
export type Operation = {
  /** The key of the provider's endpoints. */
  endpoints: ProviderOperation
  /** Forms are accepted as well as JSON, or must be sent; absent: JSON only. */
  forms?: 'accepted' | 'required'
  /** Reads the body: model, stream, and the limits that bound the price. Throws `request.*`. */
  read(context: RequestContext, body: Buffer): ParsedRequest
  resolveTarget(
    app: App,
    context: ReadContext,
    parsed: ParsedRequest,
  ): ResolvedRequest | Promise<ResolvedRequest>
  /** The most that the call may use, which is reserved before it is sent. */
  reservation(resolved: ResolvedRequest): Reservation
  /** A second request to another vendor at the same time does no harm. Absent: it may. */
  canHedge?(resolved: ResolvedRequest): boolean
  /** The caller's bytes and the answer's can pass through to an endpoint of the same dialect. */
  canPassThrough(format: CallerFormat, endpoint: Endpoint, parsed: ParsedRequest): boolean
  /** Writes the request in the endpoint's dialect. Throws `request.*` where it cannot be expressed there. */
  translate(app: App, input: TranslationInput): Translation | Promise<Translation>
}

/** Reserves what the fields of the request fix, else the prompt and the longest answer. */
export const reserveUsage = (resolved: ResolvedRequest): Reservation => {
  const { pricing } = resolved.parsed
  const tokens = reserveTokens(resolved)
  if (!pricing) return tokens
  const { max, units } = pricing
  return {
    ...tokens,
    promptTokens: inputTokens(max),
    outputMax: outputTokens(max),
    n: 1,
    stream: false,
    usage: max,
    units,
  }
}

/** Reserves the prompt and the longest answer, at the most expensive of the candidates' prices. */
export const reserveTokens = ({ parsed, target }: ResolvedRequest): Reservation => ({
  models: billedModels(target.candidates, parsed.model),
  promptTokens:
    reservedPromptTokens(parsed, target.candidates.preCost) +
    (target.candidates.preCost === 3 ? 0 : target.candidates.addedTokens) +
    (target.named?.tokens ?? 0),
  assumedTokens: target.named?.assumedTokens,
  outputMax: parsed.outputMax,
  n: parsed.n,
  // A background response cannot extend its hold while it is made.
  stream: parsed.stream && parsed.state?.background !== true,
})

/** Splits `gpt-5#high` into the model and an argument for the provider. */
export const splitModelArgument = (parsed: ParsedRequest): ParsedRequest => {
  const mark = parsed.model.indexOf('#')
  if (mark <= 0) return parsed
  return {
    ...parsed,
    model: parsed.model.slice(0, mark),
    modelSuffix: parsed.model.slice(mark + 1),
  }
}
