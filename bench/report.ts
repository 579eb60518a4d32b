import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { cores } from './cores.ts'
import type { Measure } from './run.ts'
import type { Footprint } from './start/footprint.ts'
import { CHUNKS, workloads } from './workloads.ts'

export type Results = {
  rounds: number
  /** By workload, then by target: one measure a round. */
  chats: Record<string, Record<string, Measure[]>>
  idle: Record<string, { perStream: number; before: number }>
  footprint?: Footprint
}
type Named = { name: string; title: string }

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const of = (measures: Measure[] | undefined, key: 'cpuPerRequest' | 'perSecond' | 'p50' | 'p99') =>
  median((measures ?? []).map(each => each[key]))

const versionOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'))
    .version

const costs = (results: Results, targets: Named[]) => {
  const gateways = targets.filter(({ name }) => name !== 'pipe')
  const rows = workloads
    .filter(({ id, against }) => results.chats[id] && !against)
    .map(({ id, title }) => {
      const measured = results.chats[id] ?? {}
      const pipe = of(measured.pipe, 'cpuPerRequest')
      const cells = gateways.map(({ name }) => {
        const cost = of(measured[name], 'cpuPerRequest')
        return `${(cost / pipe).toFixed(2)} CU (${cost.toFixed(1)} us, ${of(measured[name], 'perSecond')}/s)`
      })
      return `| ${title} | ${pipe.toFixed(1)} us | ${cells.join(' | ')} |`
    })
  return [
    `| Workload | 1 CU | ${gateways.map(({ title }) => title).join(' | ')} |`,
    `|---|---|${gateways.map(() => '---|').join('')}`,
    ...rows,
  ]
}

/** The cost of a stream beyond that of the whole response, per chunk. */
const translated = (results: Results, { name }: Named) => {
  const cost = (id: string) => of(results.chats[id]?.[name], 'cpuPerRequest')
  const perChunk = (id: string, whole: string) => (cost(id) - cost(whole)) / CHUNKS
  const wholes: Record<string, string> = { 'stream-burst': 'chat-32' }
  const wholeOf = (id: string) => wholes[id] ?? id.replace('stream', 'whole')
  return workloads.flatMap(({ id, title, stream, against }) => {
    if (against === undefined || !results.chats[id]) return []
    const [own, passing] = stream
      ? [perChunk(id, wholeOf(id)), perChunk(against, wholeOf(against))]
      : [cost(id), cost(against)]
    const unit = stream ? 'us a chunk' : 'us'
    const times = (own / passing).toFixed(2)
    return `${title} | ${passing.toFixed(1)} ${unit} | ${own.toFixed(1)} ${unit} | ${times}`
  })
}

const translations = (results: Results, targets: Named[]) =>
  targets
    .filter(({ name }) => name !== 'pipe')
    .flatMap(target => translated(results, target).map(row => `| ${target.title} | ${row} |`))

const waits = (results: Results, targets: Named[]) =>
  workloads
    .filter(({ id, rate }) => rate && results.chats[id])
    .flatMap(({ id, title }) =>
      targets.map(({ name, title: target }) => {
        const measures = results.chats[id]?.[name]
        return `| ${title} | ${target} | ${of(measures, 'p50')} us | ${of(measures, 'p99')} us |`
      }),
    )

const idle = (results: Results, targets: Named[]) =>
  targets.map(({ name, title }) => {
    const measured = results.idle[name]
    return `| ${title} | ${Math.round((measured?.before ?? 0) / 1024)} MiB | ${measured?.perStream.toFixed(1)} KiB |`
  })

export const footprintRows = (footprint: Footprint): string[] => {
  const { startMs, startCpuMs, resident, installed, archive } = footprint
  const mebibytes = (value: number) => `${value.toFixed(0)} MiB`
  return [
    '| Start, memory and space of the server on SQLite | |',
    '|---|---|',
    `| start on existing data to the first billed chat | ${startMs.toFixed(0)} ms, ${startCpuMs.toFixed(0)} ms of it CPU |`,
    `| resident after the first chat | ${mebibytes(resident.started)} |`,
    `| resident at rest | ${mebibytes(resident.atRest)} |`,
    `| resident after load | ${mebibytes(resident.loaded)} |`,
    `| resident five idle minutes later | ${mebibytes(resident.fiveMinutesLater)} |`,
    `| installed by \`npm start\` | ${mebibytes(installed)} |`,
    `| unpacked archive | ${mebibytes(archive)} |`,
  ]
}

const page = (results: Results, targets: Named[]) =>
  [
    '# Benchmarks',
    '',
    'Written by `npm run bench`. One CU is the CPU time that a bare pipe (node:http and undici `dispatch`, no parsing)',
    `spends on the same workload in the same run. Figures are medians of ${results.rounds} interleaved rounds: CPU of all`,
    'threads of the process, from /proc, with durable billing and request log.',
    'Every response is checked. Differences below 10 % are noise.',
    '',
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores${cores.target === undefined ? '' : ', the target on one and everything else on the other'}; Node ${process.version}, ` +
      `Fastify ${versionOf('fastify')}, undici ${versionOf('undici')}.`,
    '',
    ...costs(results, targets),
    '',
    '| Translation | Call | Passed through | Translated | Times |',
    '|---|---|---|---|---|',
    ...translations(results, targets),
    '',
    '| Latency at a fixed rate | Target | p50 | p99 |',
    '|---|---|---|---|',
    ...waits(results, targets),
    '',
    '| Memory | Resident before | Per idle stream, of 2,000 |',
    '|---|---|---|',
    ...idle(results, targets),
    '',
    ...(results.footprint ? [...footprintRows(results.footprint), ''] : []),
  ].join('\n')

export const report = (results: Results, targets: Named[], { write }: { write: boolean }) => {
  const text = page(results, targets)
  console.log(`\n${text}`)
  if (write) writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), text)
}
