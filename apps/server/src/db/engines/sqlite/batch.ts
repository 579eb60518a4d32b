import type { DatabaseSync } from 'node:sqlite'
// Not the whole contract: a thread needs none of its schemas, and starts sooner without them.
import { Fault } from '@hub/contract/faults'
import { failpoint } from '../../../lib/failpoint.ts'
import type { HoldOperation, Operation, Outcome, SettleOperation } from '../../operations.ts'
import { holdSteps } from './holds.ts'
import { fenced } from './protocol.ts'
import { settleSteps } from './settles.ts'
import { statementsOf } from './statements.ts'
import { makeSums } from './sums.ts'

/**
 * One transaction for many operations. Nothing is decided between two statements that another writer could change:
 * this is the only connection that writes, and the checks of the tables stand behind it.
 */
export const makeBatch = (database: DatabaseSync, note?: (isFlushed: boolean) => void) => {
  const statements = statementsOf(database)
  const sums = makeSums(statements)
  const { settle, voidHold, recover } = settleSteps(statements, sums)
  const { holdAll, checkpoint } = holdSteps(statements)
  let flushes = true

  /** Holds alone need no flush: a settle that follows flushes them too, and a lost one settles as late. */
  const flush = (wanted: boolean) => {
    if (wanted === flushes) return
    database.exec(wanted ? 'pragma synchronous = full' : 'pragma synchronous = normal')
    flushes = wanted
  }

  const keep = <O>({ id, userId, channelId, at, stored }: SettleOperation, outcome: O): O => {
    for (const each of stored?.ids ?? [])
      statements.insertStored.run(each, userId, channelId, stored?.credential ?? '', id, at)
    return outcome
  }

  const performOne = (epoch: number, operation: Exclude<Operation, HoldOperation>): Outcome => {
    switch (operation.kind) {
      case 'settle':
        return keep(operation, settle(epoch, operation))
      case 'checkpoint':
        sums.write()
        return checkpoint(epoch, operation)
      case 'void':
        return voidHold(operation)
      case 'recover':
        return recover(operation)
    }
  }

  /** Holds come last, and all at once: what the others give back they may need. */
  const perform = (epoch: number, operations: readonly Operation[], replay: boolean): Outcome[] => {
    sums.clear()
    const outcomes = operations.map(each =>
      each.kind === 'hold' ? undefined : performOne(epoch, each),
    )
    sums.write()
    sums.writeChannels(epoch)
    const ofHolds = holdAll(epoch, operations.filter(isHold), replay).values()
    return outcomes.map(each => each ?? ofHolds.next().value!)
  }

  return (epoch: number, operations: readonly Operation[], replay: boolean): Outcome[] => {
    flush(operations.some(each => each.kind !== 'hold'))
    statements.begin.run()
    failpoint('batch begun')
    try {
      if (!statements.isLive.get(epoch)) {
        throw Object.assign(new Fault('server.ledger'), { errcode: fenced })
      }
      const outcomes = perform(epoch, operations, replay)
      failpoint('batch written')
      statements.commit.run()
      note?.(flushes)
      failpoint('batch committed')
      return outcomes
    } catch (error) {
      if (database.isTransaction) statements.rollback.run()
      throw error
    } finally {
      flush(true)
    }
  }
}

const isHold = (operation: Operation): operation is HoldOperation => operation.kind === 'hold'
