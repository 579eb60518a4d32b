// npm run bench:start: from the start of the server on existing data to its first billed chat, and its memory at rest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { serverFlags } from '../scripts/lib/node.mjs'
import { administer } from '../test/harness/admin.ts'
import { ask } from '../test/harness/client.ts'
import { makeGateway } from '../test/harness/gateway.ts'
import { startUpstream } from '../test/upstream/start.ts'

const rounds = 5
/** The server returns memory within two of its intervals of 30 s. */
const restMs = 75_000

const statusOf = (pid: number) => readFileSync(`/proc/${pid}/status`, 'utf8')
const residentMiB = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1]) / 1024

/** User and system time of a process in milliseconds; the kernel counts in hundredths of a second. */
const cpuMs = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const dataDir = mkdtempSync(join(tmpdir(), 'hub-bench-start-'))
const upstream = await startUpstream()
const gateway = makeGateway({ dataDir, nodeArguments: serverFlags })
try {
  await gateway.start()
  const admin = administer(gateway)
  await admin.addChannel(upstream.url)
  await admin.setPrice('gpt-4o-mini', 'tokens', 0.1)
  await gateway.stop()
  const results: { ms: number; cpu: number; resident: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now()
    await gateway.start()
    const { status } = await ask({
      ...{ url: gateway.url, key: gateway.rootKey, model: 'gpt-4o-mini' },
    })
    if (status !== 200) throw new Error(`the first chat was answered with ${status}`)
    const { pid } = gateway
    results.push({ ms: performance.now() - since, cpu: cpuMs(pid), resident: residentMiB(pid) })
    if (round === rounds - 1) await sleep(restMs)
    else await gateway.stop()
  }
  const show = (value: number) => value.toFixed(0)
  console.log(`start to first chat: ${show(median(results.map(each => each.ms)))} ms`)
  console.log(`CPU of the start:    ${show(median(results.map(each => each.cpu)))} ms`)
  console.log(`resident then:       ${show(median(results.map(each => each.resident)))} MiB`)
  console.log(`resident at rest:    ${show(residentMiB(gateway.pid))} MiB`)
} finally {
  await gateway.close()
  await upstream.close()
  rmSync(dataDir, { recursive: true, force: true })
}
