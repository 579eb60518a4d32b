import type { Log } from '@hub/contract'
import { csvOf } from '../../ui/csv.ts'
import { decimal, writeDecimal } from '../../ui/decimal.ts'
import { formatTime, type T } from '../../ui/index.ts'
import { usdOfPoints } from './breakdown.ts'
import { firstByteOf } from './speed.ts'

type Cell = [key: string, value: (log: Log) => string | number]

const forAdministrators: Cell[] = [
  ['channel', log => (log.channel_id ? `${log.channel_id} ${log.channel?.name ?? ''}`.trim() : '')],
  ['username', log => log.username],
]

const cells: Cell[] = [
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

/** The rows of a page as CSV, exact to the point. */
export const logsCsv = (t: T, rows: readonly Log[], isAdmin: boolean): string => {
  const all: Cell[] = [
    ['id', log => log.id],
    ['created_at', log => formatTime(log.created_at)],
    ['type', log => t(`logs.types.${log.type in names ? log.type : 'unknown'}`)],
    ...(isAdmin ? forAdministrators : []),
    ...cells,
  ]
  const head = all.map(([key]) => t(`logs.fields.${key}`))
  return csvOf([head, ...rows.map(row => all.map(([, value]) => value(row)))])
}

const names = { 1: true, 2: true, 3: true, 4: true }
