import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startKlingVendor } from '../../apps/server/test/tasks/kling-vendor.ts'
import { startMidjourneyProxy } from '../../apps/server/test/tasks/midjourney-proxy.ts'
import { startSunoVendor } from '../../apps/server/test/tasks/suno-vendor.ts'
import { auditLedger } from '../harness/audit.ts'
import { arm, killedAt } from '../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../harness/crash/prepared-hub.ts'
import type { Engine } from '../harness/engines.ts'
import { accountOf, change, chargesOf, countHolds, query } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'

// A task is charged once if its vendor finished it and released once if not, wherever the gateway is killed while it
// submits, polls and settles. A task that only the vendor knows is listed as an orphan and never charged.

const startingBalance = 1_000_000_000
const price = 3_000
const stepsMax = 120
const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)
const isSoak = process.env.HUB_RECOVERY_ROUNDS !== undefined

type TaskVendor = {
  url: string
  key: string
  tasks: Map<string, { id: string; status: string }>
  close(): Promise<void>
}
type CrashCase = {
  name: string
  type: number
  model: string
  path: string
  body: object
  done: string
  failed: string
  start(): Promise<TaskVendor>
}

const cases: readonly CrashCase[] = [
  {
    ...{ name: 'a video of Kling', type: 53, model: 'kling-v1', path: '/v1/videos' },
    ...{ body: { model: 'kling-v1', prompt: 'A dog' }, done: 'succeed', failed: 'failed' },
    start: startKlingVendor,
  },
  {
    ...{ name: 'a song of Suno', type: 41, model: 'chirp-v3-0', path: '/suno/submit/music' },
    ...{ body: { prompt: 'A song about rain' }, done: 'SUCCESS', failed: 'FAILURE' },
    start: startSunoVendor,
  },
  {
    ...{ name: 'an image of Midjourney', type: 34, model: 'mj_imagine' },
    ...{ path: '/mj/submit/imagine', body: { prompt: 'Cat' }, done: 'SUCCESS', failed: 'FAILURE' },
    start: async () => {
      const proxy = await startMidjourneyProxy()
      return { ...proxy, key: proxy.secret }
    },
  },
]

const submit = ({ gateway, person }: RestoredHub, { path, body }: CrashCase): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${person.key}` },
    body: JSON.stringify(body),
  })

/** Makes every task due, also one that was being submitted. */
const pollNow = ({ where }: RestoredHub) =>
  change(where, 'update tasks set run_at = 0 where run_at is not null')

type Rounds = {
  /** The soak kills at every step; elsewhere each run kills at every `stride`th, and begins at another one. */
  stride: number
  /** With two nodes the second one stands still until the first is killed, and then ends its tasks alone. */
  nodes: 1 | 2
}

const crashTests = (engine: Engine, crashCase: CrashCase, { stride, nodes }: Rounds) => {
  // Each case has more steps than these, so that every run kills at least once.
  const firstStep = 1 + (seed % Math.min(stride, 8))
  const { name: title, type, model, done, failed, start } = crashCase
  let prepared: Prepared
  let vendor: TaskVendor
  beforeAll(async () => {
    vendor = await start()
    prepared = await prepare(engine, startingBalance, async ({ admin }) => {
      await admin.addChannel(vendor.url, { type, models: model, key: vendor.key })
      await admin.setPrice(model, 'times', price / 1_000, price / 1_000)
    })
  })
  afterAll(async () => {
    await prepared?.close()
    await vendor?.close()
  })

  it('R2 killed at the steps of a task: it is charged or released once, and no hold stays', async () => {
    const restored = await prepared.open()
    const { gateway, where, person } = restored
    const passed: string[] = []
    const settled = () =>
      until('no hold is open', async () => (await countHolds(where)) === 0, 60_000)
    try {
      await gateway.start({ FAILPOINT: `signal:${firstStep}` })
      const second = nodes === 2 ? await restored.startSecondNode() : undefined
      for (let step = firstStep; step <= stepsMax; step += stride) {
        const before = await accountOf(where, person.id)
        const known = vendor.tasks.size
        await arm(restored)
        second?.signal('SIGSTOP')
        await submit(restored, crashCase).catch(() => undefined)
        for (const task of vendor.tasks.values()) task.status = step % 2 === 0 ? done : failed
        await pollNow(restored).catch(() => undefined)
        await Promise.race([gateway.exited(), settled().catch(() => {})])
        const name = await killedAt(restored)
        if (!name) await gateway.stop('SIGKILL')
        second?.signal('SIGCONT')
        if (!second) await gateway.start({ FAILPOINT: `signal:${step + stride}` })
        await pollNow(restored)
        await settled()
        const [row] = await query(
          where,
          'select state, settlement, orphan, upstream_id from tasks order by id desc limit 1',
        )
        const made = [...vendor.tasks.values()][known]
        const isKnown = made !== undefined && row?.upstream_id === made.id
        const isDue = isKnown && made.status === done && Number(row?.orphan) === 0
        const after = await accountOf(where, person.id)
        expect([before.balance - after.balance, after.held], `step ${step}: ${name}`).toEqual([
          isDue ? price : 0,
          0,
        ])
        // The vendor has a task that the gateway cannot know: it is listed.
        if (made && !isKnown) expect([row?.state, Number(row?.orphan)], name).toEqual(['failed', 1])
        await auditLedger(where)
        if (!name) break
        passed.push(name)
        if (second) await gateway.start({ FAILPOINT: `signal:${step + stride}` })
      }
      console.log(
        `R2 on ${engine.name}, ${nodes} nodes, ${title}: killed at ${passed.length} steps: ${passed}`,
      )
      expect(passed.length).toBeGreaterThan(0)
      const charges = await chargesOf(where, person.id)
      expect(charges.map(each => each.amount)).toEqual(charges.map(() => price))
    } finally {
      await restored.close()
    }
  })
}

describeEnginesInParallel(engine => {
  for (const crashCase of cases)
    describe(crashCase.name, () =>
      crashTests(engine, crashCase, { stride: isSoak ? 1 : 16, nodes: 1 }),
    )
  // Nodes share one database only on PostgreSQL.
  const shared = engine.name === 'PostgreSQL' ? cases.slice(0, isSoak ? undefined : 1) : []
  for (const crashCase of shared)
    describe(`${crashCase.name}, with two nodes`, () =>
      crashTests(engine, crashCase, { stride: isSoak ? 1 : 16, nodes: 2 }))
})
