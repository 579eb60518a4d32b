import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../../../../test/harness/process/run-program.ts'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import { makeTempFolder } from '../../test/temp-folder.ts'
import { checkVersions } from './configuration.ts'
import { spaceResult } from './data-folder.ts'
import { type DoctorResult, examine } from './index.ts'

const secret = 'canary-7f3a91'

/** A port that nobody listens on. */
const closedPort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

it.each([
  [50, 'failed'],
  [500, 'warning'],
  [5000, 'ok'],
])('%i MiB of free space are %s', (free, state) => {
  expect(spaceResult('/data', free)).toMatchObject({ check: 'disk', state })
})

it('a Node that lacks security fixes is named', () => {
  expect(checkVersions('v22.0.0')).toMatchObject({ state: 'warning' })
  expect(checkVersions('v99.0.0')).toMatchObject({ state: 'ok' })
})

it('a new installation is told what the first start makes, and nothing is made', async () => {
  const dataDir = join(makeTempFolder(), 'absent')
  const results = await examine({ DATA_DIR: dataDir })
  const states = results.map(each => `${each.check} ${each.state}`)
  expect(states).toEqual(
    expect.arrayContaining(['master key warning', 'data folder warning', 'database warning']),
  )
  expect(results.filter(each => each.state === 'failed')).toEqual([])
  expect(existsSync(dataDir)).toBe(false)
})

let hub: TestApp
let vendor: Server
let vendorUrl: string

const addChannel = async (name: string, base_url: string, proxy = '') => {
  const models = 'gpt-4o'
  const channel = { type: 1, key: secret, name, base_url, models, group: 'default', proxy }
  const made = await hub.root.post('/api/channel/', channel)
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
}
const source = (more: Record<string, string> = {}) => ({
  DATA_DIR: hub.app.env.dataDir,
  MASTER_KEY: hub.app.env.masterKey.toString('base64'),
  ...(hub.app.env.databaseUrl && { DATABASE_URL: hub.app.env.databaseUrl }),
  ...more,
})
const find = (results: DoctorResult[], check: string) =>
  results.filter(each => each.check === check)
const look = async (check: string, more: Record<string, string> = {}, now = Date.now) => {
  const results = await examine(source(more), { now })
  expect(JSON.stringify(results)).not.toContain(secret)
  for (const { text } of results) expect(text).toMatch(/\.$/)
  return find(results, check)
}
const removeChannels = async (name: string) => {
  const rows = await hub.app.db
    .selectFrom('channels')
    .select('id')
    .where('name', '=', name)
    .execute()
  for (const { id } of rows) await hub.root.delete(`/api/channel/${id}`)
}

const gatewayTests = () => {
  it('nothing fails next to a running gateway, and nothing changes', async () => {
    const before = await hub.app.db.selectFrom('options').selectAll().execute()
    const results = await examine(source())
    expect(results.filter(each => each.state === 'failed')).toEqual([])
    // The PostgreSQL of the tests does not survive a crash, which is a warning.
    for (const check of [
      'configuration',
      'master key',
      'database',
      'schema',
      'write',
      'secrets',
      'egress',
    ])
      expect([check, find(results, check)]).toMatchObject([
        check,
        [{ state: expect.stringMatching(check === 'database' ? /ok|warning/ : /ok/) }],
      ])
    expect(find(results, 'clock')).toMatchObject([{ state: 'ok' }])
    expect(await hub.app.db.selectFrom('options').selectAll().execute()).toEqual(before)
  })

  it('an invalid variable is named', async () => {
    expect(await look('configuration', { PORT: 'many' })).toMatchObject([
      { state: 'failed', text: expect.stringContaining('PORT must be a number') },
    ])
    expect(await look('master key', { MASTER_KEY: 'short' })).toMatchObject([
      { state: 'failed', text: expect.stringContaining('MASTER_KEY must be 32 bytes') },
    ])
  })

  it('another master key is told', async () => {
    const other = randomBytes(32).toString('base64')
    expect(await look('secrets', { MASTER_KEY: other })).toMatchObject([
      { state: 'failed', text: expect.stringContaining('Restore the right one') },
    ])
  })

  it('a clock that is wrong is told', async () => {
    const ahead = (ms: number) => () => Date.now() + ms
    expect(await look('clock', {}, ahead(60_000))).toMatchObject([
      { state: 'failed', text: expect.stringMatching(/apart from (the database|127\.0\.0\.1)/) },
    ])
    expect(await look('clock', {}, ahead(10_000))).toMatchObject([{ state: 'warning' }])
  })

  it('open access rights are told', async () => {
    const { dataDir } = hub.app.env
    chmodSync(dataDir, 0o755)
    expect(await look('access rights')).toMatchObject([
      { state: 'failed', text: expect.stringContaining(`may read ${dataDir}`) },
    ])
    chmodSync(dataDir, 0o700)
    expect(await look('access rights')).toMatchObject([{ state: 'ok' }])
  })

  it('charges that wait in a journal are told', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-doctor-'))
    writeFileSync(join(folder, 'journal-0123456789ab.jsonl'), '{}\n')
    const results = await examine({ DATA_DIR: folder })
    expect(find(results, 'journal')).toMatchObject([{ state: 'warning' }])
    rmSync(folder, { recursive: true })
  })
}

const databaseTests = (engine: string) => {
  it('a schema that is older, newer or too new is told', async () => {
    const { db } = hub.app
    await sql`insert into kysely_migration (name, timestamp) values ('9998-later', '2027')`.execute(
      db,
    )
    expect(await look('schema')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('extended it by 1 migrations') },
    ])
    await sql`insert into options (key, value) values ('OldestCompatibleMigration', '9998-later')`.execute(
      db,
    )
    expect(await look('schema')).toMatchObject([
      { state: 'failed', text: expect.stringContaining('Start the later release') },
    ])
    await sql`delete from options where key = 'OldestCompatibleMigration'`.execute(db)
    await sql`update kysely_migration set name = '0060-backup-runs-x' where name = '0060-backup-runs'`.execute(
      db,
    )
    await sql`delete from kysely_migration where name = '9998-later'`.execute(db)
    await sql`delete from kysely_migration where name = '0060-backup-runs-x'`.execute(db)
    expect(await look('schema')).toMatchObject([
      { state: 'warning', text: expect.stringContaining('lacks 1 migrations') },
    ])
    await sql`insert into kysely_migration (name, timestamp) values ('0060-backup-runs', '2026')`.execute(
      db,
    )
  })

  it('a database that cannot be written or does not answer is told', async () => {
    const { databaseUrl, dataDir } = hub.app.env
    if (engine === 'SQLite') {
      const other = new DatabaseSync(join(dataDir, 'hub.db'))
      other.exec('begin immediate')
      expect(await look('database')).toMatchObject([
        { state: 'failed', text: expect.stringContaining('locked') },
      ])
      other.exec('rollback')
      other.close()
      return
    }
    const name = new URL(databaseUrl!).pathname.slice(1)
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(
      hub.app.db,
    )
    expect(await look('write')).toMatchObject([
      { state: 'failed', text: expect.stringContaining('read-only') },
    ])
    await sql`alter database ${sql.id(name)} set default_transaction_read_only = off`.execute(
      hub.app.db,
    )
    const away = `postgres://hub:${secret}@127.0.0.1:${await closedPort()}/hub`
    expect(await look('database', { DATABASE_URL: away })).toMatchObject([
      { state: 'failed', text: expect.stringContaining('no PostgreSQL listens at') },
    ])
  })
}

const connectionTests = () => {
  it('Redis that does not answer is told', async () => {
    const REDIS_URL = `redis://:${secret}@127.0.0.1:${await closedPort()}`
    expect(await look('Redis', { REDIS_URL })).toMatchObject([
      { state: 'failed', text: expect.stringContaining('Check REDIS_URL') },
    ])
    expect(await look('Redis')).toMatchObject([{ state: 'skipped' }])
  })

  it('a host that is not reached is named with its channel, by the proxy too', async () => {
    const closed = await closedPort()
    await addChannel('closed', `http://127.0.0.1:${closed}`)
    await addChannel('no TLS', vendorUrl.replace('http', 'https'))
    await addChannel('proxied', vendorUrl, `http://user:${secret}@127.0.0.1:${closed}`)
    const failures = (await look('egress')).filter(each => each.state === 'failed')
    expect(failures.map(each => each.text)).toEqual([
      expect.stringMatching(
        new RegExp(`127\\.0\\.0\\.1:${closed} is not reached \\(closed\\): .*ECONNREFUSED`),
      ),
      expect.stringMatching(/is not reached \(no TLS\)/),
      expect.stringMatching(/is not reached through the proxy of its channel \(proxied\)/),
    ])
    for (const name of ['closed', 'no TLS', 'proxied']) await removeChannels(name)
  })

  it('a mail server that does not answer is told', async () => {
    const put = (key: string, value: string) => hub.root.put('/api/option/', { key, value })
    await put('SMTPServer', '127.0.0.1')
    await put('SMTPPort', String(await closedPort()))
    await put('SMTPAccount', 'hub@example.com')
    await put('SMTPToken', secret)
    expect(await look('e-mail')).toMatchObject([
      { state: 'failed', text: expect.stringMatching(/ECONNREFUSED.*Check SMTPServer/) },
    ])
    await put('SMTPServer', '')
    expect(await look('e-mail')).toMatchObject([{ state: 'skipped' }])
  })
}

const programTests = () => {
  it('the program prints a line per check or JSON, and its exit code tells of failures', async () => {
    const program = join(import.meta.dirname, 'main.ts')
    const where = { ...hub.app.env, masterKey: hub.app.env.masterKey.toString('base64') }
    const text = await runProgram(program, [], where)
    expect(text).toMatchObject({ code: 0, errors: '' })
    expect(text.output).toMatch(/(ok|warning) +database/)
    const json = await runProgram(program, ['--json'], where, { PORT: 'many' })
    expect(json.code).toBe(1)
    expect(JSON.parse(json.output)).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        { check: 'configuration', state: 'failed', text: expect.stringContaining('PORT') },
      ]),
    })
    expect(await runProgram(program, ['--unknown'], where)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('npm run doctor'),
    })
  })
}

onBothEngines('doctor', (open, engine) => {
  beforeAll(async () => {
    hub = await open({ MASTER_KEY: randomBytes(32).toString('base64') })
    vendor = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await new Promise(resolve => vendor.once('listening', resolve))
    vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
    await addChannel('the vendor', vendorUrl)
  })
  afterAll(() => vendor?.close())
  gatewayTests()
  databaseTests(engine)
  connectionTests()
  programTests()
})
