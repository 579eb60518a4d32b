import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Json } from '../relay-hub.ts'
import { newFolder } from './target.ts'

const unpack = (path: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, 'databases', `${path}.gz`)))

const unpackInto = (path: string, file: string): string => {
  const target = join(newFolder(), file)
  writeFileSync(target, unpack(path))
  return target
}

type SqliteSource = 'one-hub-sqlite' | 'new-api-sqlite' | 'one-api-sqlite'
type DumpedSource = 'one-hub-mariadb' | 'one-hub-postgres' | 'litellm-postgres'

/** The content that an importer must carry over from this database. */
export const truthOf = (source: SqliteSource | DumpedSource): Json =>
  JSON.parse(unpack(`${source}/truth.json`).toString())

/** A copy of the database file, which the test may change. */
export const copyOf = (source: SqliteSource): string =>
  unpackInto(`${source}/one-api.db`, 'one-api.db')

export const dumpOf = (source: DumpedSource): string => unpackInto(`${source}/dump.sql`, 'dump.sql')

/** Loads the dump into an empty database of PostgreSQL. */
export const loadDump = (source: DumpedSource, address: string): void => {
  const command = ['--quiet', '--set=ON_ERROR_STOP=1', '-f', dumpOf(source), address]
  execFileSync('psql', command, { stdio: 'pipe' })
}
