import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failpoint } from '../../../../lib/failpoint.ts'
import type { RestoreTarget, TableWriter } from '../../backup-types.ts'
import { checkFile } from '../open-failure.ts'
import { sqliteSchema } from '../schema.ts'

/** The write-ahead log and its index belong to the database by their names. */
const parts = ['', '-wal', '-shm']

/** Builds the database in a folder of its own, and moves it into place when it is whole. */
export const sqliteTarget = (dataDir: string): RestoreTarget => {
  const file = join(dataDir, 'hub.db')
  const workDir = join(dataDir, 'restoring')
  const isEmpty = async () => {
    if (!existsSync(file)) return true
    if (isDamaged(file)) return false
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const [table] = database
        .prepare("select name from sqlite_master where type = 'table' and name = 'users'")
        .all()
      return !table || database.prepare('select 1 from users limit 1').get() === undefined
    } finally {
      database.close()
    }
  }
  const clear = async () => {
    rmSync(workDir, { recursive: true, force: true })
    mkdirSync(workDir, { recursive: true, mode: 0o700 })
  }
  const finish = async () => {
    await flush(join(workDir, 'hub.db'))
    const kept = existsSync(file) ? `${file}.before-restore-${Date.now()}` : undefined
    // A log without its database would be applied to the new one: it moves first.
    for (const part of parts.toReversed())
      if (kept && existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${kept}${part}`)
    failpoint('old database moved')
    renameSync(join(workDir, 'hub.db'), file)
    await flush(dataDir)
    rmSync(workDir, { recursive: true, force: true })
    return kept
  }
  return {
    schema: sqliteSchema,
    dataDir: workDir,
    isEmpty,
    // The lock of the folder, which the caller holds, excludes a server.
    isInUse: async () => false,
    clear,
    write: work => writeTables(join(workDir, 'hub.db'), work),
    finish,
    close: async () => {},
  }
}

/** A damaged database may hold data that somebody wants to save. */
const isDamaged = (file: string): boolean => {
  try {
    checkFile(file)
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      database.prepare('select count(*) from sqlite_master').get()
    } finally {
      database.close()
    }
    return false
  } catch {
    return true
  }
}

const flush = async (path: string) => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

const writeTables = async (file: string, work: (writer: TableWriter) => Promise<void>) => {
  const database = new DatabaseSync(file)
  try {
    database.exec('begin immediate')
    await work(makeWriter(database))
    database.exec('commit')
    database.exec('pragma wal_checkpoint(truncate)')
  } finally {
    database.close()
  }
}

const makeWriter = (database: DatabaseSync): TableWriter => ({
  columnsOf: async table =>
    database
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(each => String(each.name)),
  clear: async table => {
    if (database.prepare(`select 1 from "${table}" limit 1`).get())
      database.exec(`delete from "${table}"`)
  },
  insert: async ({ name, columns }, rows) => {
    const names = columns.map(each => `"${each}"`).join(', ')
    const marks = columns.map(() => '?').join(', ')
    const statement = database.prepare(`insert into "${name}" (${names}) values (${marks})`)
    for (const row of rows) statement.run(...row)
  },
  setLastId: async (table, lastId) => {
    database.prepare('delete from sqlite_sequence where name = ?').run(table)
    database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, lastId)
  },
})
