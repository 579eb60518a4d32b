import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '@hub/contract'
import type { BackupRow, Cell, Dump, TableShape } from '../../backup-types.ts'

const batchRows = 1000

export const dumpSqlite = async <T>(
  dataDir: string,
  work: (dump: Dump) => Promise<T>,
): Promise<T> => {
  const file = join(dataDir, 'hub.db')
  if (!existsSync(file))
    throw new Fault('env.invalid', {
      hint: `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`,
    })
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    // The first read of the transaction fixes the state that all later reads see.
    database.exec('begin; select count(*) from sqlite_master')
    return await work(makeDump(database))
  } finally {
    database.close()
  }
}

const makeDump = (database: DatabaseSync): Dump => {
  const list = <R>(sql: string, ...parameters: string[]) =>
    database.prepare(sql).all(...parameters) as R[]
  return {
    tables: async () =>
      list<{ name: string }>(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite^_%' escape '^'
         and name not like 'kysely^_%' escape '^' order by name`,
      ).map(({ name }) => shapeOf(database, name)),
    migrations: async () =>
      list<{ name: string }>('select name from kysely_migration order by timestamp, name').map(
        each => each.name,
      ),
    option: async key =>
      list<{ value: string }>('select value from options where key = ?', key)[0]?.value,
    rows: table => rowsOf(database, table),
  }
}

const shapeOf = (database: DatabaseSync, name: string): TableShape => {
  const columns = database.prepare('select name from pragma_table_info(?) order by cid').all(name)
  const sequence = database.prepare('select seq from sqlite_sequence where name = ?').get(name)
  return {
    name,
    columns: columns.map(each => String(each.name)),
    lastId: sequence ? Number(sequence.seq) : null,
  }
}

async function* rowsOf(
  database: DatabaseSync,
  { name, columns }: TableShape,
): AsyncGenerator<BackupRow[]> {
  const names = columns.map(each => `"${each}"`).join(', ')
  const statement = database.prepare(`select ${names} from "${name}"`)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  let batch: BackupRow[] = []
  for (const row of statement.iterate() as Iterable<unknown>) {
    batch.push((row as Cell[]).map(toSafe))
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const toSafe = (cell: Cell): Cell => {
  if (typeof cell !== 'bigint') return cell
  const number = Number(cell)
  return Number.isSafeInteger(number) ? number : cell
}
