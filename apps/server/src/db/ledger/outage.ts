import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import type { Logger } from 'pino'
import type { SuspendTolerantClock } from '../../lib/time/suspend-tolerant-clock.ts'
import { type LedgerOperation, notStartedHint, type Outcome } from '../operations.ts'
import type { QueuedOperation } from './batching.ts'
import type { Journal } from './journal.ts'

const retryMilliseconds = 200

type OutageOptions = {
  journal: Journal
  clock: SuspendTolerantClock
  log: Logger
  answer(entry: QueuedOperation, outcome: Outcome): void
  refuse(entry: QueuedOperation, error: unknown): void
  /** True while a batch is in flight: the journal is replayed only between batches. */
  isWriting(): boolean
  isClosed(): boolean
  /** Posts the journal; returns how many operations had been appended by then. */
  replay(): Promise<number>
  onEnd(): void
}

export const unavailableFault = (cause?: unknown, hint?: string) =>
  new Fault('server.ledger', {
    retryAfterSeconds: 1,
    ...(hint !== undefined && { hint }),
    ...(cause !== undefined && { cause }),
  })

/** The expected outcome of a journaled operation. The real one is known after the replay. */
const presumedOutcome = (operation: LedgerOperation): Outcome =>
  operation.kind === 'settle'
    ? { ok: true, charged: operation.charge, shortfall: 0, late: false }
    : { ok: true }

/** The time in which the database is unavailable: the journal takes ends of calls, and everything else is refused. */
export class Outage {
  /** Clock milliseconds; undefined while the database is available. */
  since: number | undefined
  #recovering: Promise<void> | undefined
  readonly #options: OutageOptions

  constructor(options: OutageOptions) {
    this.#options = options
  }

  /** Starts the outage, or continues a running one. `sent` operations may have been committed, `queued` ones were not. */
  begin(sent: readonly QueuedOperation[], queued: readonly QueuedOperation[], cause?: unknown) {
    const { clock, log } = this.#options
    if (this.since === undefined) {
      this.since = clock.now()
      log.error({ err: cause }, 'the ledger cannot be written: nothing new is admitted')
    }
    for (const entry of sent) this.answerWithoutDatabase(entry, true, cause)
    for (const entry of queued) this.answerWithoutDatabase(entry, false, cause)
    this.#recovering ??= this.#recover()
  }

  /** Journals settles and voids, and refuses all other operations. */
  answerWithoutDatabase(entry: QueuedOperation, wasSent: boolean, cause?: unknown) {
    if (entry.answered) return
    const { kind, id } = entry.operation
    if (kind === 'settle' || kind === 'void') return void this.#writeToJournal(entry)
    const hint = kind === 'hold' ? notStartedHint : undefined
    this.#options.refuse(entry, unavailableFault(cause, hint))
    // The hold may have been committed, but its call is refused: the journaled void releases it.
    if (kind === 'hold' && wasSent)
      this.#options.journal.append({ kind: 'void', id }).catch(() => {})
  }

  /** Resolves when the recovery loop has ended. */
  async ended(): Promise<void> {
    await this.#recovering
  }

  async #writeToJournal(entry: QueuedOperation) {
    const { journal, answer, refuse } = this.#options
    try {
      await journal.append(entry.operation)
      answer(entry, presumedOutcome(entry.operation))
    } catch (error) {
      refuse(entry, error)
    }
  }

  async #recover() {
    const { journal, clock, log, isWriting, isClosed, replay, onEnd } = this.#options
    while (this.since !== undefined && !isClosed()) {
      await sleep(retryMilliseconds)
      if (isWriting()) continue
      const replayed = await replay().catch(() => undefined)
      // Operations appended during the replay are not posted yet, and nothing would replay them later.
      if (replayed === journal.count) {
        log.info({ seconds: (clock.now() - this.since) / 1000 }, 'the ledger is available again')
        this.since = undefined
        onEnd()
      }
    }
    this.#recovering = undefined
  }
}
