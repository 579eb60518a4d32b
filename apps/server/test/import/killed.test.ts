import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { itWithRecordings, recordingsFolder } from '../../../../test/harness/runner/recordings.ts'

const program = join(import.meta.dirname, '../../src/import.ts')
const source = join(recordingsFolder, 'import/one-hub-sqlite/one-api.db')

const runImport = (dataDir: string, failpoint?: number, args: string[] = []) => {
  const { signal, status, stderr } = spawnSync(process.execPath, [program, source, ...args], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...(failpoint && { FAILPOINT: `start:${failpoint}` }),
    },
  })
  return { signal, status, stderr }
}

const tables = ['users', 'accounts', 'transfers', 'tokens', 'token_spend', 'channels', 'prices']

/** The number of rows of each table, and the sum of all balances. */
const stateOf = (dataDir: string) => {
  const database = new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true })
  const number = (sql: string) => Object.values(database.prepare(sql).get()!)[0]
  const counts = tables.map(each => [each, number(`select count(*) from ${each}`)])
  const state = {
    ...Object.fromEntries(counts),
    balance: number('select sum(balance) from accounts'),
  }
  database.close()
  return state
}

itWithRecordings(
  'an import that is killed leaves nothing, and the next one carries everything once',
  () => {
    const [whole, killed] = ['whole', 'killed'].map(name =>
      mkdtempSync(join(tmpdir(), `hub-import-${name}-`)),
    ) as [string, string]
    try {
      expect(runImport(whole)).toMatchObject({ status: 0 })
      // Migrates the database, so that only steps of the import itself are counted.
      expect(runImport(killed, undefined, ['--dry-run'])).toMatchObject({ status: 0 })
      for (const step of [5, 60, 150, 240]) {
        expect([step, runImport(killed, step).signal]).toEqual([step, 'SIGKILL'])
        expect(stateOf(killed)).toMatchObject({ users: 0, tokens: 0, channels: 0, balance: null })
      }
      expect(runImport(killed)).toMatchObject({ status: 0 })
      expect(stateOf(killed)).toEqual(stateOf(whole))
    } finally {
      for (const each of [whole, killed]) rmSync(each, { recursive: true, force: true })
    }
  },
)
