import {
  type CandidateReason,
  Fault,
  readCandidateParameters,
  StoredParameterRules,
  type VirtualCandidate as VirtualCandidateModel,
  type VirtualRoute,
} from '@hub/contract'
import type { GroupReservation, OutputBound, Reservation } from '../../billing/open-hold.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { bothTools } from '../../billing/prices/held-tools.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import { rulesAskReasoning } from '../channels/asked-reasoning.ts'
import type { DecodedVirtualModel } from '../channels/virtual-models.ts'
import type { CallTarget, ReadContext, VirtualCandidate } from '../context.ts'
import { bothModes, modesOfRules, type ReservedModes } from '../price-fields/reserved-modes.ts'
import { toolsOfRules } from '../price-fields/reserved-tools.ts'
import { findUsableBackup } from '../routing/channel-index.ts'
import { findWarmKey } from '../routing/warm-keys.ts'
import { timeOfDayAt, traitsOf, unmetCondition } from './conditions.ts'
import { byTier, drawOrder } from './order.ts'

/** The targets of a call in their order, and the reservation that covers all of them. */
export type CallPlan = {
  /** At least one. */
  targets: readonly CallTarget[]
  reservation: Reservation
  /** The virtual model that the caller named, and the group that he called it with. */
  virtual?: { name: string; version: number; group: string }
}

/** Plans a request in the caller's group, with an effort where the request says none. */
type MakePlan = (
  context: ReadContext,
  effort: VirtualCandidateModel['effort'],
) => CallPlan | Promise<CallPlan>

/** A candidate that may serve. */
type Able = CallPlan & {
  tier: number
  weight: number
  noted: VirtualCandidate['noted']
  rules: VirtualCandidate['rules']
}

/**
 * Plans a call that names a virtual model: the targets of its candidates in their order, with one reservation that covers
 * every candidate that may serve. Throws where none does.
 */
export const planVirtual = async (
  app: App,
  caller: ReadContext,
  virtual: DecodedVirtualModel,
  makePlan: MakePlan,
): Promise<CallPlan> => {
  const { name, version } = virtual
  const context = { ...caller, caller: await callerInAllowedGroup(app, caller, virtual) }
  const note: VirtualRoute = { name, version, candidates: [] }
  const able: Able[] = []
  const refused = new Map<CandidateReason, Fault>()
  for (const candidate of virtual.candidates) {
    const noted: Able['noted'] = {
      ...{ model: candidate.model, group: candidate.group, tier: candidate.tier },
      tried: false,
    }
    const result = await planCandidate(app, context, { candidate, name, makePlan })
    if (result.plan) {
      const { tier, weight } = candidate
      able.push({ ...result.plan, tier, weight, noted, rules: rulesOf(candidate) })
      continue
    }
    note.candidates.push({ ...noted, reason: result.reason })
    refused.set(result.reason, result.fault)
  }
  if (able.length === 0) {
    context.record.route = { candidates: 0, virtual: note, stop: 'no_candidate' }
    throw faultOf(refused)
  }
  const ordered = orderCandidates(app, context, able)
  note.candidates.unshift(...ordered.map(each => each.noted))
  return {
    targets: ordered.flatMap(({ targets, noted, rules }) =>
      targets.map(each => ({ ...each, virtual: { route: note, noted, rules } })),
    ),
    reservation: unionOf(ordered),
    virtual: { name, version, group: context.caller.group },
  }
}

/** The parameters were read when the virtual model was saved. */
const rulesOf = ({ parameters }: VirtualCandidateModel): VirtualCandidate['rules'] =>
  parameters === '' ? undefined : readCandidateParameters(parameters, StoredParameterRules).data

/** The rules of a candidate may choose a mode that costs more, add tools, or ask for reasoning that a stream does not show. */
const withRules = (plan: CallPlan, rules: VirtualCandidate['rules']): CallPlan => {
  if (!rules) return plan
  const modes = modesOfRules(rules)
  const { outputBound, ...rest } = plan.reservation
  const reservation = {
    ...rest,
    ...(modes.length > 0 && bothModes(rest, { modes })),
    tools: bothTools(rest.tools, toolsOfRules(rules)),
    outputBound:
      outputBound && rulesAskReasoning(rules)
        ? { ...outputBound, unseen: outputBound.most, reasoning: 0 }
        : outputBound,
  }
  return { ...plan, reservation }
}

/** A virtual model is open to the groups that it names: the token's own, or else its backup group. */
const callerInAllowedGroup = async (
  app: App,
  { caller }: ReadContext,
  { name, groups }: DecodedVirtualModel,
): Promise<Caller> => {
  if (groups.has(caller.group)) return caller
  const backup = await findUsableBackup(app, caller)
  if (backup === undefined || !groups.has(backup))
    throw new Fault('model.unknown', { hint: `Model: ${name}.` })
  return { ...caller, group: backup }
}

type CandidateRequest = { candidate: VirtualCandidateModel; name: string; makePlan: MakePlan }

type CandidateResult =
  | { plan: CallPlan }
  | { plan?: undefined; reason: CandidateReason; fault: Fault }

const planCandidate = async (
  app: App,
  context: ReadContext,
  { candidate, name, makePlan }: CandidateRequest,
): Promise<CandidateResult> => {
  const { model, group } = candidate
  const { caller } = context
  const hint = `Model: ${name}.`
  try {
    const ofCandidate = {
      ...context,
      caller: group === '' ? caller : { ...caller, group, backupGroup: '' },
      parsed: { ...context.parsed, model, isModelReplaced: true },
    }
    const plan = withRules(await makePlan(ofCandidate, candidate.effort), rulesOf(candidate))
    const first = plan.targets[0]!
    const traits = traitsOf(first.parsed, timeOfDayAt(app, nowSeconds(app)))
    const unmet = unmetCondition(candidate, traits)
    if (unmet) return { reason: unmet, fault: new Fault('model.no_candidate', { hint }) }
    const { reservation } = plan
    const groups = [{ group: first.caller.group, ...reservation }, ...(reservation.others ?? [])]
    if (isPriced(app, groups)) return { plan }
    return { reason: 'no_price', fault: new Fault('price.unknown', { hint }) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.code !== 'model.unknown') return { reason: 'refused', fault: error }
    return { reason: 'no_channel', fault: new Fault('model.unknown', { hint }) }
  }
}

export const isPriced = (app: App, reservations: readonly GroupReservation[]): boolean =>
  reservations.every(({ group, models }) =>
    models.every(each => priceCache(app).find(each, group) !== undefined),
  )

/** A refusal of the request itself says most; a candidate without a channel says more than an unmet condition. */
const faultOf = (refused: ReadonlyMap<CandidateReason, Fault>): Fault =>
  refused.get('refused') ??
  refused.get('no_channel') ??
  refused.get('no_price') ??
  [...refused.values()][0] ??
  new Fault('model.no_candidate')

/** Within a tier the candidate comes first that has the conversation in a prompt cache; the others by chance. */
const orderCandidates = (app: App, context: ReadContext, able: readonly Able[]): Able[] =>
  byTier(able).flatMap(tier => {
    const drawn = drawOrder(tier)
    if (tier.length === 1) return drawn
    const warm = drawn.find(({ targets: [first] }) =>
      findWarmKey(app, { ...context, ...first!, virtual: first }),
    )
    return warm ? [warm, ...drawn.filter(each => each !== warm)] : drawn
  })

/** Covers the most expensive candidate, whichever serves. */
const unionOf = ([first, ...rest]: readonly Able[]): Reservation => {
  const { reservation } = first!
  if (rest.length === 0) return reservation
  const others = rest.flatMap(({ targets, reservation: { models, others = [] } }) => [
    { group: targets[0]!.caller.group, models },
    ...others,
  ])
  const prompts = rest.map(each => each.reservation.promptTokens)
  const assumed = [reservation, ...rest.map(each => each.reservation)].map(
    each => each.assumedTokens ?? 0,
  )
  const modes = rest.reduce<ReservedModes>(
    (all, each) => bothModes(all, each.reservation),
    reservation,
  )
  return {
    ...reservation,
    ...bothModes(reservation, modes),
    promptTokens: Math.max(reservation.promptTokens, ...prompts),
    assumedTokens: Math.max(...assumed),
    tools: rest.reduce((all, each) => bothTools(all, each.reservation.tools), reservation.tools),
    outputBound: widest([first!, ...rest].map(each => each.reservation.outputBound)),
    others: [...(reservation.others ?? []), ...others],
  }
}

/** Covers the longest answer of any candidate. */
const widest = (bounds: readonly (OutputBound | undefined)[]): OutputBound | undefined =>
  bounds.reduce((one, other) => {
    if (!one || !other) return one ?? other
    const isUnseen = one.unseen !== undefined || other.unseen !== undefined
    // An answer that is unseen as a whole leaves no part that is delivered meanwhile.
    const isWhole = [one, other].some(each => each.unseen !== undefined && each.reasoning === 0)
    return {
      most: Math.max(one.most, other.most),
      unseen: isUnseen ? Math.max(one.unseen ?? 0, other.unseen ?? 0) : undefined,
      reasoning: isWhole ? 0 : Math.max(one.reasoning, other.reasoning),
      least: Math.max(one.least, other.least),
    }
  })
