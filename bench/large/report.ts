import { writeFileSync } from 'node:fs'
import type { Calls } from './callers.ts'
import type { ChannelCosts } from './channels.ts'
import type { ConsoleResult } from './console/measure.ts'
import { consoleProblems, consoleSection } from './console/report.ts'
import type { DatasetSize } from './fill.ts'
import type { ListTime } from './lists.ts'

type Deletion<Deleted = number> = { deleted: Deleted; seconds: number; meanwhile: Calls }

export type EngineResult = {
  engine: string
  shape: DatasetSize
  /** Median microseconds of CPU a chat. */
  chat: { small: number; large: number }
  lists: ListTime[]
  /** Absent without Chromium. */
  console: ConsoleResult | undefined
  deletion: Deletion & { calm: Calls }
  /** Absent for SQLite, which has no months. */
  months: { detachment: Deletion; drop: Deletion<void> } | undefined
  findings: number
}

const shareMax = 1.2
const listMsMax = 300
const detachSecondsMax = 1
const editCpuMsMax = 20
/** Longer than this and people notice; a stall is seconds. */
const chatMsMax = 1000

const problemsOf = (result: EngineResult): string[] => {
  const { chat, lists, deletion, months, findings } = result
  return [
    ...(chat.large / chat.small > shareMax
      ? [`a chat costs ${(chat.large / chat.small).toFixed(2)} times as much as with ten of each`]
      : []),
    ...lists
      .filter(each => each.p95Ms > listMsMax)
      .map(each => `${each.name} takes ${each.p95Ms.toFixed(0)} ms at p95`),
    ...(deletion.meanwhile.slowestMs > Math.max(chatMsMax, 2 * deletion.calm.slowestMs)
      ? [`while logs were deleted a chat took ${deletion.meanwhile.slowestMs.toFixed(0)} ms`]
      : []),
    ...(months && months.detachment.seconds > detachSecondsMax
      ? [`months of logs went in ${months.detachment.seconds.toFixed(1)} s`]
      : []),
    ...(findings > 0 ? [`the auditor has ${findings} findings`] : []),
    ...(result.console ? consoleProblems(result.console) : []),
  ]
}

const sectionOf = (result: EngineResult): string => {
  const { engine, shape, chat, lists, deletion, months } = result
  const { deleted, seconds, calm, meanwhile } = deletion
  const head = `## ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}: ${shape.users.toLocaleString('en-US')} users and tokens, ${shape.logs.toLocaleString('en-US')} calls`
  const cpu = `A chat: ${chat.large.toFixed(1)} µs of CPU, and ${chat.small.toFixed(1)} µs with ten users, tokens and calls: ${(chat.large / chat.small).toFixed(2)} times as much.`
  const stall = `${deleted.toLocaleString('en-US')} old logs were deleted in ${seconds.toFixed(1)} s.\nThe slowest chat took ${meanwhile.slowestMs.toFixed(0)} ms (p99 ${meanwhile.p99Ms.toFixed(0)} ms) meanwhile, and before ${calm.slowestMs.toFixed(0)} ms (p99 ${calm.p99Ms.toFixed(0)} ms).`
  const drop = months ? [monthsSection(months)] : []
  const rows = lists.map(
    ({ name, rows: n, p50Ms, p95Ms }) =>
      `| ${name} | ${n ?? '–'} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} |`,
  )
  const table = [
    '| First page or answer of | Rows | p50, ms | p95, ms |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
  const browsed = result.console
    ? consoleSection(result.console)
    : 'The console was not measured: there was no Chromium.'
  return [head, cpu, stall, ...drop, table, browsed].join('\n\n')
}

const monthsSection = ({ detachment, drop }: NonNullable<EngineResult['months']>): string =>
  `Whole months with about ${detachment.deleted.toLocaleString('en-US')} logs went in ${detachment.seconds.toFixed(2)} s; the slowest chat took ${detachment.meanwhile.slowestMs.toFixed(0)} ms meanwhile.\nTheir files were deleted in ${drop.seconds.toFixed(2)} s; the slowest chat took ${drop.meanwhile.slowestMs.toFixed(0)} ms meanwhile.`

const intro = `# With a million users

Written by \`npm run bench:large\`; \`bench/large/README.md\` describes the data and the bounds.`

const channelsSection = (all: ChannelCosts[]): string => {
  const rows = all.map(
    ({ channels, editCpuMs, firstCallMs, nextCallMs, callMicros, rss }) =>
      `| ${channels.toLocaleString('en-US')} | ${editCpuMs.toFixed(1)} | ${firstCallMs.toFixed(0)} | ${nextCallMs.toFixed(0)} | ${callMicros.toFixed(0)} | ${rss.empty.toFixed(0)} | ${rss.loaded.toFixed(0)} | ${rss.called.toFixed(0)} | ${rss.edited.toFixed(0)} |`,
  )
  return [
    '## Many channels',
    'Each channel has the same 20 models. An edit changes weight and priority. Resident memory is that of the process after a start without channels, after one with them, after 15 seconds of calls spread over all channels by 32 callers, and after 100 edits.',
    [
      '| Channels | CPU of an edit, ms | First call after a start, ms | Next call, ms | CPU of a call, µs | Memory without, MiB | Memory with, MiB | After the calls, MiB | After the edits, MiB |',
      '|---|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  ].join('\n\n')
}

/** Prints what was measured; true where every bound was kept. */
export const report = (
  results: EngineResult[],
  channels: ChannelCosts[],
  { isWritten }: { isWritten: boolean },
): boolean => {
  const text = `${[intro, channelsSection(channels), ...results.map(sectionOf)].join('\n\n')}\n`
  console.log(text)
  if (isWritten) writeFileSync(new URL('../../docs/benchmarks-large.md', import.meta.url), text)
  const slow = channels.filter(each => each.editCpuMs > editCpuMsMax)
  for (const { channels: count, editCpuMs } of slow)
    console.log(`BAD an edit with ${count} channels costs ${editCpuMs.toFixed(1)} ms of CPU`)
  const problems = results.flatMap(each => problemsOf(each).map(what => `${each.engine}: ${what}`))
  for (const each of problems) console.log(`BAD ${each}`)
  return problems.length + slow.length === 0
}
