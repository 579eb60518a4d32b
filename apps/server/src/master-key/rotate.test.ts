import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { runProgram } from '../../../../test/harness/process/run-program.ts'
import { words } from '../../../../test/security/column-names.ts'
import { columnTable } from '../../../../test/security/column-table.ts'
import { describeStores, type TestStores } from '../../test/stores.ts'
import { openSealer } from '../core/secrets/master-key.ts'
import type { Database } from '../db/index.ts'
import * as values from '../db/queries/sealed-values.ts'
import { readEnv } from '../env.ts'
import { makeSealer, type Sealer } from '../lib/seal.ts'
import { openApp } from '../open-app.ts'
import { sealedColumns } from './sealed-columns.ts'

type Location = Awaited<ReturnType<TestStores['location']>>

const program = join(import.meta.dirname, 'main.ts')
const keyIn = (dataDir: string) =>
  Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64')

const open = ({ dataDir, databaseUrl }: Location) =>
  openApp(
    readEnv({
      ...{ DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }),
  )

const rotate = ({ dataDir, databaseUrl }: Location, env: Record<string, string> = {}) =>
  runProgram(program, ['--yes'], { dataDir, databaseUrl, masterKey: '' }, env)

const rowsPerTable = 230

/** Values that the checks of the tables accept. */
const chosen: Record<string, Record<string, unknown>> = {
  tasks: { state: 'queued', settlement: 'held', platform: 'video', callback_state: 'armed' },
  queued: { state: 'waiting' },
  redemptions: { status: 3 },
  oauth_providers: { kind: 'oidc' },
  notification_targets: { digest: 'none' },
}

/** Fills every table with sealed columns with rows of arbitrary content. */
const fillTables = async (db: Database) => {
  const tables = await db.introspection.getTables()
  for (const name of new Set(sealedColumns.map(each => each.table))) {
    if (name === 'options') continue
    const columns = tables.find(each => each.name === name)?.columns ?? []
    const given = columns.filter(each => !each.isAutoIncrementing && each.name !== 'id')
    const hasOwnId = !columns.some(each => each.isAutoIncrementing)
    const names = [...(hasOwnId && columns.some(each => each.name === 'id') ? ['id'] : [])]
    for (let at = 1; at <= rowsPerTable; at += 1) {
      const isText = (column: string) =>
        /text|char/i.test(columns.find(each => each.name === column)?.dataType ?? '')
      const cellOf = (column: string) =>
        chosen[name]?.[column] ??
        (isText(column) ? `x${at}` : /^(id|user_id)$/.test(column) ? at : 1)
      const all = [...names, ...given.map(each => each.name)]
      await sql`insert into ${sql.table(name)} (${sql.join(all.map(each => sql.ref(each)))})
        values (${sql.join(all.map(each => sql`${cellOf(each)}`))})`.execute(db)
    }
  }
  const secrets = ['SMTPToken', 'GitHubClientSecret']
  for (const key of secrets)
    await sql`insert into options (key, value) values (${key}, 'x')`.execute(db)
  return secrets
}

type Expected = { at: string; text: string }

/** Seals a text of its own into each value, as the features do. */
const sealAll = async (db: Database, seal: Sealer, secrets: string[]): Promise<Expected[]> => {
  const expected: Expected[] = []
  for (const { table, column, key, context = [key], purpose } of sealedColumns) {
    const names = [key, ...context].map(each => sql`${sql.ref(each)}`)
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(names)} from ${sql.table(table)}`.execute(db)
    const own = rows.filter(row => table !== 'options' || secrets.includes(String(row.key)))
    for (const row of own) {
      const at = `${table}.${column}:${context.map(each => row[each]).join(':')}`
      const text = `secret of ${at}`
      expected.push({ at, text })
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${seal.seal(purpose, at, text)}
        where ${sql.ref(key)} = ${row[key]}`.execute(db)
    }
  }
  return expected
}

const openAll = async (db: Database, seal: Sealer): Promise<Expected[]> => {
  const found: Expected[] = []
  for (const column of sealedColumns) {
    let after: string | number | undefined
    for (;;) {
      const batch = await values.listAfter(db, column, after, 1000)
      if (batch.length === 0) break
      after = batch.at(-1)?.key
      for (const { context, sealed } of batch) {
        if (/^options\.value:(MasterKeyProbe|FingerprintKeys)$/.test(context)) continue
        found.push({ at: context, text: seal.open(column.purpose, context, sealed) })
      }
    }
  }
  return found
}

const sorted = (list: Expected[]) => list.toSorted((a, b) => (a.at < b.at ? -1 : 1))

it('every sealed column is sealed again', () => {
  const columns = Object.entries(columnTable).flatMap(([table, { columns }]) =>
    Object.values(columns)
      .flatMap(words)
      .filter(each => each.endsWith('_sealed'))
      .map(each => `${table}.${each}`),
  )
  const listed = sealedColumns.map(each => `${each.table}.${each.column}`)
  expect(columns.filter(each => !listed.includes(each))).toEqual([])
  expect(listed).toContain('channels.proxy')
})

it('the code seals each column for the listed purpose, and no other purpose is stored', () => {
  const folder = join(import.meta.dirname, '..')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(each => each.endsWith('.ts') && !/\.test\.ts$|^master-key/.test(each))
    .map(each => readFileSync(join(folder, each), 'utf8'))
  for (const { table, column, purpose } of sealedColumns) {
    const template = purpose === 'channel-secret' ? `\${name}` : column
    const name = `\`${table}.${template}:`
    const users = sources.filter(each => each.includes(name) && each.includes(`'${purpose}'`))
    expect([table, column, purpose, users.length > 0]).toEqual([table, column, purpose, true])
  }
  const used = sources.flatMap(each =>
    [...each.matchAll(/seal\.seal\(\s*'([a-z-]+)'/g)].map(match => match[1]!),
  )
  const stored = new Set<string>(sealedColumns.map(each => each.purpose))
  // Callers, Redis and the options of the master key hold these.
  const elsewhere = ['idempotency', 'live-session', 'master-key', 'response-cache']
  expect([...new Set(used.filter(each => !stored.has(each)))].sort()).toEqual(elsewhere)
})

describeStores('the change of the master key', stores => {
  const prepare = async () => {
    const location = await stores.location()
    const { app, closeStores } = await open(location)
    const secrets = await fillTables(app.db)
    const expected = await sealAll(app.db, app.seal, secrets)
    await closeStores()
    return { location, expected: sorted(expected) }
  }

  it('killed at any step, it loses nothing, and the next run finishes it', async () => {
    const { location, expected } = await prepare()
    const before = keyIn(location.dataDir)
    const fingerprint = makeSealer(before).fingerprint('access-token', 'a token')
    for (const step of [12, 40, 700, 2500]) {
      const killed = await rotate(location, { FAILPOINT: `start:${step}` })
      expect([step, killed.signal]).toEqual([step, 'SIGKILL'])
      expect(keyIn(location.dataDir).equals(before)).toBe(true)
    }
    await expect(open(location)).rejects.toThrow('rotate-master-key again')
    const ended = await rotate(location)
    expect(ended).toMatchObject({ code: 0, errors: '' })
    expect(ended.output).toMatch(
      /\d+ secrets are sealed with the new master key, and \d+ were before/,
    )

    const after = keyIn(location.dataDir)
    expect(after.equals(before)).toBe(false)
    const files = readdirSync(location.dataDir).filter(each => each.startsWith('master.key'))
    expect(files.length).toBe(2)
    const kept = files.find(each => each.includes('before-rotation'))!
    expect(readFileSync(join(location.dataDir, kept), 'utf8').trim()).toBe(
      before.toString('base64'),
    )

    const { app, closeStores } = await open(location)
    expect(sorted(await openAll(app.db, makeSealer(after)))).toEqual(expected)
    await expect(openAll(app.db, makeSealer(before))).rejects.toThrow()
    // Access tokens, codes and passkeys are found by fingerprints, whose texts are not stored.
    expect(app.seal.fingerprint('access-token', 'a token')).toBe(fingerprint)
    expect(makeSealer(after).fingerprint('access-token', 'a token')).not.toBe(fingerprint)
    await closeStores()

    expect(await rotate(location)).toMatchObject({ code: 0 })
    const again = await open(location)
    expect(again.app.seal.fingerprint('access-token', 'a token')).toBe(fingerprint)
    expect(sorted(await openAll(again.app.db, again.app.seal))).toEqual(expected)
    await again.closeStores()
  })

  it('a kill between database and key file is finished by the next run', async () => {
    const { location, expected } = await prepare()
    const old = keyIn(location.dataDir)
    expect(await rotate(location)).toMatchObject({ code: 0 })
    const next = keyIn(location.dataDir)
    // The state right after the last transaction.
    writeFileSync(join(location.dataDir, 'master.key.new'), `${next.toString('base64')}\n`)
    writeFileSync(join(location.dataDir, 'master.key'), `${old.toString('base64')}\n`)
    await expect(open(location)).rejects.toThrow('MASTER_KEY')
    expect(await rotate(location)).toMatchObject({ code: 0 })
    expect(keyIn(location.dataDir).equals(next)).toBe(true)
    const { app, closeStores } = await open(location)
    expect(sorted(await openAll(app.db, app.seal))).toEqual(expected)
    await closeStores()
  })

  it('keys of the environment are used without files, and a wrong or running one is refused', async () => {
    const { location } = await prepare()
    const [old, next] = [
      keyIn(location.dataDir).toString('base64'),
      randomBytes(32).toString('base64'),
    ]
    const wrong = await rotate(location, { MASTER_KEY: next, NEW_MASTER_KEY: old })
    // The database is sealed with the new key already: there is nothing to do.
    expect(wrong).toMatchObject({ code: 0, output: expect.stringMatching(/^\n0 secrets/) })
    const other = randomBytes(32).toString('base64')
    expect(await rotate(location, { MASTER_KEY: other, NEW_MASTER_KEY: next })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not the one this database was sealed with'),
    })
    expect(await rotate(location, { MASTER_KEY: old, NEW_MASTER_KEY: 'short' })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('NEW_MASTER_KEY must be 32 bytes'),
    })
    const running = await open(location)
    expect(await rotate(location, { MASTER_KEY: old, NEW_MASTER_KEY: next })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/Stop every node|Another process already works/),
    })
    await running.closeStores()
    const ended = await rotate(location, { MASTER_KEY: old, NEW_MASTER_KEY: next })
    expect(ended).toMatchObject({ code: 0, errors: '' })
    expect(ended.output).not.toContain(next)
    expect(existsSync(join(location.dataDir, 'master.key.new'))).toBe(false)
    const { store, closeStores } = await openApp(
      readEnv({
        ...{ DATA_DIR: location.dataDir, LOG_LEVEL: 'silent', MASTER_KEY: next },
        ...(location.databaseUrl && { DATABASE_URL: location.databaseUrl }),
      }),
    )
    await expect(openSealer(store.db, Buffer.from(old, 'base64'))).rejects.toThrow('MASTER_KEY')
    await closeStores()
  })
})
