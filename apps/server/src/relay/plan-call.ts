import { type CallerFormat, type ParsedRequest, readFieldRanges } from '@hub/dialects'
import type { Reservation } from '../billing/open-hold.ts'
import { bothTools } from '../billing/prices/held-tools.ts'
import type { App } from '../core/app.ts'
import { findVirtualModel } from './channels/virtual-models.ts'
import { type CallTarget, callerIn, type ReadContext, type ResolvedRequest } from './context.ts'
import { withDefaultEffort } from './operations/effort-name.ts'
import type { Operation } from './operations/operation.ts'
import { boundOutput } from './operations/unseen-output.ts'
import { bothModes, reservedModes } from './price-fields/reserved-modes.ts'
import { reservedTools } from './price-fields/reserved-tools.ts'
import { type CallPlan, planVirtual } from './virtual-models/resolve.ts'

/** Plans where a call may go and what it may cost: the model's channels, or those of a virtual model's candidates. */
export const planCall = (
  app: App,
  context: ReadContext,
  operation: Operation,
): CallPlan | Promise<CallPlan> => {
  const plan = (request: ReadContext): CallPlan | Promise<CallPlan> => {
    const resolved = operation.resolveTarget(app, request, request.parsed)
    return resolved instanceof Promise
      ? resolved.then(each => planResolved(app, request, operation, each))
      : planResolved(app, request, operation, resolved)
  }
  const virtual = findVirtualModel(app, context.parsed.model)
  if (!virtual) return plan(context)
  return planVirtual(app, context, virtual, (request, effort) =>
    plan(effort === '' ? request : withDefaultEffort(request, operation, effort)),
  )
}

const planResolved = (
  app: App,
  context: ReadContext,
  operation: Operation,
  resolved: ResolvedRequest,
): CallPlan | Promise<CallPlan> => {
  const targets = targetsOf(context, resolved)
  const reservation = reserveAll(context, operation, targets)
  const bound = boundOutput(
    app,
    {
      parsed: resolved.parsed,
      dialect: context.dialect,
      endpoints: operation.endpoints,
      groups: targets.map(each => each.target.candidates),
    },
    reservation,
  )
  const withBound = (outputBound: Reservation['outputBound']): CallPlan => ({
    targets,
    reservation: { ...reservation, outputBound },
  })
  return bound instanceof Promise ? bound.then(withBound) : withBound(bound)
}

/** A call that only some channels may serve, because they store what it continues, has no backup group. */
const targetsOf = (
  context: ReadContext,
  { parsed, target }: ResolvedRequest,
): readonly CallTarget[] => {
  const { backup } = target
  const own = { parsed, target, caller: callerIn(context.caller, target.group) }
  if (!backup) return [own]
  const caller = callerIn(context.caller, backup.group)
  return [own, { parsed, target: { ...target, ...backup }, caller, isBackup: true }]
}

/** Reserves what the call costs in its own group or in the backup group of its token, whichever is more. */
const reserveAll = (
  { request: { headers } }: ReadContext,
  operation: Operation,
  [own, backup]: readonly CallTarget[],
): Reservation => {
  const modesOf = ({ parsed, target }: CallTarget) =>
    reservedModes(parsed, headers, target.candidates)
  const tools = reservedTools(own!.parsed, own!.target.candidates)
  const reservation = { ...operation.reservation(own!), ...modesOf(own!), ...(tools && { tools }) }
  if (!backup) return reservation
  const { models, promptTokens } = operation.reservation(backup)
  return {
    ...reservation,
    ...bothModes(reservation, modesOf(backup)),
    promptTokens: Math.max(reservation.promptTokens, promptTokens),
    tools: bothTools(tools, reservedTools(backup.parsed, backup.target.candidates)),
    others: [{ group: backup.caller.group, models }],
  }
}

/** Writes the limit that balance and cap cover into the request of each target. Undefined: they cover all. */
export const limitAnswer = (
  format: CallerFormat,
  targets: readonly CallTarget[],
  limit: number | undefined,
): readonly CallTarget[] =>
  limit === undefined || !format.limitOutput
    ? targets
    : targets.map(each => ({ ...each, parsed: withLimit(format, each.parsed, limit) }))

const withLimit = (
  { limitOutput }: CallerFormat,
  parsed: ParsedRequest,
  limit: number,
): ParsedRequest => {
  const body = limitOutput!(parsed, limit, parsed.model)
  const read = readFieldRanges(body, 0, body.length, [])
  const fieldRanges = read.ok ? read.fieldRanges : parsed.fieldRanges
  return { ...parsed, body, fieldRanges, outputMax: limit, isLimitOurs: true }
}
