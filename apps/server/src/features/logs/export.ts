import { type Log, logTypes } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { LogFilter } from '../../db/queries/log-filter.ts'
import { type LogRow, readChunks } from '../../db/queries/log-page.ts'
import { asLog } from '../../db/queries/logs.ts'
import { byteOrderMark, csvRow } from '../../lib/csv.ts'

const chunkRows = 1_000

type LogColumn = [name: string, value: (log: Log) => string | number]

const typeNames = Object.fromEntries(
  Object.entries(logTypes).map(([name, type]) => [type, name]),
) as Record<number, string>

const timeColumns: LogColumn[] = [
  ['id', log => log.id],
  ['created_at', log => new Date(log.created_at * 1000).toISOString()],
  ['type', log => typeNames[log.type] ?? log.type],
]
const adminColumns: LogColumn[] = [
  ['channel_id', log => log.channel_id || ''],
  ['channel', log => log.channel?.name ?? ''],
  ['username', log => log.username],
]
const callColumns: LogColumn[] = [
  ['group', log => String(log.metadata.group_name ?? '')],
  ['token_name', log => log.token_name],
  ['model_name', log => log.model_name],
  ['is_stream', log => (log.is_stream ? 1 : 0)],
  ['request_time_ms', log => log.request_time],
  ['first_byte_ms', log => Number(log.metadata.first_response ?? 0) || ''],
  ['prompt_tokens', log => log.prompt_tokens],
  ['completion_tokens', log => log.completion_tokens],
  ['points', log => log.quota],
  ['usd', log => usdOf(log.quota)],
  ['source_ip', log => log.source_ip],
  ['content', log => log.content],
]

/** 500,000 points are one dollar, so that six decimals are exact. */
const usdOf = (points: number): string => {
  const micros = (BigInt(Math.abs(points)) * 2n).toString().padStart(7, '0')
  return `${points < 0 ? '-' : ''}${micros.slice(0, -6)}.${micros.slice(-6)}`
}

/**
 * All matching rows as CSV. The file is made while it is sent, so that it may be longer than the memory. Its first rows
 * are read before, so that a search that is too slow is refused instead of broken off.
 */
export const exportLogs = async (app: App, filter: LogFilter, isAdmin: boolean) => {
  const columns = [...timeColumns, ...(isAdmin ? adminColumns : []), ...callColumns]
  const chunks = readChunks(app.db, filter, chunkRows)
  const first = await chunks.next()
  return {
    name: `logs-${new Date(app.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.csv`,
    type: 'text/csv; charset=utf-8',
    content: csvOf(columns, first.value ?? [], chunks),
  }
}

async function* csvOf(
  columns: readonly LogColumn[],
  first: readonly LogRow[],
  chunks: AsyncIterable<LogRow[]>,
) {
  const textOf = (rows: readonly LogRow[]) =>
    rows
      .map(asLog)
      .map(log => csvRow(columns.map(([, value]) => value(log))))
      .join('')
  yield byteOrderMark + csvRow(columns.map(([name]) => name)) + textOf(first)
  for await (const rows of chunks) yield textOf(rows)
}
