import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@hub/contract'

/**
 * Held for life, and given back by the operating system when the process dies however it dies. A second process on
 * the same files would take the live holds of the first for those of a dead one.
 */
export const lockDataDir = (dataDir: string): (() => void) => {
  const database = new DatabaseSync(join(dataDir, 'lock.db'), { timeout: 0 })
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (cause) {
    database.close()
    const hint = `Another process already works in ${dataDir}. Stop it, or set DATA_DIR to another directory.`
    throw new Fault('server.failed', { hint, detail: hint, cause })
  }
  return () => database.close()
}
