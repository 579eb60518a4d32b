import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { afterAll, beforeAll, describe } from 'vitest'
import { until } from '../../../test/harness/runner/until.ts'

export type TestRedis = {
  url: string
  /** Simulates an outage in which all data is lost. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Connections stay open, but nothing is answered until `resume`. */
  freeze(): void
  resume(): void
  stop(): Promise<void>
}

/** Runs a suite on a separate Redis server. Without redis-server it is skipped with the reason, and fails in CI. */
export const describeInRedis = (what: string, suite: (redis: TestRedis) => void): void => {
  const missing = redisMissing()
  describe.skipIf(missing)(missing ? `${what}: left out, ${missing}` : what, () => {
    const redis = {} as TestRedis
    beforeAll(async () => {
      Object.assign(redis, await startRedis())
    })
    afterAll(() => redis.stop())
    suite(redis)
  })
}

const redisMissing = (): string | undefined => {
  if (spawnSync('redis-server', ['--version']).status === 0) return undefined
  if (process.env.CI) throw new Fault('server.failed', { hint: 'CI needs redis-server.' })
  return 'redis-server is not installed'
}

/** A temporary server without persistence. `kill` and `start` simulate an outage on the same address. */
const startRedis = async (): Promise<TestRedis> => {
  const dir = mkdtempSync(join(tmpdir(), 'hub-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir]
    child = spawn('redis-server', options, { stdio: 'ignore' })
    await until('Redis answers', () => answers(port))
  }

  const kill = async () => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) return
    const ended = new Promise(resolve => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Selects a port below the ephemeral range. A client that reconnects while nobody listens could otherwise get this port
 * as its source port, connect to itself, and keep the server from starting.
 */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    const done = (value: boolean) => {
      socket.destroy()
      resolve(value)
    }
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
  })
