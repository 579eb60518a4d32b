import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { contains } from './text.ts'

/** Distinct names that are read. Names of charged calls have prices, so that a catalog has far fewer. */
const namesMax = 2_000

/** A complete name in double quotes, as a search writes it; undefined for a part of a name. */
export const quotedName = (text: string): string | undefined => /^"(.+)"$/s.exec(text)?.[1]

/**
 * Finds the models of charged calls whose names contain a text. It reads the index once per name, whatever the number
 * of rows. Undefined: there are too many names.
 */
export const findChargedModels = async (
  db: Database,
  text: string,
): Promise<string[] | undefined> => {
  const name = quotedName(text)
  if (name !== undefined) return [name]
  // It begins with `select`, so that it runs where reads do, and takes no lock of writes.
  const { rows } = await sql<{ name: string }>`select name from (with recursive names(name) as (
      select min(model_name) from logs where type = 2
      union all
      select (select min(model_name) from logs where type = 2 and model_name > names.name)
      from names where names.name is not null
    ) select name from names where name is not null limit ${namesMax + 1}) as found`.execute(db)
  if (rows.length > namesMax) return undefined
  const part = text.toLowerCase()
  return rows.map(({ name }) => name).filter(name => name.toLowerCase().includes(part))
}

const recentRows = 10_000
const ownNamesMax = 200

/** The models in a user's latest rows whose names contain a text. */
export const findOwnModels = async (
  db: Database,
  userId: number,
  text: string,
): Promise<string[]> => {
  const recent = db
    .selectFrom('logs')
    .select('model_name')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(recentRows)
  const rows = await db
    .selectFrom(recent.as('recent'))
    .select('model_name')
    .distinct()
    .where(contains('model_name', text))
    .where('model_name', '<>', '')
    .orderBy('model_name')
    .limit(ownNamesMax)
    .execute()
  return rows.map(({ model_name }) => model_name)
}
