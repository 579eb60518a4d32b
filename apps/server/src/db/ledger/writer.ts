import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import type { Logger } from 'pino'
import { failpoint } from '../../lib/failpoint.ts'
import { endsWithin } from '../../lib/time/ends-within.ts'
import {
  makeSuspendTolerantClock,
  type SuspendTolerantClock,
} from '../../lib/time/suspend-tolerant-clock.ts'
import type { Engine } from '../engines/engine.ts'
import type { LedgerWriter } from '../index.ts'
import { idsPerEpoch, type LedgerOperation, type Outcome, type OutcomeOf } from '../operations.ts'
import { BatchWindow } from './batch-window.ts'
import { type QueuedOperation, takeBatch, validateOperation } from './batching.ts'
import type { Journal } from './journal.ts'
import { Outage, unavailableFault } from './outage.ts'
import { replayJournal } from './replay.ts'
import { WritePace } from './write-pace.ts'

export type Writer = LedgerWriter & {
  /** Takes a new epoch because `staleEpoch` has expired. Does nothing if a newer epoch is in use already. */
  renew(staleEpoch: number): Promise<void>
  /** Tells how long a write took that did not come from a call. */
  notePace(milliseconds: number): void
  /** Posts the operations in the journal. Rejects while the database is unavailable. */
  replay(): Promise<void>
  close(): Promise<void>
}

type WriterOptions = {
  engine: Engine
  epoch: number
  journal: Journal
  log: Logger
  openEpoch(): Promise<number>
}

/** A queue of this length is sent at once; a transaction of so many operations takes about 2 ms. */
const fullBatch = 256
/** The age after which an operation is answered without the database, unless that is known to be slow. */
const timeoutMilliseconds = 1000
const retryMilliseconds = 50
/** Time for a replay that runs when the writer is closed. What it leaves is replayed at the next start. */
const replayMaxMs = 300

/** The most that closing takes while the disk takes the journal: for the batch in flight, and for one of what is queued. */
export const writerCloseMaxMs = 2 * timeoutMilliseconds + replayMaxMs

export const startWriter = (options: WriterOptions): Writer => new BatchWriter(options)

/** Collects operations and writes them in batches: one transaction at a time. */
class BatchWriter implements Writer {
  epoch: number
  #issuedIds = 0
  readonly #engine: Engine
  readonly #journal: Journal
  readonly #log: Logger
  readonly #openEpoch: () => Promise<number>
  /** Runs while an operation is unanswered or the database is unavailable. */
  readonly #clock: SuspendTolerantClock = makeSuspendTolerantClock()
  readonly #outage: Outage
  readonly #queue: QueuedOperation[] = []
  readonly #batchWindow = new BatchWindow()
  readonly #pace = new WritePace(timeoutMilliseconds)
  #inFlight: QueuedOperation[] | undefined
  /** Arrival of the first operation that is in no batch yet. */
  #windowStart: number | undefined
  #scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined
  #renewing: Promise<void> | undefined
  #isClosed = false

  constructor({ engine, epoch, journal, log, openEpoch }: WriterOptions) {
    this.epoch = epoch
    this.#engine = engine
    this.#journal = journal
    this.#log = log
    this.#openEpoch = openEpoch
    this.#outage = new Outage({
      journal,
      clock: this.#clock,
      log,
      answer: this.#answer,
      refuse: this.#refuse,
      isWriting: () => this.#inFlight !== undefined,
      isClosed: () => this.#isClosed,
      replay: () => this.#replay(),
      onEnd: () => this.#stopIdleClock(),
    })
  }

  readonly nextId = (): number => {
    if (this.#issuedIds >= idsPerEpoch - 1)
      throw new Fault('server.ledger', { detail: 'out of ids' })
    return this.epoch * idsPerEpoch + ++this.#issuedIds
  }

  readonly submit = <O extends LedgerOperation>(operation: O): Promise<OutcomeOf<O>> => {
    const fault = validateOperation(operation)
    if (fault) return Promise.reject(fault)
    if (this.#isClosed) return Promise.reject(unavailableFault())
    return new Promise<OutcomeOf<O>>((resolve, reject) => {
      this.#clock.start()
      const since = this.#windowStart ?? this.#clock.now()
      const entry: QueuedOperation = { operation, since, answered: false, resolve, reject }
      if (this.#outage.since !== undefined) return this.#outage.answerWithoutDatabase(entry, false)
      this.#windowStart = since
      this.#queue.push(entry)
      this.#schedule()
    })
  }

  readonly lag = (): number => {
    const { since } = this.#outage
    if (since !== undefined) return this.#clock.now() - since + timeoutMilliseconds
    const oldest = this.#inFlight?.[0]?.since ?? this.#queue[0]?.since
    if (oldest === undefined) return 0
    return Math.max(0, this.#clock.lastTick() - oldest - this.#pace.allowance())
  }

  readonly notePace = (milliseconds: number): void => this.#pace.note(milliseconds)

  async renew(staleEpoch: number): Promise<void> {
    if (staleEpoch !== this.epoch) return
    this.#renewing ??= this.#openEpoch()
      .then(epoch => {
        this.#log.warn(
          { stale: staleEpoch, epoch },
          'declared dead by another node: continuing with a new epoch',
        )
        this.epoch = epoch
        this.#issuedIds = 0
      })
      .finally(() => {
        this.#renewing = undefined
      })
    await this.#renewing
  }

  async replay(): Promise<void> {
    await this.#replay()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // A batch whose operations went to the journal meanwhile need not be waited for: its connection may never answer.
    while (this.#queue.length > 0 || this.#inFlight?.some(each => !each.answered)) {
      if (!this.#inFlight) void this.#flush()
      await sleep(1)
    }
    await endsWithin(this.#outage.ended(), replayMaxMs)
    this.#clock.stop()
    await this.#journal.close()
  }

  #replay(): Promise<number> {
    return replayJournal({
      engine: this.#engine,
      journal: this.#journal,
      log: this.#log,
      epoch: () => this.epoch,
      renew: epoch => this.renew(epoch),
    })
  }

  readonly #answer = (entry: QueuedOperation, outcome: Outcome) => {
    if (entry.answered) return
    entry.answered = true
    entry.resolve(outcome as OutcomeOf<never>)
  }

  readonly #refuse = (entry: QueuedOperation, error: unknown) => {
    if (entry.answered) return
    entry.answered = true
    entry.reject(error)
  }

  #markUnavailable(cause?: unknown) {
    this.#windowStart = undefined
    this.#outage.begin(this.#inFlight ?? [], this.#queue.splice(0), cause)
  }

  #schedule() {
    const oldest = this.#queue[0]
    if (this.#inFlight || !oldest) return
    if (this.#queue.length >= fullBatch) {
      if (this.#scheduled) clearTimeout(this.#scheduled as NodeJS.Timeout)
      return void this.#flush()
    }
    if (this.#scheduled) return
    const window = this.#batchWindow.milliseconds()
    if (window === 0) this.#scheduled = setImmediate(this.#flush)
    else {
      const waited = this.#clock.now() - oldest.since
      this.#scheduled = setTimeout(this.#flush, Math.max(0, window - waited))
    }
  }

  readonly #flush = async () => {
    this.#scheduled = undefined
    if (this.#inFlight || this.#queue.length === 0) return
    const batch = takeBatch(this.#queue)
    this.#inFlight = batch
    this.#windowStart = undefined
    const stopWatching = this.#watchTimeout(batch)
    try {
      await this.#write(batch, false)
    } catch (error) {
      this.#markUnavailable(error)
    } finally {
      stopWatching()
      this.#inFlight = undefined
      this.#schedule()
      this.#stopIdleClock()
    }
  }

  #stopIdleClock() {
    const isIdle = this.#queue.length === 0 && !this.#inFlight
    if (isIdle && this.#outage.since === undefined) this.#clock.stop()
  }

  /** A stop waits no longer than usual: what is not written by then is in the journal. */
  #timeoutMs(): number {
    return timeoutMilliseconds + (this.#isClosed ? 0 : this.#pace.allowance())
  }

  /** Starts an outage if the batch is still in flight after the timeout. Returns the function that stops watching. */
  #watchTimeout(batch: QueuedOperation[]): () => void {
    const sentAt = this.#clock.now()
    // Checks after the messages that are already waiting, and counts only time in which this process was able to run:
    // a busy main thread is not an unavailable database.
    const check = () =>
      setImmediate(() => {
        if (batch !== this.#inFlight) return
        const left = sentAt + this.#timeoutMs() - this.#clock.now()
        if (left > 0) timer = setTimeout(check, Math.min(left, timeoutMilliseconds))
        else this.#markUnavailable()
      })
    let timer = setTimeout(check, timeoutMilliseconds)
    return () => clearTimeout(timer)
  }

  /** Writes one transaction, or several if an operation makes it fail. Every entry is answered when this resolves. */
  async #write(entries: QueuedOperation[], isReplay: boolean): Promise<void> {
    if (entries.length === 0) return
    const { epoch } = this
    try {
      const operations = entries.map(each => each.operation)
      failpoint('ledger asked')
      const askedAt = this.#clock.now()
      const outcomes = await this.#engine.runBatch(epoch, operations, isReplay)
      failpoint('ledger answered')
      this.#pace.note(this.#clock.now() - askedAt)
      for (let at = 0; at < entries.length; at++) this.#answer(entries[at]!, outcomes[at]!)
    } catch (error) {
      await this.#handleFailure(entries, isReplay, epoch, error)
    }
  }

  async #handleFailure(
    entries: QueuedOperation[],
    isReplay: boolean,
    epoch: number,
    error: unknown,
  ): Promise<void> {
    const kind = this.#engine.classifyError(error)
    if (kind === 'invalid') {
      if (entries.length > 1) return this.#bisect(entries, isReplay)
      const { operation } = entries[0]!
      this.#log.error(
        { err: error, operation: operation.kind, id: operation.id },
        'refused by the ledger',
      )
      return this.#refuse(entries[0]!, new Fault('server.failed', { cause: error }))
    }
    if (kind === 'fenced') {
      await this.renew(epoch)
      for (const entry of entries)
        if (entry.operation.kind === 'hold') this.#refuse(entry, unavailableFault())
      return this.#write(
        entries.filter(entry => !entry.answered),
        true,
      )
    }
    const waited = this.#clock.now() - Math.min(...entries.map(each => each.since))
    const isTimedOut = waited + retryMilliseconds > timeoutMilliseconds
    if (this.#outage.since !== undefined || isTimedOut) return this.#markUnavailable(error)
    await sleep(retryMilliseconds)
    return this.#write(entries, true)
  }

  async #bisect(entries: QueuedOperation[], isReplay: boolean): Promise<void> {
    const middle = entries.length >> 1
    await this.#write(entries.slice(0, middle), isReplay)
    await this.#write(entries.slice(middle), isReplay)
  }
}
