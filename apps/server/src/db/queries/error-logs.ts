import type { Database } from '../index.ts'
import type { LogsTable } from '../tables/logs-audit.ts'

/** Parameters per statement are limited on both engines. */
const chunkRows = 200

/** Writes rows about failed calls. */
export const insertErrors = async (db: Database, rows: readonly LogsTable[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += chunkRows)
    await db
      .insertInto('logs')
      .values(rows.slice(at, at + chunkRows))
      .execute()
}
