import { DatabaseSync } from 'node:sqlite'
import type mysql from 'mysql2/promise'
import type { Json } from '../relay-hub.ts'
import { type Copy, copiesOf, tables } from './unreadable-values.ts'

type MariadbConnection = mysql.Connection
type MariadbColumn = { name: string; type: string }

const columnsOf = async (database: MariadbConnection, table: string): Promise<MariadbColumn[]> => {
  const [rows] = await database.query<mysql.RowDataPacket[]>(
    'select column_name as name, column_type as type from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position',
    [table],
  )
  return rows.map(({ name, type }) => ({ name: String(name), type: String(type) }))
}

/**
 * Gives columns types that other releases and changes by hand leave behind. Constraints of JSON and uniqueness go with
 * them, so that more values can be there.
 */
export const loosenTypes = async (database: MariadbConnection): Promise<void> => {
  await database.query("set sql_mode = ''")
  for (const [table, { id }] of Object.entries(tables)) {
    const columns = await columnsOf(database, table)
    if (columns.length === 0) continue
    await database.query(`alter table ${table} convert to character set utf8mb3`)
    const changes = columns
      .filter(each => each.name !== id)
      .map(({ name, type }, at) => `modify \`${name}\` ${looseType(type, at)} default null`)
    await database.query(`alter table ${table} ${changes.join(', ')}`)
  }
}

const looseType = (type: string, at: number): string => {
  if (type.startsWith('tinyint')) return ['int', 'tinyint unsigned', 'varchar(20)'][at % 3]!
  if (/int|decimal|double/.test(type))
    return ['decimal(40,3)', 'bigint unsigned', 'longtext', 'double'][at % 4]!
  return type.startsWith('datetime') ? 'timestamp null' : 'longtext character set utf8mb3'
}

/** The types by which New API's own library stores the columns of its SQLite database in MySQL. */
const typeOf = (declared: string): string => {
  const type = declared.toLowerCase()
  if (type === 'integer' || type === 'bigint') return 'bigint'
  if (type === 'numeric') return 'tinyint(1)'
  if (type === 'real') return 'double'
  if (type === 'datetime') return 'datetime(3)'
  return type.startsWith('varchar') || type.startsWith('char') || type === 'json'
    ? type
    : 'longtext'
}

/** Copies a SQLite database, whose rows and tables stay the same. */
export const copyToMariadb = async (file: string, database: MariadbConnection): Promise<void> => {
  const source = new DatabaseSync(file)
  await database.query("set sql_mode = ''")
  const found = source.prepare("select name from sqlite_master where type = 'table'").all()
  for (const { name } of found) {
    const columns = source.prepare(`pragma table_info("${name}")`).all()
    const types = columns.map(each => `\`${each.name}\` ${typeOf(String(each.type))} null`)
    await database.query(`create table \`${name}\` (${types.join(', ')})`)
    for (const row of source.prepare(`select * from "${name}"`).all()) {
      const places = columns.map(() => '?').join(', ')
      await database.query(`insert into \`${name}\` values (${places})`, Object.values(row))
    }
  }
  source.close()
}

/** A date of zeros is what older servers store in place of a wrong one. */
const zeroDates = ['0000-00-00 00:00:00', '0000-00-00']

/**
 * Adds a row for each value in each column. Strict types refuse some, and change others: those that are not there as they
 * were meant say nothing.
 */
export const addMariadbCopies = async (database: MariadbConnection): Promise<Copy[]> => {
  await database.query("set sql_mode = 'STRICT_ALL_TABLES'")
  const copies: Copy[] = []
  for (const [name, { template, id }] of Object.entries(tables)) {
    const columns = (await columnsOf(database, name)).map(each => each.name)
    if (columns.length === 0) continue
    const [rows] = await database.query<mysql.RowDataPacket[]>({
      sql: `select * from ${name} where ${template} limit 1`,
      typeCast: (field, next) => (field.type.startsWith('DATE') ? field.string() : next()),
    })
    const row = rows[0] as Json
    const found = [...copiesOf(name, row), ...deletions(name, row)]
    for (const copy of found) if (await isAdded(database, { copy, columns, id })) copies.push(copy)
  }
  return copies
}

const deletions = (table: string, row: Json): Copy[] =>
  'deleted_at' in row
    ? zeroDates.map((date, at) => {
        const { id: idColumn, own } = tables[table]!
        const copy = { ...row, ...own(900_000 + at), deleted_at: date }
        return { table, id: copy[idColumn], column: 'deleted_at', value: date, row: copy }
      })
    : []

const isAdded = async (
  database: MariadbConnection,
  { copy, columns, id }: { copy: Copy; columns: string[]; id: string },
): Promise<boolean> => {
  const given = columns.map(each => copy.row[each])
  const names = columns.map(each => `\`${each}\``).join(', ')
  const places = columns.map(() => '?').join(', ')
  try {
    await database.query(`insert into ${copy.table} (${names}) values (${places})`, given)
  } catch {
    return false
  }
  if (copy.column === 'deleted_at') return true
  const [rows] = await database.query<mysql.RowDataPacket[]>(
    `select cast(\`${copy.column}\` as char) as stored from ${copy.table} where \`${id}\` = ?`,
    [copy.id],
  )
  const meant = copy.row[copy.column]
  const stored = rows[0]?.stored
  const isSame =
    meant === null || meant === undefined
      ? stored === null
      : stored === String(meant) || (stored !== null && Number(stored) === Number(meant))
  if (!isSame) await database.query(`delete from ${copy.table} where \`${id}\` = ?`, [copy.id])
  return isSame
}
