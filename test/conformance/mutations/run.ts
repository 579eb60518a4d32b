import { seeded } from '../../harness/crash/crash-rounds.ts'
import type { Caller, Feature, Vendor } from '../cell.ts'
import { type CellRun, performRun } from '../cell-run.ts'
import { learnMark } from '../marks.ts'
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts'
import { addVendorChannels, cellsOf, eachOf, startConformanceHub } from '../run.ts'
import { checkWire } from '../wire/index.ts'
import { kinds, type Random } from './response-mutations.ts'

/** An answer that was changed on its way to the caller. */
export type Mutation = { name: string; isNoticed: boolean }

type Drawn = { cellRun: CellRun; kind: string; random: Random }

/**
 * Draws cells and mutates the first response of each. The client's result or the wire check must notice. A response
 * without a match of the drawn kind is replaced by another draw.
 */
export const runResponseMutations = async (
  { seed, count }: { seed: number; count: number },
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Promise<Mutation[]> => {
  const hub = await startConformanceHub()
  const proxy = await startRecordingProxy(hub.gateway.url)
  try {
    const { key } = await addVendorChannels(hub, vendors)
    const marked = { ...hub, vendors, mark: await learnMark(hub.gateway.url, key) }
    const mutations: Mutation[] = []
    for (let round = 0; mutations.length < count && round < 20; round += 1) {
      const drawn = draw(seed + round, count - mutations.length, features, callers, vendors)
      await eachOf(drawn, async each => {
        const mutation = await alter(proxy, key, each, (endpoint, cellRun) =>
          performRun(marked, endpoint, cellRun),
        )
        if (mutation) mutations.push(mutation)
      })
    }
    return mutations
  } finally {
    await proxy.close()
    await hub.close()
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
  const chats = features.filter(({ operation = 'chat' }) => operation === 'chat')
  const runs = cellsOf(chats, callers, vendors).flatMap(each => each.runs)
  return Array.from({ length: count }, (_, at) => {
    const cellRun = runs[Math.floor(random() * runs.length)] as CellRun
    const kind = names[Math.floor(random() * names.length)] ?? ''
    return {
      cellRun: { ...cellRun, model: `${cellRun.model}m${at}`, problems: [] },
      kind,
      random: seeded(seed * 7919 + at),
    }
  })
}

const alter = async (
  proxy: RecordingProxy,
  key: string,
  { cellRun, kind, random }: Drawn,
  clientCall: (endpoint: { url: string; key: string }, cellRun: CellRun) => Promise<void>,
): Promise<Mutation | undefined> => {
  let isChanged = false
  const route = proxy.open(({ bytes }) => {
    if (isChanged) return bytes
    const answer = bytes.toString('latin1')
    const changed = kinds[kind]?.(answer, random)
    isChanged = changed !== undefined && changed !== answer
    return isChanged ? Buffer.from(changed ?? '', 'latin1') : bytes
  })
  await clientCall({ url: route.url, key }, cellRun)
  if (!isChanged) return undefined
  const { feature, caller, vendor, mode } = cellRun
  const name = `${kind}: ${feature.name}, ${caller.id} > ${vendor.dialect}, ${mode}`
  const isNoticed = cellRun.problems.length > 0 || checkWire(cellRun, route.passed).length > 0
  return { name, isNoticed }
}
