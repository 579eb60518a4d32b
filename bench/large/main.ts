import { setTimeout as sleep } from 'node:timers/promises'
import { audit } from '../../apps/server/src/auditor/audit.ts'
import { readCommandLine } from '../../apps/server/src/lib/command-line/read.mjs'
import { programs } from '../../scripts/lib/programs.mjs'
import { administer } from '../../test/harness/admin.ts'
import { cpuMicros } from '../../test/harness/process/stats.ts'
import { startUpstream } from '../targets.ts'
import { callFor, callWhile } from './callers.ts'
import { type ChannelCosts, measureChannels } from './channels.ts'
import { measureConsole } from './console/measure.ts'
import { timeLists } from './lists.ts'
import { type EngineResult, report } from './report.ts'
import { type EngineName, makeWorld, type TestHub } from './world.ts'

const line = readCommandLine(programs['bench:large']!)
const logsCount = line.text('logs')
const scale = Number(line.text('scale'))
const full = {
  sqlite: { users: 100_000, logs: 1_000_000 },
  postgres: { users: 1_000_000, logs: 10_000_000 },
}
const few = { users: 10, logs: 10 }
const connections = 32
const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const cpuOfChat = async ({ gateway, keys }: TestHub): Promise<number> => {
  const before = cpuMicros(gateway.pid)
  const { done } = await callFor(gateway.url, keys, connections, Number(line.text('seconds')))
  // Writes queued behind the last response belong to the calls.
  await sleep(300)
  return (cpuMicros(gateway.pid) - before) / done
}

/** A fifth of the logs goes while four callers call: what the slowest of them waited, before and meanwhile. */
const deleteOld = async (hub: TestHub) => {
  const { gateway, keys } = hub
  const calm = await callFor(gateway.url, keys, 4, Number(line.text('seconds')))
  const before = Math.floor(Date.now() / 1000) - 72 * 86_400
  const deletion = await whileCalled(hub, () =>
    administer(gateway).api<number>('DELETE', `/api/log/?target_timestamp=${before}`),
  )
  return { ...deletion, calm }
}

/** The gateway sums older logs after its start, in the background. What it measures meanwhile is not what it is later. */
const waitForSums = async ({ gateway }: TestHub) => {
  const { api } = administer(gateway)
  while (!(await api<{ complete: boolean }>('GET', '/api/operations/overview')).complete)
    await sleep(1_000)
}

/** Deletes while four callers call. */
const whileCalled = async <T>({ gateway, keys }: TestHub, remove: () => Promise<T>) => {
  let isDeleting = true
  const since = performance.now()
  let seconds = 0
  const deleting = remove().finally(() => {
    seconds = (performance.now() - since) / 1000
    isDeleting = false
  })
  const [deleted, meanwhile] = await Promise.all([
    deleting,
    callWhile(gateway.url, keys, 4, () => isDeleting),
  ])
  return { deleted, seconds, meanwhile }
}

const upstream = await startUpstream()
const results: EngineResult[] = []
const channelCounts = [1_000, Math.max(1_000, Math.round(10_000 * scale))]
const channels: ChannelCosts[] = []
try {
  for (const count of new Set(channelCounts))
    channels.push(await measureChannels(upstream.url, count))
  for (const engine of line.text('engines').split(',') as EngineName[]) {
    const of = (n: number) => Math.max(few.users, Math.round(n * scale))
    const logs = logsCount === '' ? of(full[engine].logs) : Number(logsCount)
    const shape = { users: of(full[engine].users), logs }
    console.log(`${engine}: making ${shape.users} users and tokens, ${shape.logs} calls`)
    const since = performance.now()
    const small = await makeWorld(engine, upstream.url, few)
    const large = await makeWorld(engine, upstream.url, shape)
    console.log(`${engine}: made in ${((performance.now() - since) / 1000).toFixed(0)} s`)
    try {
      for (const hub of [small, large]) await callFor(hub.gateway.url, hub.keys, connections, 3)
      const cpu: { small: number[]; large: number[] } = { small: [], large: [] }
      for (let round = 1; round <= Number(line.text('rounds')); round += 1) {
        cpu.small.push(await cpuOfChat(small))
        cpu.large.push(await cpuOfChat(large))
        console.log(
          `${engine} round ${round}: ${cpu.small.at(-1)?.toFixed(1)} and ${cpu.large.at(-1)?.toFixed(1)} us of CPU a chat`,
        )
      }
      await waitForSums(large)
      const lists = await timeLists(large, Number(line.text('calls')))
      const browsed = await measureConsole(large, upstream.url, Number(line.text('rounds')))
      const deletion = await deleteOld(large)
      const { oldMonths } = large
      const detachment = oldMonths && (await whileCalled(large, oldMonths.detach))
      const drop = oldMonths && (await whileCalled(large, oldMonths.drop))
      const findings = line.flag('audit')
        ? (await audit(large.gateway)).results.flatMap(each => each.findings)
        : []
      for (const { row, description: what } of findings.slice(0, 20)) console.log(`${row}: ${what}`)
      const chat = { small: median(cpu.small), large: median(cpu.large) }
      results.push({
        ...{ engine, shape, chat, lists, deletion, console: browsed, findings: findings.length },
        months: detachment && drop && { detachment, drop },
      })
    } finally {
      await large.close()
      await small.close()
    }
  }
} finally {
  await upstream.stop()
}
process.exitCode = report(results, channels, {
  isWritten: scale === 1 && logsCount === '',
})
  ? 0
  : 1
