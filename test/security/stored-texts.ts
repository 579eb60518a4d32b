import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../harness/engines.ts'
import type { Gateway } from '../harness/gateway.ts'
import { query } from '../harness/ledger.ts'

const tablesOf: Record<Engine['name'], string> = {
  SQLite: "select name from sqlite_master where type = 'table'",
  PostgreSQL: 'select tablename as name from pg_tables where schemaname = current_schema()',
}

/** All that a gateway has stored, as a dump or a copy of its folder would show it: a text per table and file. */
export const storedTexts = async (
  gateway: Gateway,
  engine: Engine,
): Promise<{ name: string; text: string }[]> => {
  const texts: { name: string; text: string }[] = []
  for (const { name } of await query(gateway, tablesOf[engine.name])) {
    const rows = await query(gateway, `select * from "${name}"`)
    const asText = (_: string, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value
    texts.push({ name: String(name), text: JSON.stringify(rows, asText) })
  }
  for (const name of readdirSync(gateway.dataDir))
    texts.push({ name, text: readFileSync(join(gateway.dataDir, name)).toString('latin1') })
  return texts
}
