import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { afterAll, beforeAll, describe } from 'vitest'

export type TestRedis = {
  url: string
  /** An outage: everything that was kept is gone. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Connections stay open, and nothing is answered until it goes on. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

/** A suite on a server of its own: left out, with the reason in its name, where there is none. In CI that is a failure. */
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

/** A throwaway server without persistence. `halt` and `start` play an outage on the same address. */
const startRedis = async (): Promise<TestRedis> => {
  const dir = mkdtempSync(join(tmpdir(), 'hub-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dir]
    child = spawn('redis-server', options, { stdio: 'ignore' })
    const deadline = Date.now() + 120_000
    while (!(await answers(port))) {
      if (Date.now() > deadline) throw new Fault('server.failed', { hint: 'Redis did not start.' })
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }

  const halt = async () => {
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
    kill: halt,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await halt()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Below the range that outgoing connections are given: a client that tries again and again while nobody listens could
 * otherwise be given this very port, be connected to itself, and keep the server from coming back.
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
