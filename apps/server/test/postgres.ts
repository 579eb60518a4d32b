import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import pg from 'pg'
import { until } from '../../../test/harness/runner/until.ts'
import { migrateEmpty } from './migrated.ts'

export type PostgresDatabases = {
  /** A new empty database. */
  database(name: string): Promise<string>
  /** A new database with the schema of this release where the run shares a cluster; otherwise an empty one. */
  migrated(name: string): Promise<string>
  stop(): Promise<void>
}

export type TestPostgres = Omit<PostgresDatabases, 'stop' | 'migrated'> & {
  url: string
  /** Folder of its Unix socket. */
  dir: string
  dataDir: string
  stop(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
}

const debian = '/usr/lib/postgresql'

const binDir = (): string | undefined => {
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  return versions
    .map(each => join(debian, each, 'bin'))
    .find(each => existsSync(join(each, 'initdb')))
}

/**
 * Says why the suites on PostgreSQL are skipped, or nothing when they run. A single `vitest run` uses SQLite only;
 * `npm test` sets ENGINES=all, and in CI a missing PostgreSQL is a failure.
 */
export const postgresSkipReason = (): string | undefined => {
  if (!process.env.CI && process.env.ENGINES !== 'all') return 'set ENGINES=all to run it'
  if (binDir()) return undefined
  if (process.env.CI) throw new Fault('server.failed', { hint: 'CI needs PostgreSQL.' })
  return 'PostgreSQL is not installed'
}

/** PostgreSQL refuses to run as root. */
const asPostgres = (command: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', command, ...args]]
    : [command, args]

/** Makes the kernel stop PostgreSQL when the test process dies, where setpriv is available. */
const endingWithUs = ([command, args]: [string, string[]]): [string, string[]] => {
  if (!existsSync('/usr/bin/setpriv')) return [command, args]
  const [, ...rest] = args.slice(args.indexOf('--'))
  return command === 'runuser'
    ? [
        'setpriv',
        ['--reuid=postgres', '--regid=postgres', '--clear-groups', ...onDeath, '--', ...rest],
      ]
    : ['setpriv', [...onDeath, '--', command, ...args]]
}
const onDeath = ['--pdeathsig', 'INT']

const urlIn = (dir: string, name: string) =>
  `postgres://hub@localhost/${name}?host=${encodeURIComponent(dir)}`

const execute = async (dir: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: urlIn(dir, 'postgres') })
  await client.connect()
  for (const each of statements) await client.query(each)
  await client.end()
}

const sharedVariable = 'HUB_TEST_POSTGRES'
const migratedName = 'migrated'

/** Starts a cluster that all test files of a run share. It does not flush to disk: no test cuts its power. */
export const startSharedPostgres = async (): Promise<() => Promise<void>> => {
  const running = await startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off'])
  await migrateEmpty(await running.database(migratedName), '')
  process.env[sharedVariable] = running.dir
  return () => running.stop()
}

/** Databases in the shared cluster of the run, or in a new cluster where none is shared. */
export const openPostgres = async (): Promise<PostgresDatabases> => {
  const dir = process.env[sharedVariable]
  if (!dir) {
    const own = await startPostgres()
    return { ...own, migrated: own.database }
  }
  const names: string[] = []
  const create = async (prefix: string, template: string) => {
    const name = `${prefix}_${randomBytes(6).toString('hex')}`
    names.push(name)
    await execute(dir, `create database "${name}" template ${template}`)
    return urlIn(dir, name)
  }
  return {
    database: prefix => create(prefix, 'template1'),
    migrated: prefix => create(prefix, migratedName),
    stop: () => execute(dir, ...names.map(name => `drop database "${name}" with (force)`)),
  }
}

/** Starts a temporary cluster on a socket in a temporary directory, so that no port can be taken. */
export const startPostgres = async (settings: string[] = []): Promise<TestPostgres> => {
  const bin = binDir()
  if (!bin) throw new Fault('server.failed', { hint: 'PostgreSQL is not installed.' })
  const dir = mkdtempSync(join(tmpdir(), 'hub-pg-'))
  chmodSync(dir, 0o777)
  const dataDir = join(dir, 'data')
  const init = ['-D', dataDir, '-U', 'hub', '--auth=trust', '-E', 'UTF8', '--no-locale', '-N']
  const [initdb, initArgs] = asPostgres(join(bin, 'initdb'), init)
  execFileSync(initdb, initArgs, { stdio: 'ignore', cwd: dir })

  const urlOf = (name: string) => urlIn(dir, name)
  let child: ChildProcess | undefined

  const start = async () => {
    const options = [
      '-D',
      dataDir,
      '-k',
      dir,
      '-c',
      'listen_addresses=',
      '-c',
      'max_connections=200',
      ...settings,
    ]
    const [postgres, args] = endingWithUs(asPostgres(join(bin, 'postgres'), options))
    child = spawn(postgres, args, { stdio: 'ignore', cwd: dir })
    await until('PostgreSQL answers', () => answers(urlOf('postgres')))
  }

  /** SIGINT is a fast stop; SIGQUIT is an immediate stop, like a crash. runuser forwards the signal. */
  const stopServer = async (signal: NodeJS.Signals = 'SIGINT') => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise(resolve => running.once('exit', resolve))
    const [pid] = execFileSync('head', ['-1', join(dataDir, 'postmaster.pid')])
      .toString()
      .split('\n')
    process.kill(Number(pid), signal)
    await ended
  }

  await start()
  return {
    url: urlOf('postgres'),
    dir,
    dataDir,
    database: async name => {
      await execute(dir, `create database "${name}"`)
      return urlOf(name)
    },
    start,
    stop: async signal => {
      await stopServer(signal)
      if (!signal) rmSync(dir, { recursive: true, force: true })
    },
  }
}

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 500 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
