import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { serverFlags } from '../scripts/lib/node.mjs'
import { cores, pinned } from './cores.ts'
import { modelOf } from './workloads.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export type Target = {
  name: string
  title: string
  pid: number
  port: string
  key: string
  stop(): Promise<void>
}

/** Starts a program of this folder and waits for its `listening on` line. */
const startProgram = async (
  name: string,
  core: number | undefined,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string }> => {
  const [program, args] = pinned(core, process.execPath, [here(name)])
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${name} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      const address = /listening on (\S+)/.exec(chunk.toString())?.[1]
      if (address) resolve(address)
    })
  })
  return { child, url }
}

const ended = (child: ChildProcess) =>
  new Promise<void>(resolve => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

export const startUpstream = async () => {
  const { child, url } = await startProgram('upstream.ts', cores.others)
  return { url, stop: () => ended(child) }
}

export const startPipe = async (upstream: string): Promise<Target> => {
  const { child, url } = await startProgram('pipe.mjs', cores.target, { UPSTREAM: upstream })
  return {
    name: 'pipe',
    title: 'bare pipe',
    pid: child.pid ?? 0,
    port: new URL(url).port,
    key: 'sk-pipe',
    stop: () => ended(child),
  }
}

/** A gateway as an operator runs it: billing, request log and limits on. */
export const startGatewayTarget = async (
  name: 'sqlite' | 'postgres',
  upstream: string,
): Promise<Target> => {
  const { startGateway } = await import('../test/harness/gateway.ts')
  const { administer } = await import('../test/harness/admin.ts')
  const database = name === 'postgres' ? await startDatabase() : undefined
  const gateway = await startGateway({
    databaseUrl: database?.url,
    nodeArguments: serverFlags,
    env: { MALLOC_ARENA_MAX: '2' },
    ...(cores.target === undefined ? {} : { core: cores.target }),
  })
  const admin = administer(gateway)
  await admin.addChannel(upstream, { models: modelOf({}) })
  await admin.addChannel(upstream, { type: 14, models: modelOf({ vendor: 'anthropic' }) })
  await admin.setPrice('bench-*', 'tokens', 0.01, 0.02)
  await admin.api('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
  return {
    name,
    title: name === 'sqlite' ? 'gateway, SQLite' : 'gateway, PostgreSQL',
    pid: gateway.pid,
    port: new URL(gateway.url).port,
    key: gateway.rootKey,
    stop: async () => {
      await gateway.close()
      await database?.stop()
    },
  }
}

const startDatabase = async () => {
  const { startPostgres } = await import('../apps/server/test/postgres.ts')
  return startPostgres()
}
