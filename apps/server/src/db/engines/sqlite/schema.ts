import { type RawBuilder, sql } from 'kysely'
import type { ColumnType, SchemaKit, Table } from '../schema-kit.ts'

const types: Record<ColumnType, string> = {
  id: 'integer primary key autoincrement not null',
  key: 'integer primary key not null',
  'text key': 'text primary key not null',
  integer: 'integer not null',
  text: 'text not null',
  real: 'real not null',
  'integer?': 'integer',
  'text?': 'text',
}

const names = (columns: readonly string[]) => columns.map(each => `"${each}"`).join(', ')

const createTable = (table: Table): RawBuilder<unknown>[] => {
  const lines = Object.entries(table.columns).map(([name, type]) => `"${name}" ${types[type]}`)
  if (table.primaryKey) lines.push(`primary key (${names(table.primaryKey)})`)
  for (const columns of table.unique ?? []) lines.push(`unique (${names(columns)})`)
  for (const check of table.checks ?? []) lines.push(`check (${check})`)
  const options = table.primaryKey ? 'strict, without rowid' : 'strict'
  const create = sql.raw(`create table "${table.name}" (${lines.join(', ')}) ${options}`)
  return table.appendOnly ? [create, ...refuseChanges(table.name)] : [create]
}

const refuseChanges = (table: string) =>
  ['update', 'delete'].map(verb =>
    sql.raw(
      `create trigger "${table}_no_${verb}" before ${verb} on "${table}" ` +
        `begin select raise(abort, '${table} is append only'); end`,
    ),
  )

const addColumn: SchemaKit['addColumn'] = (table, column, type) =>
  sql.raw(`alter table "${table}" add column "${column}" ${types[type]}`)

export const sqliteSchema: SchemaKit = {
  createTable,
  addColumn,
  prefixIndex: () => [],
  jsonFunctions: () => [],
  ledgerFunctions: () => [],
}
