import { openStore, type StoreOptions } from '../../src/db/open.ts'
import { silentLog } from '../silent-log.ts'
import { compareRows, prepareWorkload, runInLockstep } from './lockstep.ts'
import { runRaces } from './race.ts'
import { randomFrom } from './steps.ts'

const users = 50

/**
 * Runs many users on one store: half of them in lockstep with the model, half in races. The store is then closed with
 * open holds, and reopening it must close every hold at its last checkpoint.
 */
export const runLedgerWorkload = async (
  location: Pick<StoreOptions, 'databaseUrl' | 'dataDir'>,
  { operations, seed }: { operations: number; seed: number },
): Promise<{ operations: number }> => {
  const each = Math.ceil(operations / users)
  const store = await openStore({ ...location, log: silentLog })
  const ground = await prepareWorkload(store)
  const ids = Array.from({ length: users }, (_, n) => n + 1)
  let done = 0
  const play = async (userId: number) => {
    const random = randomFrom(seed * 1000 + userId)
    if (userId % 2 === 0) {
      const raced = await runRaces(ground, random, userId, each)
      done += raced
      return undefined
    }
    const model = await runInLockstep(ground, random, userId, each)
    done += each
    return model
  }
  const models = await Promise.all(ids.map(play))
  await store.close()

  const again = await openStore({ ...location, log: silentLog })
  try {
    for (const [at, model] of models.entries()) {
      if (!model) continue
      for (const id of [...model.holds.keys()]) model.recover(id)
      await compareRows(again.db, at + 1, model)
    }
    const open = await again.db.selectFrom('holds').select('id').execute()
    if (open.length > 0) throw new RangeError(`I9: ${open.length} holds are still open`)
  } finally {
    await again.close()
  }
  return { operations: done }
}
