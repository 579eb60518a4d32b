import type { Log } from '@hub/contract'
import { decimal, writeDecimal } from '../../domain/decimal.ts'
import { toCsv } from '../../ui/csv.ts'
import { formatTime, type T } from '../../ui/index.ts'
import { usdOfPoints } from './record/breakdown.ts'
import { firstByteOf } from './speed.ts'

type LogColumn = [key: string, value: (log: Log) => string | number]

const adminColumns: LogColumn[] = [
  ['channel', log => (log.channel_id ? `${log.channel_id} ${log.channel?.name ?? ''}`.trim() : '')],
  ['username', log => log.username],
]

const commonColumns: LogColumn[] = [
  ['group', log => String(log.metadata.group_name ?? '')],
  ['token_name', log => log.token_name],
  ['model_name', log => log.model_name],
  ['is_stream', log => (log.is_stream ? 1 : 0)],
  ['request_time', log => log.request_time],
  ['first_response', log => firstByteOf(log)],
  ['input', log => log.prompt_tokens],
  ['output', log => log.completion_tokens],
  ['points', log => log.quota],
  ['usd', log => writeDecimal(usdOfPoints(decimal(log.quota)))],
  ['source_ip', log => log.source_ip],
  ['content', log => log.content],
]

/** The rows of a page as CSV with exact charges in points and dollars. */
export const logsCsv = (t: T, rows: readonly Log[], isAdmin: boolean): string => {
  const all: LogColumn[] = [
    ['id', log => log.id],
    ['created_at', log => formatTime(log.created_at)],
    ['type', log => t(`logs.types.${log.type in knownTypes ? log.type : 'unknown'}`)],
    ...(isAdmin ? adminColumns : []),
    ...commonColumns,
  ]
  const header = all.map(([key]) => t(`logs.fields.${key}`))
  return toCsv([header, ...rows.map(row => all.map(([, value]) => value(row)))])
}

const knownTypes = { 1: true, 2: true, 3: true, 4: true, 5: true }
