import assert from 'node:assert/strict'
import { isChargeValid } from './invariants.ts'
import { givePoints, openSimulatedUser, operationsOf, type Workload } from './lockstep.ts'
import { type Random, tokenOf } from './steps.ts'

const atOnce = 12

/** Runs concurrent calls of one user whose ends race each other. Returns the number of operations. */
export const runRaces = async (
  ground: Workload,
  random: Random,
  userId: number,
  operations: number,
): Promise<number> => {
  await openSimulatedUser(ground, userId)
  let done = 0
  for (let round = 0; done < operations; round += 1) {
    const source = `race:${userId}:${round}`
    const calls = Array.from({ length: atOnce }, () => oneCall(ground, random, userId))
    const [first, second] = [givePoints, givePoints].map(give =>
      give(ground, source, userId, 1 + random(600)),
    )
    for (const each of await Promise.all(calls)) done += each
    assert.equal((await first!) + (await second!), 1, 'I2: a source gives once')
    done += 2
  }
  return done
}

/** Runs one call. Returns the number of operations. */
const oneCall = async (ground: Workload, random: Random, userId: number): Promise<number> => {
  const { hold, checkpoint, settle, giveBack, recover } = operationsOf(ground, userId)
  const tokenId = tokenOf(userId, random(2))
  const id = ground.store.ledger.nextId()
  const amount = 1 + random(60)
  const [isExtended, want, cost, ending] = [random(2), random(40), 1 + random(90), random(6)]
  if (!(await hold(id, tokenId, amount)).ok) return 1
  const accrued = 1 + random(amount)
  const extended = isExtended ? await checkpoint(id, accrued, want) : undefined
  const granted = extended?.ok ? extended.granted : 0
  assert.ok(granted >= 0 && granted <= want, 'I5: no more is granted than was wanted')
  const before = 1 + isExtended
  if (ending === 0) {
    await giveBack(id)
    return before + 1
  }
  // Simulates a crash: recovery closes the hold at its last checkpoint, even if it runs twice.
  if (ending === 1) {
    await Promise.all([recover(id), recover(id)])
    return before + 2
  }
  const [one, two] = await Promise.all([
    settle(id, tokenId, cost),
    settle(id, tokenId, cost),
    giveBack(id),
  ])
  assert.deepEqual({ ...one, late: 0 }, { ...two, late: 0 }, 'I2: settling again changes nothing')
  assert.ok(
    isChargeValid(cost, one.charged, one.shortfall, Number.MAX_SAFE_INTEGER),
    `I5: ${one.charged} and ${one.shortfall} of ${cost}`,
  )
  if (one.shortfall > 0)
    assert.ok(one.charged >= Math.min(cost, amount + granted), 'I5: the hold pays first')
  return before + 3
}
