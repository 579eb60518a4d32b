import type { Database, LedgerWriter } from '../index.ts'
import * as holds from '../queries/holds.ts'
import * as nodes from '../queries/nodes.ts'

const sliceSize = 500

/**
 * Closes what a dead epoch left open, slice by slice. Killed in between, whoever comes next goes on where it stopped;
 * two that do it at once each close what the other has not.
 */
export const recoverEpoch = async (
  db: Database,
  ledger: LedgerWriter,
  epoch: number,
): Promise<number> => {
  for (let closed = 0; ; ) {
    const ids = await holds.listIdsOfEpoch(db, epoch, sliceSize)
    if (ids.length === 0) {
      await nodes.retire(db, epoch)
      return closed
    }
    const at = Math.floor(Date.now() / 1000)
    await Promise.all(ids.map(id => ledger.submit({ kind: 'recover', id, at })))
    closed += ids.length
  }
}
