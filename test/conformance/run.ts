import { startWorld, type World } from '../harness/world.ts'
import type { Caller, Door, Feature, Mode, Vendor } from './cell.ts'
import { expectedOf } from './expect.ts'
import { judgeNotes, readRows } from './notes.ts'
import { startTee } from './tee.ts'
import { converse, type Trial } from './trial.ts'
import { judgeWire } from './wire/index.ts'

export type Cell = {
  feature: Feature
  caller: Caller
  vendor: Vendor
  trials: Trial[]
}

/** How many cells are asked at once: the gateway is one process on one core. */
const atOnce = 8

/** Every feature by every caller through the gateway to every vendor, whole and streamed, and what is wrong in each. */
export const runGrid = async (
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Promise<Cell[]> => {
  const world = await startWorld({ name: 'SQLite', available: true })
  const tee = await startTee(world.gateway.url)
  try {
    const { key } = await furnish(world, vendors)
    const cells = cellsOf(features, callers, vendors)
    await eachOf(
      cells.flatMap(({ trials }) => trials),
      async trial => {
        const { url, passed } = tee.open()
        await converse(world, { url, key }, trial)
        trial.problems.push(...judgeWire(trial, passed))
      },
    )
    await world.settled()
    judgeNotes(
      cells.flatMap(({ trials }) => trials),
      await readRows(world.admin),
    )
    await world.audit()
    return cells
  } finally {
    await tee.close()
    await world.close()
  }
}

const modes: readonly Mode[] = ['whole', 'stream']

export const cellsOf = (
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Cell[] => {
  let count = 0
  const trialOf = (feature: Feature, caller: Caller, vendor: Vendor, mode: Mode): Trial => {
    count += 1
    const model = `${vendor.models[feature.model ?? 'usual']}-x${count}`
    const expected = expectedOf(feature, caller, vendor, mode)
    return { feature, caller, vendor, mode, model, expected, problems: [] }
  }
  return features.flatMap(feature =>
    callers
      .filter(caller => caller.can?.(feature) ?? true)
      .flatMap(caller =>
        vendors.map(vendor => ({
          ...{ feature, caller, vendor },
          trials: (feature.modes ?? modes).map(mode => trialOf(feature, caller, vendor, mode)),
        })),
      ),
  )
}

export const furnish = async (
  { admin, upstream }: World,
  vendors: readonly Vendor[],
): Promise<Pick<Door, 'key'>> => {
  // A refusal is told at once, and the channel goes on.
  await admin.setOption('RetryTimes', '0')
  await admin.setOption('RetryCooldownSeconds', '0')
  await admin.setOption('PingSeconds', '1')
  for (const { dialect, channel, models } of vendors) {
    const names = [...new Set(Object.values(models))]
    await admin.addChannel(`${upstream.url}/${dialect}`, {
      ...channel,
      name: dialect,
      models: names.flatMap(name => [name, `${name}-x*`]).join(','),
    })
    for (const name of names) await admin.setPrice(`${name}*`, 'tokens', 1, 1)
  }
  return admin.addPerson(1_000_000_000)
}

export const eachOf = async <T>(
  list: readonly T[],
  work: (each: T) => Promise<void>,
): Promise<void> => {
  const rest = list.values()
  const one = async () => {
    for (const each of rest) await work(each)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/** One text for each trial that went wrong. */
export const problemsIn = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ trials }) =>
    trials
      .filter(({ problems }) => problems.length > 0)
      .map(({ feature, caller, vendor, mode, problems }) =>
        [`${feature.name}: ${caller.id} > ${vendor.dialect}, ${mode}`, ...problems].join('\n  '),
      ),
  )
