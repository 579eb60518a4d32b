import type { StopReason } from '../routing/route-note.ts'

/** Bounds attempts. Times are monotonic milliseconds. */
export type AttemptBudget<Target> = {
  /** Counts the call, whose first attempt is free, whichever target it asks. */
  begin(target: Target): void
  /** Undefined: the budget is used up. Otherwise the function is called once the attempt has ended. */
  take(kind: AttemptKind, share: number): ((isAnswered: boolean) => void) | undefined
  canTake(kind: AttemptKind, share: number): boolean
  takeHedge(kind: AttemptKind): boolean
}

/** A retry asks the same target again, a move is the first attempt at another. */
export type AttemptKind = 'retry' | 'move'

/** The order of attempts learns from these of the call, its targets and the health of their channels. */
export type AttemptPorts<Target, Account, Failure> = {
  now(): number
  isAborted(): boolean
  /** The caller named the only channel. */
  isForced: boolean
  /** Further attempts at each target. */
  retriesMax: number
  /** No further attempt starts after this. */
  endsAt: number
  budget: AttemptBudget<Target>
  /** Runs before a target is tried. */
  enter(target: Target): void
  /** Chooses the channel and key of an attempt; `isLast`: the call has no further target. */
  pick(target: Target, tries: number, isLast: boolean): Account | undefined
  /** Chooses another channel for a second attempt beside the running one. */
  pickSecond(target: Target, running: Account): Account | undefined
  /** Says whether there is a channel or key beside that of the running attempt. */
  hasOther(target: Target, running: Account, attempt: { tries: number; isLast: boolean }): boolean
  /** Runs when a target is given up for the next one, or where there is none, for good. */
  leave(
    target: Target,
    end: { stop: StopReason; last: Failure | undefined; next: Target | undefined },
  ): void
}

/** An attempt before a move may use this part of the budget of retries. */
export const shareBeforeMove = 0.5

type CurrentAttempt<Account> = {
  account: Account
  kind: AttemptKind
  end: ((isAnswered: boolean) => void) | undefined
}

/** Another target helps where this one has no healthy channel left; not after a refusal that all would repeat. */
const movable: ReadonlySet<StopReason> = new Set(['no_candidate', 'retry_limit', 'retry_budget'])

/**
 * The order in which a call tries channels: target by target, each until its retries, their budget or its channels are
 * used up. `next` and `end` take turns; after an answer there is no further attempt.
 */
export class Attempts<Target, Account, Failure extends { canRetry: boolean }> {
  readonly #targets: readonly Target[]
  readonly #ports: AttemptPorts<Target, Account, Failure>
  #index = 0
  /** Attempts at the current target that failed. */
  #tries = 0
  /** Second attempts beside the running one. */
  #hedges = 0
  #turn: CurrentAttempt<Account> | undefined
  #last: Failure | undefined
  #stop: StopReason | undefined
  #isBegun = false
  #isEntered = false
  #isOver = false

  constructor(targets: readonly Target[], ports: AttemptPorts<Target, Account, Failure>) {
    this.#targets = targets
    this.#ports = ports
  }

  /** The next channel and key to ask; undefined: the call has failed. */
  next(): { target: Target; account: Account } | undefined {
    while (!this.#isOver) {
      const target = this.#targets[this.#index]!
      if (!this.#isEntered) this.#ports.enter(target)
      this.#isEntered = true
      this.#stop ??= this.#take(target)
      if (this.#stop === undefined) return { target, account: this.#turn!.account }
      this.#move(target, this.#stop)
    }
    return undefined
  }

  /** The attempt has ended; undefined: with an answer. */
  end(failure: Failure | undefined): void {
    const turn = this.#turn
    this.#turn = undefined
    turn?.end?.(failure === undefined)
    this.#tries += this.#hedges + 1
    this.#hedges = 0
    if (!failure) this.#isOver = true
    else {
      this.#last = failure
      this.#stop = this.#stopAfter(failure)
    }
  }

  /** A second channel for the running attempt, which is one of the retries; undefined: there is none. */
  second(): Account | undefined {
    const { budget, pickSecond } = this.#ports
    const turn = this.#turn
    const account = turn && pickSecond(this.#targets[this.#index]!, turn.account)
    if (!account || !budget.takeHedge(turn.kind)) return undefined
    this.#hedges++
    return account
  }

  /** A second channel may be asked beside the running attempt. */
  mayHedge(): boolean {
    return this.#tries < this.#ports.retriesMax && !this.#ports.isForced
  }

  /** Says whether the call would have another attempt if the running one failed now. */
  canTryAnother(): boolean {
    const { now, endsAt, isAborted, isForced, retriesMax, budget, hasOther } = this.#ports
    if (!this.#turn || now() > endsAt || isAborted() || isForced) return false
    const isLast = this.#isLast()
    if (!isLast && budget.canTake('move', 1)) return true
    const tries = this.#tries + this.#hedges + 1
    if (tries > retriesMax) return false
    return (
      hasOther(this.#targets[this.#index]!, this.#turn.account, { tries, isLast }) &&
      budget.canTake('retry', this.#shareOf(tries))
    )
  }

  /** Begins an attempt, or returns why there is none. */
  #take(target: Target): StopReason | undefined {
    const { budget, pick } = this.#ports
    const account = pick(target, this.#tries, this.#isLast())
    if (!account) return 'no_candidate'
    const kind = this.#tries > 0 || !this.#isBegun ? 'retry' : 'move'
    if (!this.#isBegun) {
      this.#isBegun = true
      budget.begin(target)
      this.#turn = { account, kind, end: undefined }
      return undefined
    }
    const end = budget.take(kind, this.#shareOf(this.#tries))
    if (!end) return 'retry_budget'
    this.#turn = { account, kind, end }
    return undefined
  }

  /** Why this target is not tried again; undefined: it is. */
  #stopAfter({ canRetry }: Failure): StopReason | undefined {
    const { now, endsAt, isAborted, isForced, retriesMax } = this.#ports
    if (isAborted()) return 'aborted'
    if (!canRetry) return 'not_retryable'
    if (isForced) return 'forced'
    if (now() > endsAt) return 'time_limit'
    return this.#tries > retriesMax ? 'retry_limit' : undefined
  }

  #move(target: Target, stop: StopReason): void {
    const mayMove = movable.has(stop) && !this.#ports.isAborted()
    const next = mayMove ? this.#targets[this.#index + 1] : undefined
    this.#ports.leave(target, { stop, last: this.#last, next })
    if (!next) this.#isOver = true
    this.#index++
    this.#tries = 0
    this.#last = undefined
    this.#stop = undefined
    this.#isEntered = false
  }

  #isLast(): boolean {
    return this.#index + 1 >= this.#targets.length
  }

  #shareOf(tries: number): number {
    return tries > 0 && !this.#isLast() ? shareBeforeMove : 1
  }
}
