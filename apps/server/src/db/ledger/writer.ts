import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '@hub/contract'
import type { Logger } from 'pino'
import { startAwakeClock } from '../../lib/awake.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Engine } from '../engines/engine.ts'
import type { LedgerWriter } from '../index.ts'
import { idsPerEpoch, type Operation, type Outcome, type OutcomeOf } from '../operations.ts'
import { type Entry, takeBatch } from './batching.ts'
import { unsound } from './check.ts'
import type { Journal } from './journal.ts'

export type Writer = LedgerWriter & {
  /** Takes a new epoch because `stale` was declared dead; nothing when that has happened already. */
  renew(stale: number): Promise<void>
  /** Writes what the journal holds. Rejects when the database is away. */
  replay(): Promise<void>
  close(): Promise<void>
}

type Options = {
  engine: Engine
  epoch: number
  journal: Journal
  log: Logger
  openEpoch(): Promise<number>
}

/** What comes until then waits for the others; a transaction of so many takes about 2 ms. */
const batchStart = 256
const gatherMilliseconds = 2
/**
 * Where so many came within it, four times as long costs nobody much and the commits a quarter: a tenth of a call at
 * 5,000/s. Fewer than that may be all calls there are, and nobody else comes.
 */
const crowd = 40
const gatherCrowdMilliseconds = 8
const callsFew = 4
/** An operation older than this is answered without the database. */
const patienceMilliseconds = 1000
const retryMilliseconds = 50

const unavailable = (cause?: unknown) =>
  new Fault('server.ledger', { retryAfterSeconds: 1, ...(cause === undefined ? {} : { cause }) })

/** What a journaled operation will come to, as far as anybody can know now. */
const presumed = (operation: Operation): Outcome =>
  operation.kind === 'settle'
    ? { ok: true, charged: operation.charge, shortfall: 0, late: false }
    : { ok: true }

export const startWriter = ({ engine, journal, log, openEpoch, ...start }: Options): Writer => {
  const clock = startAwakeClock()
  let epoch = start.epoch
  let issued = 0
  const queue: Entry[] = []
  let flying: Entry[] | undefined
  /** When the first came of those that no batch has taken yet. */
  let gatheredSince: number | undefined
  /** How many the last batch had. */
  let lastSize = 0
  let scheduled: NodeJS.Timeout | NodeJS.Immediate | undefined
  /** Calls that hold something: few of them gain nothing by waiting for each other. */
  let calls = 0
  let awaySince: number | undefined
  let returning: Promise<void> | undefined
  let renewing: Promise<void> | undefined
  let closed = false

  const answer = (entry: Entry, outcome: Outcome) => {
    if (entry.answered) return
    entry.answered = true
    const { kind } = entry.operation
    if (kind === 'hold' && outcome.ok) calls++
    if ((kind === 'settle' || kind === 'void') && calls > 0) calls--
    entry.resolve(outcome as OutcomeOf<never>)
  }

  const refuse = (entry: Entry, error: unknown) => {
    if (entry.answered) return
    entry.answered = true
    entry.reject(error)
  }

  const writeDown = async (entry: Entry) => {
    try {
      await journal.append(entry.operation)
      answer(entry, presumed(entry.operation))
    } catch (error) {
      refuse(entry, error)
    }
  }

  /** Answers without the database: ends of calls are written down, beginnings refused. */
  const answerAway = (entry: Entry, wasSent: boolean, cause?: unknown) => {
    if (entry.answered) return
    const { kind, id } = entry.operation
    if (kind === 'settle' || kind === 'void') return void writeDown(entry)
    refuse(entry, unavailable(cause))
    // Whether it was written nobody knows, and nobody waits for it any more.
    if (kind === 'hold' && wasSent) journal.append({ kind: 'void', id }).catch(() => {})
  }

  const goAway = (cause?: unknown) => {
    if (awaySince === undefined) {
      awaySince = clock.now()
      log.error({ err: cause }, 'the ledger cannot be written: nothing new is admitted')
    }
    for (const entry of flying ?? []) answerAway(entry, true, cause)
    gatheredSince = undefined
    for (const entry of queue.splice(0)) answerAway(entry, false, cause)
    returning ??= comeBack()
  }

  const comeBack = async () => {
    while (awaySince !== undefined && !closed) {
      await sleep(200)
      if (flying) continue
      const emptied = await replayAll().catch(() => undefined)
      // What was written down since then is not posted yet, and nobody would come for it later.
      if (emptied === journal.count) {
        log.info({ seconds: (clock.now() - awaySince) / 1000 }, 'the ledger is back')
        awaySince = undefined
      }
    }
    returning = undefined
  }

  const renew = async (stale: number) => {
    if (stale !== epoch) return
    renewing ??= openEpoch()
      .then(fresh => {
        log.warn({ stale, epoch: fresh }, 'declared dead by another node: working on as a new one')
        epoch = fresh
        issued = 0
      })
      .finally(() => {
        renewing = undefined
      })
    await renewing
  }

  /** One transaction, or several when one operation spoils it. Each entry is answered when this resolves. */
  const write = async (entries: Entry[], replayed: boolean): Promise<void> => {
    if (entries.length === 0) return
    const under = epoch
    try {
      const operations = entries.map(each => each.operation)
      failpoint('ledger asked')
      const outcomes = await engine.batch(under, operations, replayed)
      failpoint('ledger answered')
      for (let at = 0; at < entries.length; at++) answer(entries[at]!, outcomes[at]!)
    } catch (error) {
      await mend(entries, replayed, under, error)
    }
  }

  const mend = async (entries: Entry[], replayed: boolean, under: number, error: unknown) => {
    const trouble = engine.troubleOf(error)
    if (trouble === 'bad') {
      if (entries.length > 1) return bisect(entries, replayed)
      const { operation } = entries[0]!
      log.error(
        { err: error, operation: operation.kind, id: operation.id },
        'refused by the ledger',
      )
      return refuse(entries[0]!, new Fault('server.failed', { cause: error }))
    }
    if (trouble === 'fenced') {
      await renew(under)
      for (const entry of entries) if (entry.operation.kind === 'hold') refuse(entry, unavailable())
      return write(
        entries.filter(entry => !entry.answered),
        true,
      )
    }
    const waited = clock.now() - Math.min(...entries.map(each => each.since))
    if (awaySince !== undefined || waited + retryMilliseconds > patienceMilliseconds) {
      return goAway(error)
    }
    await sleep(retryMilliseconds)
    return write(entries, true)
  }

  const bisect = async (entries: Entry[], replayed: boolean) => {
    const middle = entries.length >> 1
    await write(entries.slice(0, middle), replayed)
    await write(entries.slice(middle), replayed)
  }

  const flush = async () => {
    scheduled = undefined
    if (flying || queue.length === 0) return
    flying = takeBatch(queue)
    gatheredSince = undefined
    lastSize = flying.length
    const batch = flying
    const sent = clock.now()
    // Looked at after the messages that came in meanwhile, and by the time in which they could be heard: a busy main
    // thread is not an absent database.
    const look = () =>
      setImmediate(() => {
        if (batch !== flying) return
        const left = sent + patienceMilliseconds - clock.now()
        if (left > 0) watch = setTimeout(look, left)
        else goAway()
      })
    let watch = setTimeout(look, patienceMilliseconds)
    try {
      await write(flying, false)
    } catch (error) {
      goAway(error)
    } finally {
      clearTimeout(watch)
      flying = undefined
      schedule()
    }
  }

  const schedule = () => {
    const oldest = queue[0]
    if (flying || !oldest) return
    if (queue.length >= batchStart) {
      if (scheduled) clearTimeout(scheduled as NodeJS.Timeout)
      return void flush()
    }
    if (scheduled) return
    if (calls + queue.length < callsFew) scheduled = setImmediate(flush)
    else {
      const gather = lastSize < crowd ? gatherMilliseconds : gatherCrowdMilliseconds
      const waited = clock.now() - oldest.since
      scheduled = setTimeout(flush, Math.max(0, gather - waited))
    }
  }

  const lag = () => {
    if (awaySince !== undefined) return clock.now() - awaySince + patienceMilliseconds
    const oldest = flying?.[0]?.since ?? queue[0]?.since
    return oldest === undefined ? 0 : Math.max(0, clock.roughly() - oldest)
  }

  const submit = <O extends Operation>(operation: O): Promise<OutcomeOf<O>> => {
    const fault = unsound(operation)
    if (fault) return Promise.reject(fault)
    if (closed) return Promise.reject(unavailable())
    return new Promise<OutcomeOf<O>>((resolve, reject) => {
      const since = gatheredSince ?? clock.now()
      const entry: Entry = { operation, since, answered: false, resolve, reject }
      if (awaySince !== undefined) return answerAway(entry, false)
      gatheredSince = since
      queue.push(entry)
      schedule()
    })
  }

  /** Posts what the journal holds until nothing is left; answers how many had ever been written down by then. */
  const replayAll = async (): Promise<number> => {
    for (;;) {
      const { count } = journal
      const operations = await journal.read()
      for (let at = 0; at < operations.length; at += 256) {
        await replaySlice(operations.slice(at, at + 256))
      }
      if (operations.length === 0) await engine.batch(epoch, [], false)
      if (await journal.empty(count)) return count
    }
  }

  const replaySlice = async (operations: Operation[]): Promise<void> => {
    const under = epoch
    try {
      await engine.batch(under, operations, true)
      failpoint('journal replayed')
    } catch (error) {
      const trouble = engine.troubleOf(error)
      if (trouble === 'fenced') await renew(under)
      else if (trouble === 'away') throw error
      else if (operations.length === 1) {
        log.error({ err: error, operation: operations[0] }, 'a journaled operation was refused')
        return
      }
      const middle = trouble === 'fenced' ? 0 : operations.length >> 1
      if (middle > 0) await replaySlice(operations.slice(0, middle))
      await replaySlice(operations.slice(middle))
    }
  }

  const close = async () => {
    closed = true
    while (flying || queue.length > 0) {
      if (!flying) await flush()
      else await sleep(1)
    }
    await returning
    clock.stop()
    await journal.close()
  }

  return {
    get epoch() {
      return epoch
    },
    nextId: () => {
      if (issued >= idsPerEpoch - 1) throw new Fault('server.ledger', { detail: 'out of ids' })
      return epoch * idsPerEpoch + ++issued
    },
    submit,
    lag,
    renew,
    replay: async () => void (await replayAll()),
    close,
  }
}
