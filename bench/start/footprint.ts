import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { installation } from '../../scripts/lib/installation.mjs'
import { serverFlags } from '../../scripts/lib/node.mjs'
import { administer } from '../../test/harness/admin.ts'
import { ask } from '../../test/harness/client.ts'
import { type Gateway, makeGateway } from '../../test/harness/gateway.ts'
import { root } from '../../test/harness/paths.ts'
import { cpuMicros, rssBytes } from '../../test/harness/process/stats.ts'
import { measure } from '../run.ts'
import { startUpstream } from '../targets.ts'
import { modelOf, workloads } from '../workloads.ts'

/** The memory of the server on SQLite and the space of an installation, in MiB. */
export type Footprint = {
  /** From the start on existing data to the answer of the first billed chat. */
  startMs: number
  startCpuMs: number
  resident: { started: number; atRest: number; loaded: number; fiveMinutesLater: number }
  /** Space on disk: the packages that `npm start` installs, and the content of an archive or image. */
  installed: number
  archive: number
}

const rounds = 5
/** Short of the half hour after which the server gives memory back: this is what it needs between calls. */
const restMs = 75_000
const laterMs = 300_000
const load = ['chat-256', 'stream-burst', 'prompt-200k']

const mebibyte = 2 ** 20
const residentOf = ({ pid }: Gateway) => rssBytes(pid) / mebibyte

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const measureFootprint = async (): Promise<Footprint> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-start-'))
  const upstream = await startUpstream()
  const gateway = makeGateway({
    dataDir,
    nodeArguments: serverFlags,
    env: { MALLOC_ARENA_MAX: '2' },
  })
  try {
    await prepare(gateway, upstream.url)
    const starts = []
    for (let round = 0; round < rounds; round += 1) {
      await gateway.stop()
      starts.push(await measureStart(gateway))
    }
    const started = residentOf(gateway)
    await sleep(restMs)
    const atRest = residentOf(gateway)
    await runLoad(gateway)
    const loaded = residentOf(gateway)
    await sleep(laterMs)
    const resident = { started, atRest, loaded, fiveMinutesLater: residentOf(gateway) }
    const startMs = median(starts.map(each => each.ms))
    const startCpuMs = median(starts.map(each => each.cpuMs))
    return { startMs, startCpuMs, resident, installed: installedMiB(), archive: archiveMiB() }
  } finally {
    await gateway.close()
    await upstream.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const prepare = async (gateway: Gateway, upstreamUrl: string) => {
  await gateway.start()
  const admin = administer(gateway)
  await admin.addChannel(upstreamUrl, { models: modelOf({}) })
  await admin.setPrice('bench-*', 'tokens', 0.01, 0.02)
  await admin.api('PUT', '/api/user_group/', { id: 1, api_rate: 1_000_000 })
}

const measureStart = async (gateway: Gateway) => {
  const since = performance.now()
  await gateway.start()
  const { status } = await ask({ url: gateway.url, key: gateway.rootKey, model: modelOf({}) })
  if (status !== 200) throw new Error(`the first chat was answered with ${status}`)
  return { ms: performance.now() - since, cpuMs: cpuMicros(gateway.pid) / 1000 }
}

const runLoad = async ({ pid, url, rootKey }: Gateway) => {
  const port = new URL(url).port
  const target = { name: 'sqlite', title: '', pid, port, key: rootKey, stop: async () => {} }
  for (const workload of workloads.filter(({ id }) => load.includes(id)))
    await measure(target, workload)
}

/** Space on disk, as `du` counts it: packages have many small files. */
const mebibytesOf = (folder: string, isCounted = (_name: string) => true): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.isSymbolicLink() || !isCounted(entry.name)) return sum
    const path = join(folder, entry.name)
    const own = (statSync(path).blocks * 512) / mebibyte
    return sum + own + (entry.isDirectory() ? mebibytesOf(path, isCounted) : 0)
  }, 0)

const installedMiB = (): number => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: boolean; link?: boolean }>(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => join(root, path))
    .filter(path => existsSync(path))
    .reduce((sum, path) => sum + mebibytesOf(path, name => name !== 'node_modules'), 0)
}

const archiveMiB = (): number => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bench-archive-'))
  try {
    installation(folder)
    return mebibytesOf(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
