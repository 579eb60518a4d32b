import {
  type CrashReport,
  crashRounds,
  isSound,
  sumReports,
} from '../harness/crash/crash-rounds.ts'
import type { Engine } from '../harness/engines.ts'
import { query } from '../harness/ledger.ts'
import { startTestHub } from '../harness/test-hub.ts'
import { guarded, type Part } from './part.ts'

/** Rounds on one database: a fresh one now and then keeps the auditor's look at all of it short. */
const roundsPerWorld = 25

/** Nearly all rounds with fifty calls in flight; some with one and with five hundred. */
const crowds = [
  { inFlight: 50, share: 1 },
  { inFlight: 1, share: 0.02 },
  { inFlight: 500, share: 0.02 },
]

type Slice = { inFlight: number; rounds: number; seed: number }
type SliceReport = CrashReport & { belowZero: number }

const slice = async (engine: Engine, { inFlight, rounds, seed }: Slice): Promise<SliceReport> => {
  const hub = await startTestHub(engine)
  try {
    const report = await crashRounds(hub, { rounds, inFlight, seed })
    const [below] = await query(
      hub.gateway,
      'select count(*) as n from accounts where balance < 0 or held < 0 or balance < held',
    )
    return { ...report, belowZero: Number(below?.n) }
  } finally {
    await hub.close()
  }
}

const unfinished = (broken: string): SliceReport => ({
  calls: 0,
  complete: 0,
  broken: 0,
  lost: [],
  doubled: [],
  over: [],
  worstUnder: 0,
  failed: [broken],
  belowZero: 0,
})

const unlimitedAgent = async (
  engine: Engine,
  { inFlight, rounds, seed }: Slice,
): Promise<SliceReport> => {
  const reports: SliceReport[] = []
  for (let done = 0; done < rounds; done += roundsPerWorld) {
    const part = { inFlight, rounds: Math.min(roundsPerWorld, rounds - done), seed: seed + done }
    const title = `${engine.name}, ${inFlight} in flight, seed ${part.seed}`
    const report = await guarded(title, () => slice(engine, part), unfinished)
    reports.push(report)
    if (!isSound(report)) console.error(`${title}: ${JSON.stringify(report)}`)
    console.log(`${title}: ${done + part.rounds} of ${rounds} rounds`)
  }
  return {
    ...sumReports(reports),
    belowZero: reports.reduce((sum, each) => sum + each.belowZero, 0),
  }
}

export const crash: Part = {
  name: 'crash',
  title: 'R1: killed at random instants',
  intro: `Each round kills the gateway (\`SIGKILL\`) at a random instant under load, half of it streams, restarts it on the same
data and runs the auditor. It compares the clients' responses, the vendor's responses and the ledger's postings. A
round's seed is the first seed plus its number; it repeats the traffic and the instant as far as the scheduler allows.

* **Lost**: complete answers without a charge
* **Doubled**: calls charged twice, or charged although the vendor never saw them
* **Over**: calls charged more than their answer costs
* **Failed**: rounds that could not finish, or in which the auditor found something
* **Worst deviation**: most points undercharged for a broken stream; a checkpoint every 2 s or 512 tokens bounds it`,
  columns: [
    'Engine',
    'Seed',
    'In flight',
    'Rounds',
    'Calls',
    'Complete',
    'Broken',
    'Lost',
    'Doubled',
    'Over',
    'Below zero',
    'Failed',
    'Worst deviation',
  ],
  run: async ({ engines, rounds, seed }) => {
    const rows: (string | number)[][] = []
    let sound = true
    for (const engine of engines)
      for (const { inFlight, share } of crowds) {
        const count = Math.max(1, Math.round(rounds * share))
        const report = await unlimitedAgent(engine, {
          inFlight,
          rounds: count,
          seed,
        })
        sound &&= isSound(report) && report.belowZero === 0
        rows.push([
          engine.name,
          seed,
          inFlight,
          count,
          report.calls,
          report.complete,
          report.broken,
          report.lost.length,
          report.doubled.length,
          report.over.length,
          report.belowZero,
          report.failed.length,
          report.worstUnder,
        ])
      }
    return { rows, isSound: sound }
  },
}
