import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { programs } from '../scripts/lib/programs.mjs'
import { type Results, report } from './report.ts'
import { IDLE_STREAMS, measure, measureIdle } from './run.ts'
import { measureFootprint } from './start/footprint.ts'
import { startGatewayTarget, startPipe, startUpstream, type Target } from './targets.ts'
import { workloads } from './workloads.ts'

const line = readCommandLine(programs.bench!)
const isQuick = line.flag('quick')
const only = line.text('only') === '' ? undefined : line.text('only').split(',')
const workloadIds = ['idle', ...workloads.map(each => each.id)]
const unknown = only?.find(each => !workloadIds.includes(each))
if (unknown !== undefined) {
  console.error(`There is no workload ${unknown}; there are ${workloadIds.join(', ')}.`)
  process.exit(2)
}

const rounds = isQuick ? 1 : Number(line.text('rounds'))
const targetNames = line.text('targets').split(',')
const names = (['pipe', 'sqlite', 'postgres'] as const).filter(each => targetNames.includes(each))
const chosen = workloads
  .filter(({ id }) => only?.includes(id) ?? true)
  .map(workload =>
    isQuick ? { ...workload, seconds: Math.min(workload.seconds, 5) / 2.5 } : workload,
  )

const upstream = await startUpstream()
const targets: Target[] = []
const results: Results = { rounds, chats: {}, idle: {} }

const start = (name: (typeof names)[number]): Promise<Target> =>
  name === 'pipe' ? startPipe(upstream.url) : startGatewayTarget(name, upstream.url)

try {
  if (!only && !isQuick) results.footprint = await measureFootprint()

  // Each on a target of its own: a heap that has grown once hides what a stream takes, and a pipe never hangs up.
  if (only?.includes('idle') ?? true)
    for (const name of names) {
      const target = await start(name)
      try {
        // The first calls pay for compilation and other one-time work.
        await measureIdle(target, IDLE_STREAMS / 10)
        const measured = await measureIdle(target, IDLE_STREAMS)
        results.idle[name] = measured
        console.log(`idle ${name}: ${measured.perStream.toFixed(1)} KiB a stream`)
      } finally {
        await target.stop()
      }
    }

  for (const name of names) targets.push(await start(name))

  const warm = workloads.find(({ id }) => id === 'chat-256')
  if (warm) for (const target of targets) await measure(target, { ...warm, seconds: 10 })

  // A pipe cannot translate: translation is compared with passing through.
  const gateways = targets.filter(({ name }) => name !== 'pipe')

  for (let round = 1; round <= rounds; round++)
    for (const workload of chosen)
      for (const target of workload.against ? gateways : targets) {
        const result = await measure(target, workload)
        const measured = results.chats[workload.id] ?? {}
        results.chats[workload.id] = measured
        measured[target.name] = [...(measured[target.name] ?? []), result]
        console.log(
          `${round} ${workload.id.padEnd(13)} ${target.name.padEnd(9)} ${result.cpuPerRequest.toFixed(1).padStart(8)} us CPU ${String(result.perSecond).padStart(7)}/s  p50 ${result.p50} us  p99 ${result.p99} us`,
        )
      }
} finally {
  for (const target of targets) await target.stop()
  await upstream.stop()
}

report(results, targets, { write: !isQuick && !only })
