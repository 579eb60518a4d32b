import type { Logger } from 'pino'
import { failpoint } from '../../lib/failpoint.ts'
import type { Engine } from '../engines/engine.ts'
import type { LedgerOperation } from '../operations.ts'
import type { Journal } from './journal.ts'

export type ReplayTarget = {
  engine: Engine
  journal: Journal
  log: Logger
  /** The current epoch of this process. */
  epoch(): number
  renew(staleEpoch: number): Promise<void>
}

const chunkSize = 256

/** Posts the journal until it is empty. Returns the value of `journal.count` when it was emptied. */
export const replayJournal = async (target: ReplayTarget): Promise<number> => {
  const { engine, journal } = target
  for (;;) {
    const { count } = journal
    const operations = await journal.read()
    for (let at = 0; at < operations.length; at += chunkSize) {
      await replayChunk(target, operations.slice(at, at + chunkSize))
    }
    if (operations.length === 0) await engine.runBatch(target.epoch(), [], false)
    if (await journal.empty(count)) return count
  }
}

/** Halves a chunk that contains an invalid operation until that operation is alone, and skips it. */
const replayChunk = async (target: ReplayTarget, operations: LedgerOperation[]): Promise<void> => {
  const { engine, log } = target
  const epoch = target.epoch()
  try {
    await engine.runBatch(epoch, operations, true)
    failpoint('journal replayed')
  } catch (error) {
    const kind = engine.classifyError(error)
    if (kind === 'fenced') await target.renew(epoch)
    else if (kind === 'unavailable') throw error
    else if (operations.length === 1) {
      log.error({ err: error, operation: operations[0] }, 'a journaled operation was refused')
      return
    }
    const middle = kind === 'fenced' ? 0 : operations.length >> 1
    if (middle > 0) await replayChunk(target, operations.slice(0, middle))
    await replayChunk(target, operations.slice(middle))
  }
}
