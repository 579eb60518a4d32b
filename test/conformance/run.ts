import { randomInt } from 'node:crypto'
import { startFileHost } from '../harness/addresses/file-host.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import type { Caller, Endpoint, Feature, Mode, Vendor } from './cell.ts'
import { type CellRun, performRun } from './cell-run.ts'
import { expectedOf } from './expect.ts'
import { linkedFiles } from './features/samples.ts'
import { checkLogNotes, readRows } from './log-notes.ts'
import { learnMark } from './marks.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { vendors as allVendors } from './vendors/index.ts'
import { checkWire } from './wire/index.ts'

export type Cell = {
  feature: Feature
  caller: Caller
  vendor: Vendor
  runs: CellRun[]
}

/** Cells that run in parallel: the gateway is one process on one core. */
const atOnce = 8

/** Every feature by every caller through the gateway to every vendor, whole and streamed, and what is wrong in each. */
export const runGrid = async (
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Promise<Cell[]> => {
  const hub = await startConformanceHub()
  const proxy = await startRecordingProxy(hub.gateway.url)
  try {
    const { key } = await addVendorChannels(hub, allVendors)
    const marked = { ...hub, vendors: allVendors, mark: await learnMark(hub.gateway.url, key) }
    const cells = cellsOf(features, callers, vendors)
    await eachOf(
      cells.flatMap(({ runs }) => runs),
      async cellRun => {
        const { url, secureUrl, passed } = proxy.open()
        await performRun(marked, { url, secureUrl, key }, cellRun)
        cellRun.problems.push(...checkWire(cellRun, passed))
      },
    )
    await hub.settled()
    checkLogNotes(
      cells.flatMap(({ runs }) => runs),
      await readRows(hub.admin),
    )
    await hub.audit()
    return cells
  } finally {
    await proxy.close()
    await hub.close()
  }
}

/** A hub whose gateway can fetch the linked files of the features, from a loopback address of its own. */
export const startConformanceHub = async (): Promise<TestHub> => {
  const address = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  const contents = new Map(
    Object.entries(linkedFiles).map(([url, file]) => [new URL(url).pathname, file]),
  )
  const files = await startFileHost(8080, address)
  files.resolve(() => [address])
  files.respond(({ url = '' }, response) => {
    response.end(Buffer.from(contents.get(url) ?? '', 'base64'))
  })
  const env = { FETCH_DNS_SERVERS: files.names.address, FETCH_PRIVATE_RANGES: address }
  const hub = await startTestHub({ name: 'SQLite', available: true }, { env })
  const close = async () => {
    await hub.close()
    await files.close()
  }
  return { ...hub, close }
}

const modes: readonly Mode[] = ['whole', 'stream']

export const cellsOf = (
  features: readonly Feature[],
  callers: readonly Caller[],
  vendors: readonly Vendor[],
): Cell[] => {
  let count = 0
  const runOf = (feature: Feature, caller: Caller, vendor: Vendor, mode: Mode): CellRun => {
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
          runs: (feature.modes ?? modes)
            .filter(mode => caller.modes?.includes(mode) ?? true)
            .map(mode => runOf(feature, caller, vendor, mode)),
        })),
      ),
  )
}

export const addVendorChannels = async (
  { admin, upstream }: TestHub,
  vendors: readonly Vendor[],
): Promise<Pick<Endpoint, 'key'>> => {
  // An error reaches the caller at once, and the channel stays enabled.
  await admin.setOption('RetryTimes', '0')
  await admin.setOption('RetryCooldownSeconds', '0')
  await admin.setOption('PingSeconds', '1')
  for (const { dialect, channel, models, olderChannel = channel } of vendors) {
    const channels = new Map([
      [models.usual, channel],
      [models.older, olderChannel],
    ])
    for (const [name, fields] of channels) {
      await admin.addChannel(`${upstream.url}/${dialect}`, {
        ...fields,
        name: `${dialect} ${name}`,
        // The features ask for tiers of models without vendors' prices.
        plugin: { ...fields.plugin, price_fields: { unpriced: 'allow' } },
        models: `${name},${name}-x*`,
      })
      await admin.setPrice(`${name}*`, 'tokens', 1, 1)
    }
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

/** One text for each run with problems. */
export const problemsIn = (cells: readonly Cell[]): string[] =>
  cells.flatMap(({ runs }) =>
    runs
      .filter(({ problems }) => problems.length > 0)
      .map(({ feature, caller, vendor, mode, problems }) =>
        [`${feature.name}: ${caller.id} > ${vendor.dialect}, ${mode}`, ...problems].join('\n  '),
      ),
  )
