import type { App } from '../../core/app.ts'
import type { CallContext } from '../context.ts'
import { startProbe } from '../routing/cooldown.ts'
import { noteChoice } from '../routing/route-note.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import { type Account, CallAttempts, type HeldCall } from './call-attempts.ts'
import { type OpenChannel, startHedged } from './hedge.ts'
import { type RetryCriteria, recordEnd } from './outcome.ts'

/**
 * Asks one channel. Returns undefined once the caller was answered, and a classification as long as no byte was sent:
 * after the first byte there is no other channel. `canTryAnother` says whether a failure now would leave the call another
 * attempt.
 */
type TryChannel = (
  context: CallContext,
  account: Account,
  canTryAnother: () => boolean,
) => Promise<ErrorClassification | undefined>

type Steps = {
  attempt: TryChannel
  /** Set where two attempts at a time are wanted, and do no harm. */
  open?: OpenChannel | undefined
}

/** Tries the channels of a call's targets until one answers. Throws the error of the call where none does. */
export const tryChannels = async (app: App, held: HeldCall, steps: Steps): Promise<void> => {
  const attempts = new CallAttempts(app, held)
  for (let next = attempts.order.next(); next; next = attempts.order.next()) {
    const { account } = next
    const { context, criteria } = attempts
    if (isChoice(context, criteria)) noteChoice(app, context, criteria, account.channel)
    const failure =
      steps.open && canHedge(attempts)
        ? await attemptHedged(app, attempts, account, steps.open)
        : await attemptAlone(app, attempts, account, steps.attempt)
    attempts.order.end(failure)
    if (!failure) return
    attempts.noteFailure(failure)
  }
  const fault = attempts.fault()
  await held.context.record.upstreamError?.charge?.()
  throw fault
}

/** A call whose only candidate answers at once needs no note of its route. */
const isChoice = ({ target, record }: CallContext, { hasPassedOver }: RetryCriteria): boolean =>
  target.candidates.size > 1 || record.failedAttempts !== undefined || hasPassedOver === true

const attemptAlone = async (
  app: App,
  { context, criteria, order }: CallAttempts,
  account: Account,
  attempt: TryChannel,
): Promise<ErrorClassification | undefined> => {
  const startedAt = app.monotonic()
  const endProbe = startProbe(app, account.key, criteria, context.response)
  try {
    const error = await attempt(context, account, () => order.canTryAnother())
    recordEnd(app, context, criteria, { ...account, startedAt, error })
    return error
  } finally {
    endProbe?.()
  }
}

/** A hedge needs a channel to go to. */
const canHedge = ({ context: { target }, order }: CallAttempts): boolean =>
  order.mayHedge() && target.candidates.size > 1 && target.key === undefined

const attemptHedged = async (
  app: App,
  { context, criteria, order }: CallAttempts,
  account: Account,
  open: OpenChannel,
): Promise<ErrorClassification | undefined> => {
  const ended = await startHedged(app, context, {
    ...{ open, criteria, first: account },
    budgetMs: app.settings().retry.HedgedStartMilliseconds,
    chooseSecond: () => order.second(),
    canTryAnother: () => order.canTryAnother(),
  })
  recordEnd(app, context, criteria, ended)
  return ended.error
}
