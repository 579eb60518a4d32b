import { expect, it } from 'vitest'
import { audit } from '../../src/auditor/audit.ts'
import { describeStores } from '../stores.ts'
import { brokenInvariants, isChargeValid } from './invariants.ts'
import { ledgerModel } from './model.ts'
import { addSimulatedUser, applyToModel, nextStep, randomFrom } from './steps.ts'
import { runLedgerWorkload } from './workload.ts'

const seed = Number(process.env.HUB_SEED ?? Date.now() % 1_000_000)

/** Operations on each store; `npm run test:long` raises it to 50,000. */
const operations = Number(process.env.HUB_LEDGER_OPERATIONS ?? 20_000)

it(`a million operations on the model break no law (seed ${seed})`, () => {
  let id = 0
  for (let world = 0; world < 100; world += 1) {
    const random = randomFrom(seed + world)
    const model = ledgerModel()
    const players = [1, 2, 3].map(userId => addSimulatedUser(model, userId))
    for (let n = 0; n < 10_000; n += 1) {
      const player = players[random(3)]!
      const step = nextStep(random, player, () => ++id)
      const before = model.accounts.get(player.userId)!
      const payable = before.balance - before.held
      const isNew = 'id' in step && !model.posted.has(step.id)
      const held = 'id' in step ? (model.holds.get(step.id)?.amount ?? 0) : 0
      const outcome = applyToModel(model, player, step)
      if (isNew && 'amount' in step && typeof outcome === 'object' && 'charged' in outcome) {
        const { charged, shortfall } = outcome
        if (!isChargeValid(step.amount, charged, shortfall, held + payable))
          expect.fail(`I5 in world ${world}, step ${n}: ${JSON.stringify(step)}`)
      }
      if (n % 500 === 0) expect(brokenInvariants(model), `world ${world}, step ${n}`).toEqual([])
    }
    // I9: recovery leaves no hold open.
    for (const open of [...model.holds.keys()]) model.recover(open)
    expect(brokenInvariants(model)).toEqual([])
    expect(model.holds.size).toBe(0)
  }
})

describeStores('the ledger', stores => {
  it(`agrees with the model in ${operations} operations of many at once (seed ${seed})`, async () => {
    const location = await stores.location()
    const result = await runLedgerWorkload(location, { operations, seed })
    expect(result.operations).toBeGreaterThanOrEqual(operations)
    const report = await audit(location)
    expect(report.results.flatMap(each => each.findings)).toEqual([])
    expect(report.requests).toBeGreaterThan(BigInt(operations / 10))
  })
})
