import pg from 'pg'
import type { SnapshotSource } from './snapshot.ts'

/** Facts about the server of the database. */
export type EngineFacts = {
  /** Milliseconds since 1970; undefined where the database has no clock of its own. */
  clockMs: number | undefined
  /** Settings that may lose charges. */
  unsafe: string[]
}

const connectMs = 5000

export const readEngineFacts = async ({ databaseUrl }: SnapshotSource): Promise<EngineFacts> => {
  if (!databaseUrl) return { clockMs: undefined, unsafe: [] }
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectMs,
    application_name: 'hub doctor',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ ms: string }>(
      'select extract(epoch from clock_timestamp()) * 1000 as ms',
    )
    const settings = await client.query<{ name: string }>(
      `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')
       and setting = 'off' order by name`,
    )
    return { clockMs: Number(rows[0]?.ms), unsafe: settings.rows.map(each => `${each.name} = off`) }
  } finally {
    await client.end()
  }
}
