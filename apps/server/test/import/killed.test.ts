import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { compileCache } from '../../../../test/harness/process/compile-cache.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import { copyOf, loadDump, truthOf } from './databases.ts'
import { newFolder } from './target.ts'

const program = join(import.meta.dirname, '../../src/import.ts')
/** Kills of each source, the last one shortly before its end. The soak raises it to 20. */
const kills = Number(process.env.HUB_IMPORT_KILLS ?? 1)

type Import = { source: string; args?: string[] }

const runImport = (
  { source, args = [] }: Import,
  dataDir: string,
  more: { failpoint?: number; args?: string[] } = {},
) => {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [program, source, ...args, ...(more.args ?? [])],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        NODE_COMPILE_CACHE: compileCache(),
        ...(more.failpoint && { FAILPOINT: `start:${more.failpoint}` }),
      },
    },
  )
  return { signal, status, stderr }
}

/** What an import writes, without columns that are random or depend on the time. */
const written = {
  users: 'username, role, status, email, "group", created_time',
  accounts: 'balance, held',
  transfers: 'kind, debit, credit, amount',
  tokens: 'user_id, name, key_hash, "group", setting, created_time',
  token_spend: '*',
  channels: 'type, name, status, models, "group", weight, base_url, key_count',
  prices: 'model, type, channel_type, input, output, extra_ratios',
  user_groups: 'symbol, name, ratio, api_rate',
  redemptions: 'name, quota, status',
  options: 'key',
  imported_counters: '*',
  logs: 'user_id, created_at, type, content, model_name, quota, channel_id, metadata',
}

/** Counts the rows of each table, and hashes what stands in them. */
const stateOf = (dataDir: string) => {
  const database = new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true })
  const state = Object.entries(written).map(([table, columns]) => {
    const rows = database.prepare(`select ${columns} from ${table}`).all()
    const lines = rows.map(each => JSON.stringify(each)).toSorted()
    return [table, [rows.length, createHash('sha256').update(lines.join('\n')).digest('hex')]]
  })
  database.close()
  return Object.fromEntries(state)
}

const checkKills = (each: Import, lastStep: number) => {
  const [whole, killed] = [newFolder(), newFolder()]
  expect(runImport(each, whole)).toMatchObject({ status: 0 })
  // Migrates the database, so that only steps of the import itself are counted.
  expect(runImport(each, killed, { args: ['--dry-run'] })).toMatchObject({ status: 0 })
  const empty = stateOf(killed)
  for (let kill = 1; kill <= kills; kill += 1) {
    const step = Math.ceil((kill * lastStep) / kills)
    const { signal } = runImport(each, killed, { failpoint: step })
    expect([step, signal, stateOf(killed)]).toEqual([step, 'SIGKILL', empty])
  }
  expect(runImport(each, killed)).toMatchObject({ status: 0 })
  const { users, tokens } = stateOf(killed)
  expect([users, tokens]).not.toEqual([empty.users, empty.tokens])
  expect(stateOf(killed)).toEqual(stateOf(whole))
}

const title = 'an import that is killed leaves nothing, and the next one carries everything once'

describe('an import of One Hub', () => {
  it(title, () => checkKills({ source: copyOf('one-hub-sqlite'), args: ['--history'] }, 245))
})

const reason = postgresSkipReason()

describe.skipIf(reason)(`an import of LiteLLM ${reason ?? ''}`, () => {
  let postgres: PostgresDatabases
  afterAll(() => postgres?.stop())

  it(title, async () => {
    postgres = await openPostgres()
    const source = await postgres.database('source')
    loadDump('litellm-postgres', source)
    const saltFile = join(newFolder(), 'salt.txt')
    writeFileSync(saltFile, truthOf('litellm-postgres').salt_key)
    checkKills({ source, args: ['--salt-key-file', saltFile] }, 150)
  })
})
