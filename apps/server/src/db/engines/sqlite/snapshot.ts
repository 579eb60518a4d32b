import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Snapshot, SnapshotRow } from '../snapshot-types.ts'

export const sqliteSnapshot = async <T>(
  dataDir: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const database = new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true })
  const rows = async (sql: string) => {
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    return statement.all() as SnapshotRow[]
  }
  try {
    database.exec('begin')
    return await work({ rows, appendOnly: () => appendOnly(rows) })
  } finally {
    database.close()
  }
}

const appendOnly: (rows: Snapshot['rows']) => ReturnType<Snapshot['appendOnly']> = async rows => {
  const triggers = await rows(
    "select tbl_name as name, lower(sql) as definition from sqlite_master where type = 'trigger'",
  )
  return triggers.flatMap(({ name, definition }) =>
    (['update', 'delete'] as const)
      .filter(verb => isRefusal(String(definition), verb))
      .map(verb => ({ table: String(name), verb })),
  )
}

/** Recognises an unconditional refusal for every row and column. */
const isRefusal = (definition: string, verb: string): boolean =>
  new RegExp(`before ${verb} on \\S+ begin select raise\\(abort`).test(
    definition.replace(/\s+/g, ' '),
  )
