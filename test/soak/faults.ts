import type { Agent } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, mapConcurrently, type ObservedCall, unlimitedAgent } from '../harness/client.ts'
import { seeded } from '../harness/crash/crash-rounds.ts'
import type { Engine } from '../harness/engines.ts'
import { faultIn } from '../harness/frames.ts'
import type { Gateway } from '../harness/gateway.ts'
import { chargesOf } from '../harness/ledger.ts'
import { figuresOf, metricsEnvironment } from '../harness/metrics.ts'
import { openFiles, rssBytes } from '../harness/process/stats.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { guarded, type Part } from './part.ts'

const clients = 16
const faultShare = 0.01
const sampleMs = 5_000
const stretches = 12
/** SQLite's page caches fill with these calls; before they are full, memory shows only how full they are. */
const filling = { calls: 100_000, clients: 64, model: 'any:in=10;out=20' }
const sound = { model: 'any:in=10;out=20;every=5', cost: 30 }
/** Faults that one call in a hundred meets. */
const faults = [
  'any:reset=before',
  'any:reset=headers',
  'any:reset=3',
  'any:fin=2',
  'any:stall=2',
  'any:status=500',
  'any:status=429',
  'any:error-in-200',
  'any:empty',
  'any:garbage=json',
  'any:redirect',
  'any:usage=huge',
]

type Sample = { minutes: number; mebibytes: number; files: number }

/** The lowest of each stretch of time: what is left after a garbage collection, not what one is about to collect. */
const bottomsOf = (samples: Sample[]): Sample[] => {
  const length = Math.max(1, Math.floor(samples.length / stretches))
  return Array.from({ length: Math.floor(samples.length / length) }, (_, at) =>
    samples
      .slice(at * length, (at + 1) * length)
      .reduce((least, each) => (each.mebibytes < least.mebibytes ? each : least)),
  )
}

/** Mebibytes an hour, by least squares. */
const slopeOf = (samples: Sample[]): number => {
  const mean = (of: (each: Sample) => number) =>
    samples.reduce((sum, each) => sum + of(each), 0) / samples.length
  const [x, y] = [mean(each => each.minutes), mean(each => each.mebibytes)]
  const over = samples.reduce((sum, each) => sum + (each.minutes - x) * (each.mebibytes - y), 0)
  const under = samples.reduce((sum, each) => sum + (each.minutes - x) ** 2, 0)
  return under === 0 ? 0 : (over / under) * 60
}

/**
 * One garbage collection changes the slope of half an hour: a smaller slope cannot be told from zero. The eight hours
 * of the contract are `--minutes 480`, with a limit of 1.
 */
const slopeMax = (minutes: number): number => Math.max(1, 480 / minutes)

/** A running soak: the hub, its caller, and the counters. */
type Soak = {
  hub: TestHub
  key: string
  calls: number
  faultsMet: number
  failed: number
  /** Ids of the requests that were answered completely. */
  paid: Set<number>
  /** Failed calls by fault code or status. */
  failures: Map<string, number>
}

const recordFailure = (soak: Soak, seen: ObservedCall): void => {
  soak.failed += 1
  const why = faultIn(seen.text) ?? `${seen.status}`
  soak.failures.set(why, (soak.failures.get(why) ?? 0) + 1)
}

const fillCaches = async (soak: Soak): Promise<void> => {
  const agent = unlimitedAgent()
  await mapConcurrently(filling.calls, filling.clients, async () => {
    const { url } = soak.hub.gateway
    const seen = await ask({ url, key: soak.key, agent, model: filling.model })
    soak.calls += 1
    if (seen.complete) soak.paid.add(Number(seen.requestId))
    else recordFailure(soak, seen)
  })
  agent.destroy()
}

/** Sends calls until `end`: one in a hundred meets a fault, one in a hundred disconnects. */
const runClient = async (soak: Soak, agent: Agent, at: number, seed: number, end: number) => {
  const random = seeded(seed + at)
  while (performance.now() < end) {
    const fault = random() < faultShare
    const model = fault ? (faults[Math.floor(random() * faults.length)] ?? '') : sound.model
    const leaves = !fault && random() < faultShare ? { leaveAfter: 2 } : {}
    const seen = await ask({
      url: soak.hub.gateway.url,
      key: soak.key,
      agent,
      model,
      stream: at % 2 === 0,
      ...leaves,
    })
    soak.calls += 1
    if (fault) soak.faultsMet += 1
    else if (seen.complete) soak.paid.add(Number(seen.requestId))
    else if (!('leaveAfter' in leaves)) recordFailure(soak, seen)
    await sleep(20 + random() * 20)
  }
}

/** Runs all clients for the given time, and samples memory and open files meanwhile. */
const runClients = async (soak: Soak, minutes: number, seed: number): Promise<Sample[]> => {
  const { pid } = soak.hub.gateway
  const samples: Sample[] = []
  const since = performance.now()
  const agent = unlimitedAgent()
  const sampling = setInterval(() => {
    samples.push({
      minutes: (performance.now() - since) / 60_000,
      mebibytes: rssBytes(pid) / 2 ** 20,
      files: openFiles(pid),
    })
  }, sampleMs)
  const end = since + minutes * 60_000
  await Promise.all(
    Array.from({ length: clients }, (_, at) => runClient(soak, agent, at, seed, end)),
  )
  clearInterval(sampling)
  agent.destroy()
  return samples
}

const compareWithLedger = async ({ hub, paid }: Soak, personId: number) => {
  const charges = await chargesOf(hub.gateway, personId)
  const amounts = new Map(charges.map(each => [each.id, each.amount]))
  const lost = [...paid].filter(id => amounts.get(id) !== sound.cost).length
  const doubled = charges.length - new Set(charges.map(each => each.source || each.id)).size
  const unhandled = await rejectionsOf(hub.gateway)
  await hub.audit()
  return { lost, doubled, unhandled }
}

const runSoak = async (engine: Engine, minutes: number, seed: number) => {
  const hub = await startTestHub(engine, { env: metricsEnvironment })
  try {
    // Longer than other load may suspend this machine.
    await hub.admin.setOption('IdleTimeoutSeconds', '10')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    const { id, key } = await hub.admin.addPerson(1_000_000_000_000)
    const counters = { calls: 0, faultsMet: 0, failed: 0 }
    const soak: Soak = { hub, key, ...counters, paid: new Set(), failures: new Map() }
    // The fake vendor records every request; half an hour of them would fill this process.
    const forgetting = setInterval(() => hub.upstream.forget(), sampleMs)
    await fillCaches(soak)
    const samples = await runClients(soak, minutes, seed)
    clearInterval(forgetting)
    await hub.settled()

    const differences = await compareWithLedger(soak, id)
    for (const [why, count] of soak.failures)
      console.log(`R48 on ${engine.name}: ${count} times ${why}`)
    // Memory still grows in the first third.
    const plateau = samples.slice(Math.floor(samples.length / 3))
    if (plateau.length < stretches) throw new Error('too short: a slope needs some minutes')
    const { calls, faultsMet, failed } = soak
    return {
      ...{ calls, faultsMet, failed, ...differences },
      slope: slopeOf(bottomsOf(plateau)),
      files: plateau.map(each => each.files),
    }
  } finally {
    await hub.close()
  }
}

const rejectionsOf = async (gateway: Gateway): Promise<number> => {
  const count = (await figuresOf(gateway)).get('hub_unhandled_rejections_total')
  if (count === undefined) throw new Error('the gateway does not count unhandled rejections')
  return count
}

export const faulty: Part = {
  name: 'faults',
  title: 'R48: a long load with one fault in a hundred calls',
  intro: `100,000 calls fill the caches; then 16 clients per engine run for the given minutes, both engines at once, at about
half of the machine's capacity. One call in a hundred meets a misbehaving vendor, one caller in a hundred disconnects.
Memory and open files are measured after a third of the time; the auditor checks everything at the end.`,
  columns: [
    'Engine',
    'Seed',
    'Minutes',
    'Calls',
    'Faults met',
    'Failed without a fault',
    'Lost',
    'Doubled',
    'Unhandled rejections',
    'MiB an hour',
    'Open files',
    'Sound',
  ],
  run: async ({ engines, seed, minutes }) => {
    const row = (engine: Engine) =>
      guarded<(string | number)[]>(
        `${engine.name}, faults, seed ${seed}`,
        async () => {
          const { files, slope, ...seen } = await runSoak(engine, minutes, seed)
          const [fewest, most] = [Math.min(...files), Math.max(...files)]
          const { calls, faultsMet, failed, lost, doubled, unhandled } = seen
          const isSound =
            failed + lost + doubled + unhandled === 0 &&
            slope <= slopeMax(minutes) &&
            most - fewest <= 3 * clients
          const figures = [calls, faultsMet, failed, lost, doubled, unhandled, slope.toFixed(2)]
          const open = `${fewest} to ${most}`
          return [engine.name, seed, minutes, ...figures, open, isSound ? 'yes' : 'NO']
        },
        broken => [engine.name, seed, minutes, broken.slice(0, 200), ...Array(7).fill('–'), 'NO'],
      )
    const rows = await Promise.all(engines.map(row))
    return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
  },
}
