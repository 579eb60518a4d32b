import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../apps/server/src/app.ts'
import { lockDataDir } from '../../apps/server/src/db/engines/data-lock.ts'
import { examine } from '../../apps/server/src/doctor/index.ts'
import { readEnv } from '../../apps/server/src/env.ts'
import { openPostgres, postgresSkipReason } from '../../apps/server/test/postgres.ts'
import { serverFlags } from '../../scripts/lib/node.mjs'
import { node, root } from '../harness/paths.ts'
import { compileCache } from '../harness/process/compile-cache.ts'
import { startFakePostgres } from '../harness/process/fake-postgres.ts'

type Source = Record<string, string>
type Configuration = {
  env: Source
  /** Programs in front of the server. */
  commandLine?: string[]
  cleanUp?(): unknown
}
type Row = readonly [
  title: string,
  make: () => Configuration | Promise<Configuration>,
  sentence: RegExp,
  /** The words of the doctor; absent: the sentence; `not`: it cannot see the fault. */
  doctor?: RegExp | 'not',
]

const isRoot = process.getuid?.() === 0
const bundle = process.env.HUB_BUNDLE === '1'
const server = join(root, bundle ? 'apps/server/dist/server.mjs' : 'apps/server/src/main.ts')

let folder = ''
const newFolder = () => mkdtempSync(join(folder, 'data-'))

/** The data folder of a server that ran once, with a key of its own. */
let used = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hub-wrong-'))
  chmodSync(folder, 0o755)
  used = newFolder()
  const env = { DATA_DIR: used, LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1' }
  await (await buildApp(readEnv(env))).close(1)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const copyUsed = (change: (file: string, dataDir: string) => void): Configuration => {
  const dataDir = newFolder()
  cpSync(used, dataDir, { recursive: true })
  change(join(dataDir, 'hub.db'), dataDir)
  return { env: { DATA_DIR: dataDir } }
}

const runServer = ({ env, commandLine = [] }: Configuration) => {
  const [command = node, ...args] = [...commandLine, node, ...serverFlags, server]
  const options = {
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' },
      ...(!bundle && { NODE_COMPILE_CACHE: compileCache() }),
      ...env,
    },
  }
  return new Promise<{ code: unknown; output: string; errors: string }>(resolve =>
    execFile(command, args, options, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors }),
    ),
  )
}

const check = async ([, make, sentence, doctor = sentence]: Row) => {
  const configuration = await make()
  const env = { DATA_DIR: join(folder, 'absent'), ...configuration.env }
  try {
    const { code, output, errors } = await runServer({ ...configuration, env })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(sentence)
    expect(errors.trimEnd()).not.toContain('\n')
    expect(errors).not.toContain('hunter2')
    if (doctor === 'not') return
    const failed = (await examine(env)).filter(each => each.state === 'failed')
    expect(failed.map(each => each.text).join('\n')).toMatch(doctor)
  } finally {
    await configuration.cleanUp?.()
  }
}

const withFake = async (answer: Parameters<typeof startFakePostgres>[0]) => {
  const { url, close } = await startFakePostgres(answer)
  return { env: { DATABASE_URL: url }, cleanUp: close }
}

const variable = (name: string, value: string, sentence: RegExp, more: Source = {}): Row => [
  `${name}=${value}`,
  () => ({ env: { [name]: value, ...more } }),
  sentence,
]

const variables: readonly Row[] = [
  variable('PORT', 'http', /PORT must be a number from 0 to 65535, not "http"\./),
  variable('DATABASE_URL', 'mysql://u:hunter2@h/d', /DATABASE_URL must begin with postgres:\/\//),
  variable('SQL_DSN', 'root:hunter2@tcp(localhost)/db', /SQL_DSN must begin with postgres:\/\//),
  variable('REDIS_URL', 'localhost:6379', /REDIS_URL must begin with redis:\/\/ or rediss:\/\/\./),
  variable('LOG_LEVEL', 'loud', /LOG_LEVEL must be one of fatal, error, warn/),
  variable('ACCESS_LOG', 'please', /ACCESS_LOG must be true or false, not "please"\./),
  variable('TRUSTED_PROXIES', '10.0.0.0/99', /TRUSTED_PROXIES must list addresses or ranges/),
  variable('FETCH_PORTS', '80,http', /FETCH_PORTS must list numbers from 1 to 65535, not "http"\./),
  variable('FETCH_PRIVATE_RANGES', 'intern', /FETCH_PRIVATE_RANGES must list addresses or ranges/),
  variable('FETCH_DNS_SERVERS', 'dns.example', /FETCH_DNS_SERVERS must list addresses such as/),
  variable('STOP_DELAY_SECONDS', '-1', /STOP_DELAY_SECONDS must be a number of seconds from 0/),
  variable('STOP_DEADLINE_SECONDS', 'long', /STOP_DEADLINE_SECONDS must be a number of seconds/),
  variable('METRICS_USER', 'prometheus', /METRICS_USER and METRICS_PASSWORD go together\./),
  variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'collector:4318',
    /OTEL_EXPORTER_OTLP_ENDPOINT must begin/,
  ),
  variable('OTEL_EXPORTER_OTLP_HEADERS', 'a', /OTEL_EXPORTER_OTLP_HEADERS must list name=value/, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  }),
  variable(
    'INITIAL_ROOT_PASSWORD',
    '1234567',
    /INITIAL_ROOT_PASSWORD must have 8 to 128 characters/,
  ),
  variable('INITIAL_ROOT_TOKEN', 'sk-1', /INITIAL_ROOT_TOKEN must have 16 to 200 characters/),
  [
    'a MASTER_KEY that is too short',
    () => ({ env: { MASTER_KEY: 'short' } }),
    /MASTER_KEY must be 32 bytes in base64 or hex\./,
  ],
]

const folders: readonly Row[] = [
  [
    'DATA_DIR is a file',
    () => {
      const file = join(newFolder(), 'file')
      writeFileSync(file, '')
      return { env: { DATA_DIR: file } }
    },
    /DATA_DIR \(\S+\) is not a folder, or lies in a file\. Set it to a folder\.|is not a folder\. Set it to a folder\./,
  ],
  [
    'DATA_DIR lies in a file',
    () => {
      const file = join(newFolder(), 'file')
      writeFileSync(file, '')
      return { env: { DATA_DIR: join(file, 'data') } }
    },
    /DATA_DIR \(\S+\) is not a folder, or lies in a file\. Set it to a folder\.|is not a folder\. Set it to a folder\./,
    /Check DATA_DIR|is not a folder/,
  ],
  [
    'DATA_DIR cannot be made',
    () => ({ env: { DATA_DIR: '/proc/absent/data' } }),
    /DATA_DIR \(\/proc\/absent\/data\) cannot be made, because the folder above it is missing\./,
    'not',
  ],
  [
    'DATA_DIR belongs to somebody else',
    () => {
      const dataDir = newFolder()
      chmodSync(dataDir, 0o555)
      // Another user may not be able to read the project; root without its rights is like any user.
      const rights = '--bounding-set=-dac_override,-dac_read_search'
      return {
        env: { DATA_DIR: dataDir },
        ...(isRoot && { commandLine: ['setpriv', rights, '--'] }),
      }
    },
    /DATA_DIR \(\S+\) cannot be written\. Give the user of the server the right to write there\./,
    'not',
  ],
  [
    'another server works in DATA_DIR',
    () => {
      const dataDir = newFolder()
      const unlock = lockDataDir(dataDir)
      return { env: { DATA_DIR: dataDir }, cleanUp: unlock }
    },
    /Another process already works in \S+\. Stop it, or set DATA_DIR to another directory\./,
    'not',
  ],
]

const damaged = /DATA_DIR.*damaged.*[Rr]estore a backup: npm run restore\./

const databases: readonly Row[] = [
  [
    'hub.db is not a database',
    () => copyUsed(file => writeFileSync(file, randomBytes(8_192))),
    damaged,
  ],
  [
    'hub.db is cut in half',
    () => copyUsed(file => truncateSync(file, Math.floor(statSync(file).size / 2))),
    damaged,
  ],
  ['hub.db is cut in its header', () => copyUsed(file => truncateSync(file, 50)), damaged],
  [
    'hub.db is overwritten after its header',
    () =>
      copyUsed(file => {
        const { size } = statSync(file)
        truncateSync(file, 100)
        writeFileSync(file, Buffer.alloc(size - 100, 255), { flag: 'a' })
      }),
    damaged,
  ],
  [
    'hub.db is empty, and its log is not',
    () =>
      copyUsed(file => {
        truncateSync(file, 0)
        writeFileSync(`${file}-wal`, randomBytes(4_096))
      }),
    damaged,
  ],
  [
    'hub.db belongs to another program',
    () =>
      copyUsed(file => {
        rmSync(file)
        const other = new DatabaseSync(file)
        other.exec('create table users (id integer)')
        other.close()
      }),
    /hub\.db in DATA_DIR\) is the database of another program: it has "users"/,
    'not',
  ],
  [
    'the database is that of a later release',
    () =>
      copyUsed(file => {
        const later = new DatabaseSync(file)
        later.exec(`insert into kysely_migration values ('9999-later', '2026-12-01');
          insert into options (key, value) values ('OldestCompatibleMigration', '9999-later')`)
        later.close()
      }),
    /The database needs a release with migration 9999-later or later; this one ends with \d{4}-/,
    /A later release with migration 9999-later has changed it/,
  ],
  [
    'the master key is lost',
    () => copyUsed((_, dataDir) => rmSync(join(dataDir, 'master.key'))),
    /and \S+master\.key, which opens them, is not there\. Put it back, or set MASTER_KEY/,
  ],
  [
    'the master key is another one',
    () =>
      copyUsed((_, dataDir) =>
        writeFileSync(join(dataDir, 'master.key'), randomBytes(32).toString('base64')),
      ),
    /MASTER_KEY \(or master\.key in DATA_DIR\) is not the one this database was sealed with\./,
  ],
  [
    'master.key is broken',
    () => copyUsed((_, dataDir) => writeFileSync(join(dataDir, 'master.key'), 'oops')),
    /DATA_DIR has a master\.key that is not 32 bytes: \S+master\.key\./,
  ],
  [
    'the disk is full while the database is migrated',
    () => ({
      env: { DATA_DIR: newFolder(), NODE_COMPILE_CACHE: '' },
      commandLine: ['prlimit', '--fsize=300000', '--'],
    }),
    /DATA_DIR \(\S+\) has a database that (has no space to grow|cannot be read or written)/,
    'not',
  ],
]

const servers: readonly Row[] = [
  [
    'no PostgreSQL listens',
    () => ({ env: { DATABASE_URL: 'postgres://hub:hunter2@127.0.0.1:1/hub' } }),
    /DATABASE_URL: no PostgreSQL listens at 127\.0\.0\.1:1\. Start it, or correct the address\./,
  ],
  [
    'the host is unknown',
    () => ({ env: { DATABASE_URL: 'postgres://hub:hunter2@absent.invalid/hub' } }),
    /DATABASE_URL: the host absent\.invalid is unknown\. Correct its name/,
  ],
  [
    'the socket is missing',
    () => ({ env: { DATABASE_URL: 'postgres://hub@localhost/hub?host=/absent' } }),
    /DATABASE_URL: there is no socket of PostgreSQL in \S+\. Start it, or correct the path\./,
  ],
  [
    'the password is wrong',
    () => withFake({ refuses: '28P01' }),
    /DATABASE_URL: the password of the user "hub" is wrong at 127\.0\.0\.1:\d+\. Correct it\./,
  ],
  [
    'the user may not connect',
    () => withFake({ refuses: '28000' }),
    /DATABASE_URL: the user "hub" may not connect at \S+\. Create it, or allow it in pg_hba\.conf\./,
  ],
  [
    'PostgreSQL is starting',
    () => withFake({ refuses: '57P03' }),
    /DATABASE_URL: \S+ is starting or stopping\. Try again in a moment\./,
  ],
  [
    'PostgreSQL has no connection left',
    () => withFake({ refuses: '53300' }),
    /DATABASE_URL: \S+ has no connection left\. Raise max_connections/,
  ],
  [
    'PostgreSQL is too old',
    () => withFake({ version: '110022' }),
    /DATABASE_URL: \S+ is PostgreSQL 11, and 14 is the oldest that works\. Upgrade it\./,
  ],
  [
    'another program listens',
    () => withFake('closes'),
    /DATABASE_URL: \S+ ended the connection: it may be starting, or be no PostgreSQL\./,
  ],
]

const listening: readonly Row[] = [
  [
    'PORT is in use',
    async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await new Promise(resolve => other.once('listening', resolve))
      const { port } = other.address() as AddressInfo
      const env = { DATA_DIR: newFolder(), PORT: String(port) }
      return { env, cleanUp: () => other.close() }
    },
    /PORT \d+ on 127\.0\.0\.1 is in use by another program\. Stop it, or set PORT/,
    'not',
  ],
  [
    'HOST is an address of another machine',
    () => ({ env: { DATA_DIR: newFolder(), HOST: '192.0.2.1' } }),
    /PORT 0 on 192\.0\.2\.1 is no address of this machine\. Set HOST to one of its own/,
    'not',
  ],
  [
    'HOST is an unknown name',
    () => ({ env: { DATA_DIR: newFolder(), HOST: 'absent.invalid' } }),
    /PORT 0 on absent\.invalid is no address of this machine\. Set HOST to one of its own/,
    'not',
  ],
]

const named = (rows: readonly Row[]) => rows.map(row => ({ title: row[0], row }))

describe('a start with a wrong configuration ends in one sentence, and the doctor says it, too', () => {
  it.each(named([...variables, ...folders, ...databases, ...servers]))('$title', ({ row }) =>
    check(row),
  )

  it.each(named(listening))('$title', async ({ row: [, make, sentence] }) => {
    const configuration = await make()
    const { code, errors } = await runServer(configuration)
    await configuration.cleanUp?.()
    expect(code).toBe(1)
    expect(errors).toMatch(sentence)
  })
})

describe.skipIf(postgresSkipReason())('on PostgreSQL', () => {
  let databases: Awaited<ReturnType<typeof openPostgres>>
  beforeAll(async () => {
    databases = await openPostgres()
  })
  afterAll(() => databases?.stop())

  it('the database is missing', () =>
    check([
      '',
      async () => {
        const url = new URL(await databases.database('wrong'))
        url.pathname = '/absent'
        return { env: { DATABASE_URL: url.href, DATA_DIR: newFolder() } }
      },
      /DATABASE_URL: there is no database "absent" at \S+\. Create it, or correct the name\./,
    ]))

  it('the database belongs to another program', () =>
    check([
      '',
      async () => {
        const url = await databases.database('foreign')
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query('create table users (id int)')
        await client.end()
        return { env: { DATABASE_URL: url, DATA_DIR: newFolder() } }
      },
      /DATABASE_URL \(or hub\.db in DATA_DIR\) is the database of another program: it has "users"/,
      'not',
    ]))
})
