import type { Database, LedgerWriter } from '../index.ts'
import * as holds from '../queries/holds.ts'
import * as nodes from '../queries/nodes.ts'

const chunkSize = 500

/**
 * Closes the open holds of a dead epoch in chunks, then retires the epoch. Returns the number of closed holds.
 * After a crash in between, the next run continues; concurrent runs are safe because `recover` is idempotent.
 */
export const recoverEpoch = async (
  db: Database,
  ledger: LedgerWriter,
  epoch: number,
): Promise<number> => {
  for (let closed = 0; ; ) {
    const ids = await holds.listIdsOfEpoch(db, epoch, chunkSize)
    if (ids.length === 0) {
      await nodes.retire(db, epoch)
      return closed
    }
    const at = Math.floor(Date.now() / 1000)
    await Promise.all(ids.map(id => ledger.submit({ kind: 'recover', id, at })))
    closed += ids.length
  }
}
