import pg from 'pg'
import { DemoRefusal } from './folder.ts'

const mark = 'Filled by npm run demo'

/** Refuses a database that has tables of anybody else. */
export const checkDatabase = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async client => {
    const { rows: tables } = await client.query(
      'select 1 from information_schema.tables where table_schema = current_schema() limit 1',
    )
    if (tables.length === 0 || (await isMarked(client))) return
    throw new DemoRefusal(
      'The database of DATABASE_URL has tables that are not of the demo, so nothing was changed. Name an empty one.',
    )
  })

/** Empties a database that belongs to the demo, and marks it. */
export const emptyDatabase = (databaseUrl: string): Promise<void> =>
  withClient(databaseUrl, async client => {
    const { rows } = await client.query('select quote_ident(current_schema()) as name')
    const name = rows[0]?.name ?? 'public'
    await client.query(`drop schema if exists ${name} cascade`)
    await client.query(`create schema ${name}`)
    await client.query(`comment on schema ${name} is '${mark}'`)
  })

const isMarked = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    "select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = current_schema()",
  )
  return rows[0]?.comment === mark
}

const withClient = async <T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
  } catch (error) {
    throw new DemoRefusal(
      `The database of DATABASE_URL cannot be reached: ${error instanceof Error ? error.message : error}`,
    )
  }
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
