import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@hub/contract'

/** SQLITE_BUSY: https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5

/**
 * Locks the data directory for the lifetime of the process; the operating system releases the lock at its death.
 * A second process on the same files would treat the open holds of the first as abandoned.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: 0 })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    database.close()
    if ((cause as { errcode?: number }).errcode !== sqliteBusy) throw cause
    const hint = `Another process already works in ${dataDir}. Stop it, or set DATA_DIR to another directory.`
    // Without its cause, which alone would say less.
    throw new Fault('env.invalid', { hint })
  }
  return () => database.close()
}
