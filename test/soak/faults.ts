import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, many, type Seen, unlimitedAgent } from '../harness/client.ts'
import { seeded } from '../harness/crash/crash-rounds.ts'
import type { Engine } from '../harness/engines.ts'
import { faultIn } from '../harness/frames.ts'
import type { Gateway } from '../harness/gateway.ts'
import { chargesOf } from '../harness/ledger.ts'
import { figuresOf, watched } from '../harness/metrics.ts'
import { openFiles, rssBytes } from '../harness/process/stats.ts'
import { startTestHub } from '../harness/test-hub.ts'
import { guarded, type Part } from './part.ts'

const clients = 16
const faultShare = 0.01
const sampleMs = 5_000
const stretches = 12
/** SQLite's page caches fill with what is written, and are full by then: before, memory only tells how full. */
const filling = { calls: 100_000, clients: 64, model: 'any:in=10;out=20' }
const sound = { model: 'any:in=10;out=20;every=5', cost: 30 }
/** What one call in a hundred meets. */
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
 * A slope of half an hour bends with one garbage collection: less than this an hour cannot be told from none in it.
 * The eight hours of the contract are `--minutes 480`, where it is 1.
 */
const slopeMax = (minutes: number): number => Math.max(1, 480 / minutes)

const soak = async (engine: Engine, minutes: number, seed: number) => {
  const hub = await startTestHub(engine, { env: watched })
  try {
    // Longer than the machine may stand still beside it.
    await hub.admin.setOption('IdleTimeoutSeconds', '10')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    const person = await hub.admin.addPerson(1_000_000_000_000)
    const agent = unlimitedAgent()
    const paid = new Set<number>()
    const samples: Sample[] = []
    let calls = 0
    let met = 0
    let failed = 0
    const failures = new Map<string, number>()
    const fail = (seen: Seen) => {
      failed += 1
      const why = faultIn(seen.text) ?? `${seen.status}`
      failures.set(why, (failures.get(why) ?? 0) + 1)
    }
    // What the vendor saw is not kept for half an hour.
    const forgetting = setInterval(() => hub.upstream.forget(), sampleMs)
    const fillers = unlimitedAgent()
    await many(filling.calls, filling.clients, async () => {
      const { url } = hub.gateway
      const seen = await ask({ url, key: person.key, agent: fillers, model: filling.model })
      calls += 1
      if (seen.complete) paid.add(Number(seen.requestId))
      else fail(seen)
    })
    fillers.destroy()

    const since = performance.now()
    const end = since + minutes * 60_000
    const client = async (at: number) => {
      const random = seeded(seed + at)
      while (performance.now() < end) {
        const fault = random() < faultShare
        const model = fault ? (faults[Math.floor(random() * faults.length)] ?? '') : sound.model
        const leaves = !fault && random() < faultShare ? { leaveAfter: 2 } : {}
        const seen = await ask({
          url: hub.gateway.url,
          key: person.key,
          agent,
          model,
          stream: at % 2 === 0,
          ...leaves,
        })
        calls += 1
        if (fault) met += 1
        else if (seen.complete) paid.add(Number(seen.requestId))
        else if (!('leaveAfter' in leaves)) fail(seen)
        await sleep(20 + random() * 20)
      }
    }
    const watch = setInterval(() => {
      samples.push({
        minutes: (performance.now() - since) / 60_000,
        mebibytes: rssBytes(hub.gateway.pid) / 2 ** 20,
        files: openFiles(hub.gateway.pid),
      })
    }, sampleMs)
    await Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
    clearInterval(watch)
    clearInterval(forgetting)
    agent.destroy()
    await hub.settled(20_000)

    const charges = await chargesOf(hub.gateway, person.id)
    const amounts = new Map(charges.map(each => [each.id, each.amount]))
    const lost = [...paid].filter(id => amounts.get(id) !== sound.cost).length
    const doubled = charges.length - new Set(charges.map(each => each.source || each.id)).size
    const unhandled = await rejectionsOf(hub.gateway)
    await hub.audit()
    for (const [why, count] of failures) console.log(`R48 on ${engine.name}: ${count} times ${why}`)
    // The first third is the way to the plateau.
    const plateau = samples.slice(Math.floor(samples.length / 3))
    if (plateau.length < stretches) throw new Error('too short: a slope needs some minutes')
    const files = plateau.map(each => each.files)
    return {
      calls,
      met,
      failed,
      lost,
      doubled,
      unhandled,
      slope: slopeOf(bottomsOf(plateau)),
      files,
    }
  } finally {
    await hub.close()
  }
}

const rejectionsOf = async (gateway: Gateway): Promise<number> => {
  const told = (await figuresOf(gateway)).get('hub_unhandled_rejections_total')
  if (told === undefined) throw new Error('the gateway does not count unhandled rejections')
  return told
}

export const faulty: Part = {
  name: 'faults',
  title: 'R48: a long load with one fault in a hundred calls',
  intro: `100,000 calls that fill the caches, then so many minutes of 16 clients for each engine, side by side: about half of what the
machine can do. One call in a hundred meets a vendor that misbehaves, and one in a hundred callers leaves. Memory and open files
are measured after a third of the minutes; the auditor reads everything at the end.`,
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
          const { files, slope, ...seen } = await soak(engine, minutes, seed)
          const [fewest, most] = [Math.min(...files), Math.max(...files)]
          const { calls, met, failed, lost, doubled, unhandled } = seen
          const isSound =
            failed + lost + doubled + unhandled === 0 &&
            slope <= slopeMax(minutes) &&
            most - fewest <= 3 * clients
          const told = [calls, met, failed, lost, doubled, unhandled, slope.toFixed(2)]
          const open = `${fewest} to ${most}`
          return [engine.name, seed, minutes, ...told, open, isSound ? 'yes' : 'NO']
        },
        broken => [engine.name, seed, minutes, broken.slice(0, 200), ...Array(7).fill('–'), 'NO'],
      )
    const rows = await Promise.all(engines.map(row))
    return { rows, isSound: rows.every(each => each.at(-1) === 'yes') }
  },
}
