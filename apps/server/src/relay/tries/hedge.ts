import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { Timer } from '../../lib/time/timers.ts'
import { type AbortReason, makeAbort, makeUpstreamState } from '../call-state.ts'
import { abortRequest, type CallContext } from '../context.ts'
import { startProbe } from '../routing/cooldown.ts'
import { noteChoice } from '../routing/route-note.ts'
import type { ErrorClassification } from '../upstream/classify-error.ts'
import type { Account } from './call-attempts.ts'
import {
  type EndedAttempt,
  type RetryCriteria,
  recordCancelled,
  recordEnd,
  type StartedAttempt,
} from './outcome.ts'

/** Passes an opened answer to the caller. Resolves with a classification where the caller has no byte of it. */
type Deliver = (context: CallContext) => Promise<ErrorClassification | undefined>

export type OpenOptions = {
  /** Runs at the first event of a stream, whose output may come later. */
  onEvent(): void
  /** Says whether a failure now would leave the call another attempt. */
  canTryAnother(): boolean
}

/**
 * Opens an answer, and resolves at its first output, or at the first byte of a whole answer, with the function that
 * delivers it; with a classification where it fails before that. It writes nothing to the caller.
 */
export type OpenChannel = (
  context: CallContext,
  account: Account,
  options: OpenOptions,
) => Promise<ErrorClassification | Deliver>

type HedgedCall = {
  open: OpenChannel
  criteria: RetryCriteria
  first: Account
  /** The first attempt may be silent for this long before the second starts. */
  budgetMs: number
  /** Chooses the second channel; undefined where none is usable, or the retry budget is used up. */
  chooseSecond(): Account | undefined
  /** Says whether a failure of the first attempt now would leave the call another one. */
  canTryAnother(): boolean
}

/**
 * Starts a second attempt where the first is silent for too long. The first output of either decides: the other attempt
 * is cancelled, and only then the caller gets a byte. An attempt that fails before it leaves the call to the other.
 */
export const startHedged = async (
  app: App,
  context: CallContext,
  call: HedgedCall,
): Promise<EndedAttempt> => {
  const start = new HedgedStart(app, context, call)
  const { racer, result } = await start.run()
  const { channel, key, startedAt } = racer
  try {
    const error = typeof result === 'function' ? await result(context) : result
    return { channel, key, startedAt, error }
  } finally {
    racer.endProbe?.()
  }
}

type Racer = StartedAttempt & {
  /** The call's, with an abort and an upstream of its own. */
  context: CallContext
  endProbe: (() => void) | undefined
  isOver: boolean
}
type Decided = { racer: Racer; result: ErrorClassification | Deliver }

class HedgedStart {
  private readonly app: App
  private readonly context: CallContext
  private readonly call: HedgedCall
  private readonly decision = Promise.withResolvers<Decided>()
  private readonly racers: Racer[] = []
  private timer: Timer | undefined

  constructor(app: App, context: CallContext, call: HedgedCall) {
    this.app = app
    this.context = context
    this.call = call
  }

  run(): Promise<Decided> {
    const { app, context, call } = this
    context.abort.onAbort = reason => this.abort(reason)
    this.timer = timers(app).start(call.budgetMs, () => {
      const second = call.chooseSecond()
      if (second) this.start(second)
    })
    this.start(call.first)
    return this.decision.promise
  }

  private start({ channel, key }: Account) {
    const { app, call } = this
    const abort = { ...makeAbort(), reason: this.context.abort.reason }
    const context: CallContext = { ...this.context, abort, upstream: makeUpstreamState() }
    const racer: Racer = {
      ...{ channel, key, context, startedAt: app.monotonic(), isOver: false },
      endProbe: startProbe(app, key, call.criteria, this.context.response),
    }
    this.racers.push(racer)
    call.open(context, { channel, key }, this.optionsOf(racer)).then(
      result => this.onResult(racer, result),
      error => this.onError(racer, error),
    )
  }

  private optionsOf(racer: Racer): OpenOptions {
    return {
      // A channel that has begun to answer is not silent.
      onEvent: () => {
        if (this.timer && this.racers.length === 1) timers(this.app).stop(this.timer)
      },
      canTryAnother: () => this.hasOther(racer) || this.call.canTryAnother(),
    }
  }

  private hasOther(racer: Racer): boolean {
    return this.racers.some(each => each !== racer && !each.isOver)
  }

  private onResult(racer: Racer, result: ErrorClassification | Deliver) {
    if (racer.isOver) return
    if (typeof result === 'function' || !this.hasOther(racer)) {
      this.decide(racer)
      return this.decision.resolve({ racer, result })
    }
    racer.isOver = true
    racer.endProbe?.()
    const { channel, key, startedAt } = racer
    const { app, context, call } = this
    recordEnd(app, context, call.criteria, { channel, key, startedAt, error: result })
  }

  private onError(racer: Racer, error: unknown) {
    if (racer.isOver) return this.app.log.error({ err: error }, 'a cancelled attempt failed')
    this.decide(racer)
    racer.endProbe?.()
    this.decision.reject(error)
  }

  /** Cancels the other attempt, and gives the call what the deciding one has set. */
  private decide(racer: Racer) {
    const { app, context, call, timer } = this
    if (timer) timers(app).stop(timer)
    racer.isOver = true
    for (const other of this.racers) if (!other.isOver) this.cancel(other)
    const { channel, startedAt } = racer
    Object.assign(context.upstream, racer.context.upstream)
    context.abort.onAbort = undefined
    if (this.racers.length > 1) noteChoice(app, context, call.criteria, channel, startedAt)
  }

  private cancel(racer: Racer) {
    racer.isOver = true
    abortRequest(racer.context, 'hedge-lost')
    racer.endProbe?.()
    recordCancelled(this.app, this.context, racer)
  }

  /** One attempt alone bears the consequences of a caller who leaves: a call is abandoned once. */
  private abort(reason: AbortReason) {
    if (this.timer) timers(this.app).stop(this.timer)
    const [first, ...others] = this.racers.filter(each => !each.isOver)
    for (const each of others) this.cancel(each)
    if (first) abortRequest(first.context, reason)
  }
}
