import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environment, getNode, root, serverFlags } from '../scripts/lib/node.mjs'
import { DemoRefusal } from './folder.ts'
import type { Vendor } from './vendor/index.ts'

export type DemoServer = {
  url: string
  /** Resolves when the server ends. */
  exited: Promise<number>
  stop(): Promise<void>
}

type ServerOptions = { folder: string; databaseUrl: string | undefined; port: number }

/** Starts the built server on the data of the demo, for this machine only. */
export const startServer = async (
  { folder, databaseUrl, port }: ServerOptions,
  vendor: Vendor,
): Promise<DemoServer> => {
  const node = getNode()
  const {
    DATABASE_URL: _,
    SQL_DSN: __,
    REDIS_URL: ___,
    REDIS_CONN_STRING: ____,
    ...rest
  } = environment(node)
  const child = spawn(node, [...serverFlags, join(root, 'apps/server/dist/server.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...rest,
      ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: folder, LOG_LEVEL: 'error' },
      ...{
        FETCH_PRIVATE_RANGES: '127.0.0.0/8',
        FETCH_PORTS: `${vendor.port}`,
        NODE_ENV: 'production',
      },
      ...{ STOP_DELAY_SECONDS: '0', STOP_DEADLINE_SECONDS: '3' },
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
  })
  const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : 1))
  // A demo that dies must not leave a server behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const url = await addressOf(child, exited)
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { url, exited, stop }
}

const addressOf = (child: ChildProcess, exited: Promise<number>): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-4_000)
        const port = /listening on http:\/\/localhost:(\d+)/.exec(output)?.[1]
        if (port) resolve(`http://127.0.0.1:${port}`)
      })
    void exited.then(() => reject(new DemoRefusal(output.trim() || 'The server did not start.')))
  })
