import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, postgresSkipReason } from '../../../apps/server/test/postgres.ts'
import { type Engine, type OpenDatabase, openDatabase } from '../../harness/engines.ts'
import { root } from '../../harness/paths.ts'
import { runProgram } from '../../harness/process/run-program.ts'
import { describeEachEngine } from '../../harness/runner/describe-engines.ts'

let parent: string
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'hub-demo-'))
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const run = (words: string[], folder: string, databaseUrl?: string) =>
  runProgram(
    join(root, 'scripts/demo/start.mjs'),
    words,
    { dataDir: folder, databaseUrl, masterKey: '' },
    { DEMO_DIR: folder },
  )

it('a folder with files of its own is refused and stays as it is', async () => {
  const folder = join(parent, 'foreign')
  mkdirSync(folder)
  writeFileSync(join(folder, 'thesis.txt'), 'years of work')
  const { code, errors } = await run(['--fill-only', '--fresh'], folder)
  expect(code).toBe(1)
  expect(errors).toMatch(/has files that are not of the demo/)
  expect(readdirSync(folder)).toEqual(['thesis.txt'])
})

/** The browser's tests and the pictures of the documents open the folder on SQLite. */
const folderOf = ({ name }: Engine) =>
  name === 'SQLite' ? join(root, 'node_modules/.cache/demo-data') : join(parent, `filled ${name}`)

describeEachEngine(engine => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openDatabase(engine)
  })
  afterAll(() => database.close())

  it('fills a folder once, with a ledger that audits clean', async () => {
    const folder = folderOf(engine)
    const first = await run(['--fill-only', '--fresh'], folder, database.url)
    expect(first, first.errors).toMatchObject({ code: 0 })
    const record = readFileSync(join(folder, 'demo.json'), 'utf8')

    const masterKey = readFileSync(join(folder, 'master.key'), 'utf8').trim()
    const where = { dataDir: folder, databaseUrl: database.url, masterKey }
    const audit = await runProgram(join(root, 'apps/server/src/auditor/main.ts'), [], where)
    expect(audit.output).toMatch(/clean: \d{5} requests/)
    expect(audit.code).toBe(0)

    const second = await run(['--fill-only'], folder, database.url)
    expect(second.output).not.toContain('Filling')
    expect(readFileSync(join(folder, 'demo.json'), 'utf8')).toBe(record)
  })
})

describe.skipIf(postgresSkipReason())('on PostgreSQL', () => {
  let databases: Awaited<ReturnType<typeof openPostgres>>
  beforeAll(async () => {
    databases = await openPostgres()
  })
  afterAll(() => databases?.stop())

  it('refuses a database with tables of others', async () => {
    const url = await databases.database('foreign')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('create table thesis (line text)')
    const { code, errors } = await run(['--fill-only'], join(parent, 'pg'), url)
    const { rows } = await client.query('select to_regclass($1) as name', ['thesis'])
    await client.end()
    expect({ code, errors }).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/has tables that are not of the demo/),
    })
    expect(rows).toEqual([{ name: 'thesis' }])
  })
})
