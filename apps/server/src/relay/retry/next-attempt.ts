import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { CallContext } from '../context.ts'
import { hasOtherKey } from '../routing/keys.ts'
import { pick, pickCoolingDown } from '../routing/pick.ts'
import type { AttemptAccount } from './hedge.ts'
import type { RetryCriteria } from './outcome.ts'
import { shareBeforeMove } from './retry-budget.ts'

/**
 * A channel that another call probes is asked only if the call has no healthy one, and a channel that is cooling down only
 * if it has no other at all, and only once, so that an outage stays cheap. The estimate of the prompt is cautious: channels
 * that it exceeds are asked where no other is left, unless the prompt is too long for certain.
 */
export const pickChannel = (
  { target, backup, virtual, parsed }: CallContext,
  criteria: RetryCriteria,
  tries: number,
) => {
  const { candidates } = target
  const healthy = pick(candidates, criteria)
  if (healthy || backup || (virtual && virtual.rest.length > 0)) return healthy
  const unprobed = { ...criteria, isProbed: undefined }
  const likely = { ...unprobed, promptTokens: leastPromptTokens(parsed) }
  return (
    pick(candidates, unprobed) ??
    pick(candidates, likely) ??
    (tries === 0 ? pickCoolingDown(candidates, likely) : undefined)
  )
}

/** A token of English prose or code has rarely more than six bytes, of which the estimate takes three for a token. */
const leastPromptTokens = ({ promptTokens, mediaTokens = 0 }: ParsedRequest): number =>
  Math.floor((promptTokens - mediaTokens) / 2)

/** The part of the retry budget that an attempt may use: what a move to another group or model needs is left. */
export const shareOf = (context: CallContext, tries: number): number =>
  tries > 0 && canMove(context) ? shareBeforeMove : 1

const canMove = ({ backup, virtual }: CallContext): boolean =>
  backup !== undefined || (virtual !== undefined && virtual.rest.length > 0)

export type RunningAttempt = { account: AttemptAccount; criteria: RetryCriteria; tries: number }

/** Says whether the call would have another attempt if this one failed now. */
export const canTryAnother = (
  app: App,
  context: CallContext,
  { account, criteria, tries }: RunningAttempt,
): boolean => {
  const { retryBudgets: budgets, forcedChannel, startedAt, abort } = context
  const { RetryTimes, RetryTimeOut } = app.settings().retry
  const now = app.monotonic()
  const isOver = now > startedAt + RetryTimeOut * 1_000 || abort.reason !== undefined
  if (!budgets || isOver || forcedChannel?.only !== undefined) return false
  if (canMove(context) && budgets.moves.canTakeRetry(now)) return true
  if (tries >= RetryTimes) return false
  return (
    hasOtherAccount(app, context, { account, criteria, tries }) &&
    budgets.retries.canTakeRetry(now, shareOf(context, tries + 1))
  )
}

const hasOtherAccount = (
  app: App,
  context: CallContext,
  { account: { channel, key }, criteria, tries }: RunningAttempt,
): boolean => {
  const excluded = new Set(criteria.excluded).add(channel.id)
  if (pickChannel(context, { ...criteria, excluded }, tries + 1)) return true
  if (channel.keys.length === 1 || context.target.key) return false
  const failed = new Set(context.failedKeys).add(key)
  return hasOtherKey(app, channel, { ...criteria, failed })
}
