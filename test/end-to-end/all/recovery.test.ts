import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../harness/audit.ts'
import { nextCallTag, type ObservedCall } from '../../harness/client.ts'
import { seeded } from '../../harness/crash/crash-rounds.ts'
import { killedAt } from '../../harness/crash/fail-points.ts'
import { type Prepared, prepare, type RestoredHub } from '../../harness/crash/prepared-hub.ts'
import { accountOf, chargesOf, countHolds, query } from '../../harness/ledger.ts'
import { describeEachEngineConcurrently } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'

const startingBalance = 1_000_000_000
const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)
/** The soak kills at every step, and twenty times three times in a row. */
const isSoak = process.env.HUB_RECOVERY_ROUNDS !== undefined
const rounds = Number(process.env.HUB_RECOVERY_ROUNDS ?? 1)
/** Elsewhere each run kills at every fourth step, and begins at another one. */
const stride = isSoak ? 1 : 4
const firstStep = 1 + (seed % stride)

describeEachEngineConcurrently(engine => {
  let prepared: Prepared
  let restored: RestoredHub
  let whole: ObservedCall[]
  /** The result of an undisturbed recovery. */
  let undisturbed: [number, number][]

  /** Dies with streams under way that were checkpointed, and with ends of calls in the journal only. */
  const crash = async () => {
    const started = () => marks.filter(mark => restored.upstream.served.some(has(mark))).length
    const has = (mark: string) => (each: { mark: string }) => each.mark === mark
    const marks = Array.from({ length: 8 }, nextCallTag)
    const calls = marks.map((mark, at) =>
      restored.ask({
        mark,
        model: at < 5 ? 'any:in=10;out=3000;every=2' : 'any:in=10;first=3000;out=5',
        stream: at < 6,
      }),
    )
    await until('the vendor has them all', () => started() === marks.length)
    const written = () => query(restored.where, 'select id from holds where accrued > 0')
    await until('streams were written down', async () => (await written()).length >= 5)
    const giveBack = restored.takeAway()
    const ended = await Promise.all(calls.slice(5))
    restored.gateway.signal('SIGKILL')
    await restored.gateway.exited()
    giveBack()
    await Promise.all(calls)
    return ended.filter(each => each.complete)
  }

  const recovered = async (): Promise<[number, number][]> => {
    await restored.gateway.start()
    await until('no hold is open', async () => (await countHolds(restored.where)) === 0)
    const charges = await chargesOf(restored.where, restored.person.id)
    const { balance, held } = await accountOf(restored.where, restored.person.id)
    expect([balance, held]).toEqual([
      startingBalance - charges.reduce((sum, each) => sum + each.amount, 0),
      0,
    ])
    await auditLedger(restored.where)
    await restored.gateway.stop('SIGKILL')
    return charges.map(each => [each.id, each.amount])
  }

  /** Starts with a kill at the step; false: it got through. */
  const startKilledAt = async (step: number): Promise<boolean> => {
    await restored.gateway.start({ FAILPOINT: `start:${step}` }).catch(() => undefined)
    return (await killedAt(restored)) !== undefined
  }

  beforeAll(async () => {
    prepared = await prepare(engine, startingBalance)
    restored = await prepared.open()
    await restored.gateway.start()
    whole = await crash()
    await restored.keep()
    undisturbed = await recovered()
  })
  afterAll(async () => {
    await restored?.close()
    await prepared?.close()
  })

  /** Returns the last step at which the start was killed. */
  const killAtSteps = async () => {
    for (let step = firstStep; ; step += stride) {
      await restored.restore()
      const isKilled = await startKilledAt(step)
      await restored.gateway.stop('SIGKILL')
      expect([step, await recovered()]).toEqual([step, undisturbed])
      if (!isKilled) return step - stride
    }
  }

  const killedThreeTimes = async (stepsOfStart: number) => {
    const random = seeded(seed)
    for (let round = 0; round < rounds; round += 1) {
      await restored.restore()
      const steps = [1, 2, 3].map(() => 1 + Math.floor(random() * stepsOfStart))
      for (const step of steps) {
        await startKilledAt(step)
        await restored.gateway.stop('SIGKILL')
      }
      expect([steps, await recovered()]).toEqual([steps, undisturbed])
    }
  }

  it('R2 R4 killed at the steps of a recovery, and three times in a row: the next recovery has the same result, and sent responses are charged', async () => {
    expect(whole).toHaveLength(3)
    const amounts = new Map(undisturbed)
    expect(whole.map(each => amounts.get(Number(each.requestId)))).toEqual([15, 15, 15])
    // The streams were charged by their last checkpoint.
    expect(undisturbed).toHaveLength(8)
    const steps = await killAtSteps()
    console.log(`R2 on ${engine.name}, a recovery: killed at ${Math.ceil(steps / stride)} steps`)
    expect(steps).toBeGreaterThan(8)
    await killedThreeTimes(steps)
    console.log(`R4 on ${engine.name}, seed ${seed}: ${rounds} rounds of three kills`)
  })
})
