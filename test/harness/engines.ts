import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  postgresSkipReason,
  startPostgres,
  type TestPostgres,
} from '../../apps/server/test/postgres.ts'
import { treeOf } from './process/stats.ts'
import { until } from './runner/until.ts'

const redisProgram = [
  '/usr/bin/redis-server',
  '/usr/local/bin/redis-server',
  '/usr/bin/valkey-server',
].find(existsSync)

export const hasRedis = redisProgram !== undefined
export type Engine = { name: 'SQLite' | 'PostgreSQL'; available: boolean }
export const engines: readonly Engine[] = [
  { name: 'SQLite', available: true },
  { name: 'PostgreSQL', available: postgresSkipReason() === undefined },
]

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

let cluster: Promise<TestPostgres> | undefined
let users = 0
let names = 0

export type OpenDatabase = {
  url: string | undefined
  /** Takes the database server away, as if its machine were gone; the answer brings it back. */
  takeAway(): Promise<() => Promise<void>>
  /** SIGKILL to the server and each of its processes; the answer starts it again. */
  kill(): Promise<() => Promise<void>>
  /** Suspends the server with its connections open, so that nothing answers any more; the function lets it continue. */
  freeze(): () => void
  /** Another database with the same rows, while no client is connected to this one. SQLite has none. */
  copy(): Promise<DatabaseCopy | undefined>
  /** The server's Unix socket, the target of a proxy. */
  socket: string | undefined
  close(): Promise<void>
}

/** An empty database of the engine; SQLite needs none, the gateway makes its file. One cluster per test process. */
export const openDatabase = async (engine: Engine): Promise<OpenDatabase> => {
  if (engine.name === 'SQLite')
    return {
      url: undefined,
      takeAway: () => Promise.reject(new Error('SQLite is no server')),
      kill: () => Promise.reject(new Error('SQLite is no server')),
      freeze: () => {
        throw new Error('SQLite is no server')
      },
      copy: async () => undefined,
      socket: undefined,
      close: async () => undefined,
    }
  cluster ??= startPostgres()
  users += 1
  const running = await cluster
  const name = `hub_${process.pid}_${++names}`
  const url = await running.database(name)
  const serverTree = () =>
    treeOf(Number(readFileSync(join(running.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]))
  return {
    url,
    kill: async () => {
      const tree = serverTree()
      for (const each of tree) process.kill(each, 'SIGKILL')
      await until('it is gone', () => tree.every(each => !existsSync(`/proc/${each}`)))
      return () => running.start()
    },
    freeze: () => {
      const tree = serverTree()
      for (const each of tree) process.kill(each, 'SIGSTOP')
      return () => {
        for (const each of tree) process.kill(each, 'SIGCONT')
      }
    },
    copy: () => copyOf(running.url, url, name),
    socket: join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432'),
    takeAway: async () => {
      await running.stop('SIGQUIT')
      return () => running.start()
    },
    close: async () => {
      users -= 1
      if (users > 0) return
      cluster = undefined
      await running.stop()
    },
  }
}

/** `keep` and `restore` work on a database under its one name: a gateway knows its journal by it. */
type DatabaseCopy = { url: string; keep(): Promise<void>; restore(): Promise<void> }

const copyOf = async (server: string, url: string, name: string): Promise<DatabaseCopy> => {
  const made = `hub_${process.pid}_${++names}`
  const become = async (target: string, source: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(`drop database if exists "${target}" with (force)`)
    await client.query(`create database "${target}" template "${source}"`)
    await client.end()
  }
  await become(made, name)
  return {
    url: url.replace(name, made),
    keep: () => become(`${made}_kept`, made),
    restore: () => become(made, `${made}_kept`),
  }
}

export type Redis = {
  url: string
  /** An outage: what was kept is gone. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Suspends it with its connections open, so that nothing answers any more; the function lets it continue. */
  freeze(): () => void
  /** Saves the rows that the next start finds: a replica that missed the newest commits takes over. */
  copy(): Promise<void>
  /** The newest rows are lost without an error. */
  flush(): Promise<void>
  /** When the leases of a limit end, in the order of their ids: of the limit that has so many, and the latest of them. */
  leaseExpiries(count: number): Promise<number[]>
  close(): Promise<void>
}

/** Returns the ids and expiry times of the leases of one limit: the one with so many leases whose last ends last. */
const latestLeases = [
  "local best, last = '[]', 0",
  "for _, key in ipairs(redis.call('KEYS', 'hub:running:*')) do",
  "local rows = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')",
  'if #rows == 2 * ARGV[1] and tonumber(rows[#rows]) > last then',
  'best, last = cjson.encode(rows), tonumber(rows[#rows]) end end',
  'return best',
].join(' ')

export const startRedis = async (): Promise<Redis> => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hub-redis-'))
  let child: ChildProcess
  const start = async () => {
    child = spawn(
      redisProgram ?? '',
      ['--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder],
      { stdio: 'ignore' },
    )
    const started = child
    process.once('exit', () => started.kill('SIGKILL'))
    await until('Redis answers', () => answers(port))
  }
  await start()
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const say = async (command: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${command}\r\n`)
    const [response] = await once(socket, 'data')
    socket.destroy()
    return String(response)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    start,
    freeze: () => {
      child.kill('SIGSTOP')
      return () => void child.kill('SIGCONT')
    },
    copy: async () => void (await say('SAVE')),
    flush: async () => void (await say('FLUSHALL')),
    leaseExpiries: async count => {
      // A bulk string: its length, then its text.
      const response = await say(`EVAL "${latestLeases}" 0 ${count}`)
      const rows: string[] = JSON.parse(response.split('\r\n')[1] || '[]')
      const leases = Array.from({ length: rows.length / 2 }, (_, at) =>
        rows.slice(2 * at, 2 * at + 2),
      )
      return leases.sort().map(([, end]) => Number(end))
    },
    close: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
