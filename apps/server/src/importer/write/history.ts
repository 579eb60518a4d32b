import { logTypes } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import * as logs from '../../db/queries/logs.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { GatewayData, HistoryRow, HistoryTable, SourceId } from '../gateway-data.ts'
import { Recomputation } from '../recompute.ts'
import { checkRows } from '../sources/checked-rows.ts'
import type { SourceDatabase } from '../sources/source-database.ts'
import { historyRules } from '../sources/table-rules.ts'
import { idOf } from '../sources/values.ts'
import type { ImportContext } from './context.ts'
import { HistoryBounds } from './history-bounds.ts'

const pageRows = 2_000
const daySeconds = 86_400
/** The last day that a date can have. Rows of later times have no month of their own. */
const lastDay = 100_000_000

/**
 * Prepares the months of the history, so that retention can drop them whole. This must end before the transaction of the
 * import begins: a month cannot be created while a transaction has written rows of the log.
 */
export const createHistoryMonths = async (
  app: App,
  source: SourceDatabase,
  data: GatewayData,
): Promise<void> => {
  const tables = await source.tables()
  const times: number[] = []
  for (const { table, timeColumn } of data.history.filter(each => tables.has(each.table)))
    for (const day of await source.days(table, timeColumn))
      if (day >= 0 && day < lastDay) times.push(day * daySeconds)
  const missing = await app.createLogMonths(times, nowSeconds(app))
  failpoint('log months created')
  if (missing.length > 0)
    app.log.warn({ missing }, 'retention deletes the history of these months row by row')
}

/** Carries the log and the orders as rows of the log of a type of their own. They change no balance and no sum. */
export const writeHistory = async (
  context: ImportContext,
  source: SourceDatabase,
  data: GatewayData,
): Promise<void> => {
  const tables = await source.tables()
  const names = new Map(data.users.map(each => [each.id, each.username]))
  const sum = { rows: 0, points: 0 }
  const bounds = new HistoryBounds()
  const calls = tables.has('logs') ? await source.count('logs') : 0
  const sample = new Recomputation(calls)
  for (const history of data.history.filter(each => tables.has(each.table)))
    for await (const rows of pagesOf(context, source, history, bounds)) {
      await logs.insertImported(
        context.tx,
        rows.map(row => columnsOf(context, { program: data.program, names, row })),
      )
      for (const each of rows) sample.add(each)
      sum.rows += rows.length
      sum.points += rows.reduce((total, each) => total + each.quota, 0)
      context.report.carry(history.table, rows.length)
    }
  const here = await logs.sumImported(context.tx)
  context.report.history = { rows: sum.rows, points: sum.points, here, sample: sample.result() }
}

async function* pagesOf(
  { report }: ImportContext,
  source: SourceDatabase,
  { table, read }: HistoryTable,
  bounds: HistoryBounds,
): AsyncGenerator<HistoryRow[]> {
  let unknown = 0
  const rules = historyRules(table)
  for (let after: SourceId = -1; ; ) {
    const page = await source.page(table, { key: 'id', after, size: pageRows })
    const last = page.at(-1)
    if (!last) break
    const readable = checkRows(page, rules, report)
    const rows = readable.flatMap(each => read(each) ?? [])
    unknown += readable.length - rows.length
    yield rows.flatMap(row => boundedRow(report, table, bounds, row) ?? [])
    after = idOf(last, 'id')
  }
  const reason = 'Rows of a type that has no meaning here.'
  if (unknown > 0) report.leave({ table, rows: unknown, reason })
}

const boundedRow = (
  report: ImportContext['report'],
  table: string,
  bounds: HistoryBounds,
  given: HistoryRow,
): HistoryRow | undefined => {
  const subject = { id: given.id, name: String(given.id) }
  const bounded = bounds.bound(given)
  if ('problem' in bounded) {
    report.skip(table, subject, bounded.problem)
    return undefined
  }
  if (bounded.cut.length > 0)
    report.change(table, subject, `cut, because it is too long: ${bounded.cut.join(', ')}`)
  return bounded.row
}

type WrittenRow = { program: string; names: ReadonlyMap<unknown, string>; row: HistoryRow }

/** PostgreSQL refuses this character in texts. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

/** A row of a deleted user keeps the name, and belongs to nobody. */
const columnsOf = (
  { app, users, report: { channelIds } }: ImportContext,
  { program, names, row }: WrittenRow,
) => ({
  id: app.ledger.nextId(),
  user_id: users.get(row.userId)?.id ?? 0,
  created_at: row.createdAt,
  type: logTypes.imported,
  content: withoutNul(row.content),
  username: withoutNul(row.username || names.get(row.userId) || ''),
  token_name: withoutNul(row.tokenName),
  model_name: withoutNul(row.modelName),
  quota: row.quota,
  prompt_tokens: row.promptTokens,
  completion_tokens: row.completionTokens,
  channel_id: channelIds[row.channelId] ?? 0,
  request_time: row.milliseconds,
  is_stream: row.isStream ? 1 : 0,
  source_ip: withoutNul(row.ip),
  metadata: JSON.stringify({
    ...row.metadata,
    ...{ imported: program, imported_id: row.id, kind: row.kind },
  }),
})
