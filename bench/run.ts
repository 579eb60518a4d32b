import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuMicros, rssBytes } from '../test/harness/process/stats.ts'
import { cores, pinned } from './cores.ts'
import type { LoadResult } from './load.ts'
import type { Target } from './targets.ts'
import type { Workload } from './workloads.ts'

export type Measure = LoadResult & { cpuPerRequest: number; perSecond: number }

const startLoad = (target: Target, workload: Workload) => {
  const load = fileURLToPath(new URL('load.ts', import.meta.url))
  const args = [load, target.port, target.key, JSON.stringify(workload)]
  const [program, rest] = pinned(cores.others, process.execPath, args)
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** One run of one workload: CPU microseconds of the target per answer, and what the callers saw. */
export const measure = async (target: Target, workload: Workload): Promise<Measure> => {
  const before = cpuMicros(target.pid)
  // A pipe refuses no key: the cost of a refusal is reported in multiples of a served call.
  const sentWorkload = target.name === 'pipe' ? { ...workload, refused: false } : workload
  const child = startLoad(target, sentWorkload)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await new Promise(resolve => child.once('exit', resolve))
  // Writes queued behind the last response belong to the calls.
  await sleep(300)
  const used = cpuMicros(target.pid) - before
  const result = JSON.parse(output) as LoadResult
  if (result.wrong)
    throw new Error(
      `${target.name} ${workload.id}: ${result.wrong} of ${result.done} wrong: ${result.firstWrong}`,
    )
  return {
    ...result,
    cpuPerRequest: used / result.done,
    perSecond: Math.round(result.done / result.seconds),
  }
}

export const IDLE_STREAMS = 2000

/** Memory that one open, silent stream holds, in KiB, and the resident memory before. */
export const measureIdle = async (
  target: Target,
  streams: number,
): Promise<{ perStream: number; before: number }> => {
  const before = rssBytes(target.pid) / 1024
  const child = startLoad(target, {
    id: 'idle',
    title: 'idle streams',
    promptBytes: 1500,
    connections: streams,
    stream: 'idle',
    seconds: 0,
  })
  await sleep(6000)
  const after = rssBytes(target.pid) / 1024
  child.kill('SIGTERM')
  await new Promise(resolve => child.once('exit', resolve))
  await sleep(1000)
  return { perStream: (after - before) / streams, before }
}
