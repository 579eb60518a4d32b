import { existsSync } from 'node:fs'
import { Fault } from '@hub/contract'
import { openMysqlSource } from './mysql.ts'
import { openPostgresSource } from './postgres.ts'
import type { SourceDatabase } from './source-database.ts'
import { openSqliteSource } from './sqlite.ts'

/** Opens a SQLite file by its path, or a MySQL, MariaDB or PostgreSQL database by its address. Throws `import.source`. */
export const openSource = async (address: string): Promise<SourceDatabase> => {
  try {
    if (/^mysql:\/\//.test(address)) return await openMysqlSource(address)
    if (/^postgres(ql)?:\/\//.test(address)) return await openPostgresSource(address)
    if (!existsSync(address))
      throw new Fault('import.source', { hint: `There is no file ${address}.` })
    return openSqliteSource(address)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    // The message of a driver names the host and the user, never the password.
    throw new Fault('import.source', { hint: `${(cause as Error).message}.`, cause })
  }
}
