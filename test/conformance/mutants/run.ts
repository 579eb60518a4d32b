import { seeded } from '../../harness/crash.ts'
import { startWorld } from '../../harness/world.ts'
import type { Caller, Feature, Vendor } from '../cell.ts'
import { cellsOf, eachOf, furnish } from '../run.ts'
import { startTee, type Tee } from '../tee.ts'
import { converse, type Trial } from '../trial.ts'
import { judgeWire } from '../wire/index.ts'
import { kinds, type Random } from './kinds.ts'

/** An answer that was changed on its way to the caller. */
export type Mutant = { name: string; isNoticed: boolean }

type Drawn = { trial: Trial; kind: string; random: Random }

/**
 * Draws cells and changes the first answer of each: what the client reads, or what the dialect's documents say of its
 * bytes, must tell. An answer in which there is nothing of the drawn kind is no mutant; another is drawn.
 */
export const runMutants = async (
  { seed, count }: { seed: number; count: number },
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Promise<Mutant[]> => {
  const world = await startWorld({ name: 'SQLite', available: true })
  const tee = await startTee(world.gateway.url)
  try {
    const { key } = await furnish(world, vendors)
    const mutants: Mutant[] = []
    for (let round = 0; mutants.length < count && round < 20; round += 1) {
      const drawn = draw(seed + round, count - mutants.length, features, callers, vendors)
      await eachOf(drawn, async each => {
        const mutant = await alter(tee, key, each, (door, trial) => converse(world, door, trial))
        if (mutant) mutants.push(mutant)
      })
    }
    return mutants
  } finally {
    await tee.close()
    await world.close()
  }
}

const draw = (
  seed: number,
  count: number,
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Drawn[] => {
  const random = seeded(seed)
  const names = Object.keys(kinds)
  const chats = features.filter(({ does = 'chat' }) => does === 'chat')
  const trials = cellsOf(chats, callers, vendors).flatMap(each => each.trials)
  return Array.from({ length: count }, (_, at) => {
    const trial = trials[Math.floor(random() * trials.length)] as Trial
    const kind = names[Math.floor(random() * names.length)] ?? ''
    return {
      trial: { ...trial, model: `${trial.model}m${at}`, problems: [] },
      kind,
      random: seeded(seed * 7919 + at),
    }
  })
}

const alter = async (
  tee: Tee,
  key: string,
  { trial, kind, random }: Drawn,
  ask: (door: { url: string; key: string }, trial: Trial) => Promise<void>,
): Promise<Mutant | undefined> => {
  let isChanged = false
  const way = tee.open(({ bytes }) => {
    if (isChanged) return bytes
    const answer = bytes.toString('latin1')
    const changed = kinds[kind]?.(answer, random)
    isChanged = changed !== undefined && changed !== answer
    return isChanged ? Buffer.from(changed ?? '', 'latin1') : bytes
  })
  await ask({ url: way.url, key }, trial)
  if (!isChanged) return undefined
  const { feature, caller, vendor, mode } = trial
  const name = `${kind}: ${feature.name}, ${caller.id} > ${vendor.dialect}, ${mode}`
  const isNoticed = trial.problems.length > 0 || judgeWire(trial, way.passed).length > 0
  return { name, isNoticed }
}
