import { Fault } from '@hub/contract'
import {
  type CallerFormat,
  hasBudgets,
  hidesReasoning,
  type ParsedRequest,
  type ReasoningRequest,
  readReasoningEffort,
} from '@hub/dialects'
import {
  type Endpoint,
  modelRulesOf,
  type Operation as ProviderOperation,
  upstreamDialectOf,
} from '@hub/providers'
import type { OutputBound, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { type Channel, upstreamModelOf } from '../channels/channel.ts'
import { modelSizes, outputOf } from '../channels/model-sizes.ts'
import { chooseEndpoint } from '../routing/endpoint.ts'
import type { Candidates } from '../routing/pick.ts'
import { encodeSettings } from '../translate/encode-settings.ts'
import { customParameterEdits } from '../upstream/custom-parameter.ts'

type BoundedCall = {
  parsed: ParsedRequest
  dialect: CallerFormat
  endpoints: ProviderOperation
  /** The channels of each group that the call may be served in. */
  groups: readonly Candidates[]
}

/** The answer beside a reasoning budget; a stream extends its hold from there. */
const besideReasoning = 4_096

/**
 * How much output the request allows that leaves for any of the channels, and whether it can be seen while it is made.
 * Absent for a call whose output has no tokens, or no limit that a caller could name.
 */
export const boundOutput = (
  app: App,
  call: BoundedCall,
  { stream }: Pick<Reservation, 'stream'>,
): OutputBound | undefined | Promise<OutputBound | undefined> => {
  const { parsed, dialect, groups } = call
  if (!dialect.limitOutput || parsed.pricing) return undefined
  const known = modelSizes(app).get()
  if (known instanceof Promise) return known.then(() => boundOutput(app, call, { stream }))
  const { request, budgetMax } = readReasoningEffort(parsed)
  let budget = budgetMax
  let most = 0
  let isHidden = false
  for (const { tiers } of groups)
    for (const { channels } of tiers)
      for (const channel of channels) {
        const model = upstreamModelOf(channel, parsed.model)
        const longest = outputOf(known, channel, parsed.model)
        most = Math.max(most, limitThatLeaves(app, call, { channel, model, longest }))
        isHidden ||= hidesReasoning(requestThatLeaves(call, { channel, model }, request), model)
        if (budget && !keepsBudget(call, { channel, model })) budget = undefined
      }
  const isUnseen = !stream || isHidden
  // The answer beside the budget is seen, so that it extends the hold.
  const reasoning = stream && isUnseen && budget ? Math.min(budget, most) : 0
  const unseen = reasoning > 0 ? Math.min(most, reasoning + besideReasoning) : most
  return {
    most,
    unseen: isUnseen ? unseen : undefined,
    reasoning: reasoning < most ? reasoning : 0,
    // A vendor refuses a limit that its reasoning budget exceeds.
    least: budget ? budget + besideReasoning : besideReasoning,
  }
}

type Served = { channel: Channel; model: string }

/**
 * Off counts only where the model has a way to be turned off: another one is asked for its least reasoning. What an
 * operator or the end of the model's name asks for replaces what the caller says.
 */
const requestThatLeaves = (
  call: BoundedCall,
  served: Served,
  request: ReasoningRequest,
): ReasoningRequest => {
  if (served.channel.asksReasoning || call.parsed.modelSuffix !== undefined) return 'on'
  if (request !== 'off') return request
  const endpoint = endpointOf(call, served)
  if (!endpoint) return request
  const { thinking } = modelRulesOf(endpoint, served.model)
  if (thinking?.off) return 'off'
  return thinking ? 'on' : 'unset'
}

/** A translation writes a budget as an effort where the vendor's dialect has no budgets, and an operator may replace it. */
const keepsBudget = (call: BoundedCall, served: Served): boolean => {
  if (served.channel.asksReasoning || call.parsed.modelSuffix !== undefined) return false
  const endpoint = endpointOf(call, served)
  return !endpoint || endpoint.dialect === call.dialect.id || hasBudgets(endpoint.dialect)
}

type Sent = Served & { longest: number }

const limitNames = ['max_tokens', 'max_completion_tokens', 'max_output_tokens']

/** The limit that the vendor is sent, by the caller, the operator or the encoder; else the model's longest answer. */
const limitThatLeaves = (
  app: App,
  call: BoundedCall,
  { channel, model, longest }: Sent,
): number => {
  const { parsed } = call
  const { customParameter } = channel
  const edits = customParameter ? customParameterEdits(customParameter, parsed, model) : {}
  const set = limitNames.map(each => edits[each]).filter(each => typeof each === 'number')
  if (set.length > 0) return Math.max(parsed.outputMax ?? 0, ...set)
  if (parsed.outputMax !== undefined) return parsed.outputMax
  const written = writtenLimit(app, call, { channel, model })
  if (written === undefined) return longest
  return Math.max(written, (readReasoningEffort(parsed).budgetMax ?? 0) + besideReasoning)
}

/** A vendor that requires a limit is sent one by the encoder. */
const writtenLimit = (app: App, call: BoundedCall, served: Served): number | undefined => {
  if (call.endpoints !== 'chat') return undefined
  const endpoint = endpointOf(call, served)
  if (!endpoint || endpoint.dialect === call.dialect.id) return undefined
  const { defaultOutputMax } = encodeSettings(app)
  return upstreamDialectOf(endpoint).defaultOutputMax?.(served.model, defaultOutputMax)
}

/** Undefined where the channel cannot serve the call. */
const endpointOf = (
  { parsed, dialect, endpoints }: BoundedCall,
  { channel: { provider, options }, model }: Served,
): Endpoint | undefined => {
  const criteria = { operation: endpoints, dialect: dialect.id, model, request: parsed, options }
  try {
    return chooseEndpoint(provider, criteria).endpoint
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
