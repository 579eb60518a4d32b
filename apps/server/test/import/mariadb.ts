import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import mysql from 'mysql2/promise'
import { until } from '../../../../test/harness/runner/until.ts'

const server = '/usr/sbin/mariadbd'

/** Says why tests on MariaDB are skipped, or nothing when they run: with ENGINES=all, and always in CI. */
export const mariadbSkipReason = (): string | undefined => {
  if (!process.env.CI && process.env.ENGINES !== 'all') return 'set ENGINES=all to run it'
  if (existsSync(server)) return undefined
  if (process.env.CI) throw new Fault('server.failed', { hint: 'CI needs MariaDB.' })
  return 'MariaDB is not installed'
}

export type TestMariadb = {
  /** Loads a dump into a new database, and returns the address of a user who may only read it. */
  load(name: string, dump: string): Promise<string>
  /** Makes an empty database instead, and returns the same. */
  create(name: string): Promise<string>
  /** Changes a database with all rights. */
  change<Result>(
    name: string,
    work: (database: mysql.Connection) => Promise<Result>,
  ): Promise<Result>
  stop(): Promise<void>
}

/** Starts a temporary server on a socket in a temporary directory, so that no port can be taken. */
export const startMariadb = async (): Promise<TestMariadb> => {
  const dir = mkdtempSync(join(tmpdir(), 'hub-mariadb-'))
  chmodSync(dir, 0o777)
  const [dataDir, socket] = [join(dir, 'data'), join(dir, 'socket')]
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : []
  const common = ['--no-defaults', ...user, `--datadir=${dataDir}`]
  const install = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', [...common, ...install], { stdio: 'ignore' })
  const options = [`--socket=${socket}`, `--pid-file=${dir}/pid`, '--skip-networking']
  const child = spawn(server, [...common, ...options], { stdio: 'ignore' })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const root = () =>
    mysql.createConnection({ socketPath: socket, user: 'root', multipleStatements: true })
  await until('MariaDB answers', async () => {
    const connection = await root().catch(() => undefined)
    await connection?.end()
    return connection !== undefined
  })
  const create = async (name: string): Promise<string> => {
    const connection = await root()
    await connection.query(`create database ${name} character set utf8mb4`)
    await connection.query(
      `create user if not exists reader@localhost; grant select on ${name}.* to reader@localhost`,
    )
    await connection.end()
    return `mysql://reader@localhost/${name}?socketPath=${encodeURIComponent(socket)}`
  }
  return {
    create,
    load: async (name, dump) => {
      const address = await create(name)
      const client = ['--no-defaults', '--default-character-set=utf8mb4', `--socket=${socket}`]
      execFileSync('mariadb', [...client, '-u', 'root', name], { input: readFileSync(dump) })
      return address
    },
    change: async (name, work) => {
      const connection = await root()
      try {
        await connection.query(`use ${name}`)
        return await work(connection)
      } finally {
        await connection.end()
      }
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
