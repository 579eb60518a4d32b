import type { DatabaseSync } from 'node:sqlite'
// Not the whole contract: a thread needs none of its schemas, and starts sooner without them.
import { Fault } from '@hub/contract/faults'
import { failpoint } from '../../../../lib/failpoint.ts'
import type {
  HoldOperation,
  LedgerOperation,
  Outcome,
  SettleOperation,
} from '../../../operations.ts'
import { makeBalanceChanges } from './balance-changes.ts'
import { fencedCode } from './fenced-code.ts'
import { makeHoldSteps } from './holds.ts'
import { makeSettleSteps } from './settles.ts'
import { prepareStatements, type Statements } from './statements.ts'

/**
 * Returns the function that performs a batch in one transaction. This is the only connection that writes, so that no
 * other writer can change a row between two statements; the check constraints of the tables are a second guard.
 */
export const makeRunBatch = (
  database: DatabaseSync,
  recordFlush?: (isFlushed: boolean) => void,
) => {
  const statements = prepareStatements(database)
  const changes = makeBalanceChanges(statements)
  const { settle, voidHold, recover } = makeSettleSteps(statements, changes)
  const { holdAll, checkpoint } = makeHoldSteps(statements)
  const flushing = makeFlushSwitch(database)

  const performOne = (
    epoch: number,
    operation: Exclude<LedgerOperation, HoldOperation>,
  ): Outcome => {
    switch (operation.kind) {
      case 'settle': {
        const outcome = settle(epoch, operation)
        insertStoredResponses(statements, operation)
        return outcome
      }
      case 'checkpoint':
        changes.write()
        return checkpoint(epoch, operation)
      case 'void':
        return voidHold(operation)
      case 'recover':
        return recover(operation)
    }
  }

  /** Holds come last and together, because they may need the points that other operations release. */
  const perform = (
    epoch: number,
    operations: readonly LedgerOperation[],
    isReplay: boolean,
  ): Outcome[] => {
    changes.clear()
    const outcomes = operations.map(each =>
      each.kind === 'hold' ? undefined : performOne(epoch, each),
    )
    changes.write()
    changes.writeChannels(epoch)
    const holdOutcomes = holdAll(epoch, operations.filter(isHold), isReplay).values()
    return outcomes.map(each => each ?? holdOutcomes.next().value!)
  }

  return (epoch: number, operations: readonly LedgerOperation[], isReplay: boolean): Outcome[] => {
    flushing.set(operations.some(each => each.kind !== 'hold'))
    statements.begin.run()
    failpoint('batch begun')
    try {
      if (!statements.isLive.get(epoch)) {
        throw Object.assign(new Fault('server.ledger'), { errcode: fencedCode })
      }
      const outcomes = perform(epoch, operations, isReplay)
      failpoint('batch written')
      statements.commit.run()
      recordFlush?.(flushing.isOn())
      failpoint('batch committed')
      return outcomes
    } catch (error) {
      if (database.isTransaction) statements.rollback.run()
      throw error
    } finally {
      flushing.set(true)
    }
  }
}

/** Holds alone need no flush: a later settle flushes them too, and a lost hold settles as late. */
const makeFlushSwitch = (database: DatabaseSync) => {
  let isOn = true
  return {
    isOn: () => isOn,
    set: (value: boolean) => {
      if (value === isOn) return
      database.exec(value ? 'pragma synchronous = full' : 'pragma synchronous = normal')
      isOn = value
    },
  }
}

const insertStoredResponses = (
  { requests }: Statements,
  { id, userId, channelId, at, stored }: SettleOperation,
) => {
  for (const responseId of stored?.ids ?? [])
    requests.insertStoredResponse.run(
      responseId,
      userId,
      channelId,
      stored?.credential ?? '',
      id,
      at,
    )
}

const isHold = (operation: LedgerOperation): operation is HoldOperation => operation.kind === 'hold'
