import { type CandidateReason, Fault, type VirtualCandidate } from '@hub/contract'
import type { ParsedRequest } from '@hub/dialects'
import type { GroupReservation, OutputBound, Reservation } from '../../billing/open-hold.ts'
import { priceCache } from '../../billing/price-cache.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { DecodedVirtualModel } from '../channels/virtual-models.ts'
import type {
  AuthenticatedContext,
  CallContext,
  ResolvedRequest,
  ServingCandidate,
  VirtualCall,
} from '../context.ts'
import { bothModes, type ReservedModes } from '../price-fields/reserved-modes.ts'
import { findUsableBackup } from '../routing/channel-index.ts'
import { findWarmKey } from '../routing/warm-keys.ts'
import { timeOfDayAt, traitsOf, unmetCondition } from './conditions.ts'
import { byTier, drawOrder } from './order.ts'

/** A resolved call, and the reservation that it needs. */
export type ReservedRequest = { resolved: ResolvedRequest; reservation: Reservation }

/** Resolves a request in the caller's group of that moment. */
type Resolve = (parsed: ParsedRequest) => ReservedRequest | Promise<ReservedRequest>

type Resolved = ServingCandidate & { tier: number; weight: number; reservation: Reservation }

/**
 * Resolves a call that names a virtual model to its first candidate, and notes the others for the time when that fails.
 * The reservation covers every candidate that may serve. Throws where none does.
 */
export const resolveVirtual = async (
  app: App,
  context: AuthenticatedContext,
  { virtual, parsed }: { virtual: DecodedVirtualModel; parsed: ParsedRequest },
  resolve: Resolve,
): Promise<ReservedRequest> => {
  await moveToAllowedGroup(app, context, virtual)
  const { name, version } = virtual
  const note: VirtualCall['note'] = { name, version, candidates: [] }
  context.virtual = { note, group: context.caller.group, rest: [] }
  const able: Resolved[] = []
  const refused = new Map<CandidateReason, Fault>()
  const { caller } = context
  for (const candidate of virtual.candidates) {
    const noted: ServingCandidate['noted'] = {
      ...{ model: candidate.model, group: candidate.group, tier: candidate.tier },
      tried: false,
    }
    const result = await resolveCandidate(app, context, { candidate, parsed, resolve, noted })
    context.caller = caller
    context.backup = undefined
    if (result.candidate) {
      able.push(result.candidate)
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
  context.virtual.rest = [...ordered]
  const first = moveToNextCandidate(context)!
  return { resolved: first, reservation: unionOf(ordered) }
}

/** Makes the next candidate the call's target. Undefined: none is left. */
export const moveToNextCandidate = (
  context: AuthenticatedContext,
): ServingCandidate | undefined => {
  const next = context.virtual?.rest.shift()
  if (!context.virtual || !next) return undefined
  context.parsed = next.parsed
  context.target = next.target
  context.caller = next.caller
  context.backup = next.backup
  context.record.route = { candidates: next.target.candidates.size, virtual: context.virtual.note }
  next.noted.tried = true
  return next
}

/** A virtual model is open to the groups that it names: the token's own, or else its backup group. */
const moveToAllowedGroup = async (
  app: App,
  context: AuthenticatedContext,
  { name, groups }: DecodedVirtualModel,
): Promise<void> => {
  const { caller } = context
  if (groups.has(caller.group)) return
  const backup = await findUsableBackup(app, caller)
  if (backup === undefined || !groups.has(backup))
    throw new Fault('model.unknown', { hint: `Model: ${name}.` })
  context.caller = { ...caller, group: backup }
}

type CandidateRequest = {
  candidate: VirtualCandidate
  parsed: ParsedRequest
  resolve: Resolve
  noted: ServingCandidate['noted']
}

type CandidateResult =
  | { candidate: Resolved }
  | { candidate?: undefined; reason: CandidateReason; fault: Fault }

/** Moves the context to the candidate's group; the caller moves it back. */
const resolveCandidate = async (
  app: App,
  context: AuthenticatedContext,
  { candidate, parsed, resolve, noted }: CandidateRequest,
): Promise<CandidateResult> => {
  const { model, group, tier, weight } = candidate
  if (group !== '') context.caller = { ...context.caller, group, backupGroup: '' }
  const hint = `Model: ${context.virtual?.note.name}.`
  try {
    const reserved = await resolve({ ...parsed, model, isModelReplaced: true })
    const { resolved, reservation } = reserved
    const traits = traitsOf(resolved.parsed, timeOfDayAt(app, nowSeconds(app)))
    const unmet = unmetCondition(candidate, traits)
    if (unmet) return { reason: unmet, fault: new Fault('model.no_candidate', { hint }) }
    const { caller, backup } = context
    if (!isPriced(app, [{ group: caller.group, ...reservation }, ...(reservation.others ?? [])]))
      return { reason: 'no_price', fault: new Fault('price.unknown', { hint }) }
    return { candidate: { ...resolved, caller, backup, noted, tier, weight, reservation } }
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
const orderCandidates = (
  app: App,
  context: AuthenticatedContext,
  able: readonly Resolved[],
): Resolved[] =>
  byTier(able).flatMap(tier => {
    const drawn = drawOrder(tier)
    if (tier.length === 1) return drawn
    const warm = drawn.find(({ parsed, target, caller }) =>
      findWarmKey(app, { ...context, parsed, target, caller } as CallContext),
    )
    return warm ? [warm, ...drawn.filter(each => each !== warm)] : drawn
  })

/** Covers the most expensive candidate, whichever serves. */
const unionOf = ([first, ...rest]: readonly Resolved[]): Reservation => {
  const { reservation } = first!
  if (rest.length === 0) return reservation
  const others = rest.flatMap(({ caller, reservation: { models, others = [] } }) => [
    { group: caller.group, models },
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
    outputBound: widest([first!, ...rest].map(each => each.reservation.outputBound)),
    others: [...(reservation.others ?? []), ...others],
  }
}

/** Covers the longest answer of any candidate. */
const widest = (bounds: readonly (OutputBound | undefined)[]): OutputBound | undefined =>
  bounds.reduce((one, other) => {
    if (!one || !other) return one ?? other
    const isUnseen = one.unseen !== undefined || other.unseen !== undefined
    return {
      most: Math.max(one.most, other.most),
      unseen: isUnseen ? Math.max(one.unseen ?? 0, other.unseen ?? 0) : undefined,
      reasoning: Math.max(one.reasoning, other.reasoning),
      least: Math.max(one.least, other.least),
    }
  })
