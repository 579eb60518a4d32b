import type { Page } from '@hub/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { Tables } from '../tables/index.ts'
import type { LogsTable } from '../tables/logs-audit.ts'
import { type LogFilter, matching } from './log-filter.ts'
import { findChargedModels } from './log-models.ts'
import { countUpTo, orderTerms, type Paging, totalOf } from './paging.ts'

export type LogRow = LogsTable & { channel_name: string | null }

export type LogPage<Row> = Page<Row> & {
  /** The cursor of the next page; null at the end and in other orders. */
  next: string | null
}

export const newestFirst = '-created_at'

const sortable = [
  'created_at',
  'id',
  'channel_id',
  'user_id',
  'token_name',
  'model_name',
  'type',
  'source_ip',
  'quota',
  'request_time',
] as const

/** More names than this are not read one by one. */
const namesMax = 20
const offsetMax = 10_000

/** Lists one page. With the cursor `after` a page costs the same wherever it is. */
export const list = async (
  db: Database,
  filter: LogFilter,
  { page, size, order = newestFirst }: Paging,
): Promise<LogPage<LogRow>> => {
  const { after, ...all } = filter
  const parts = await partsOf(db, all)
  const offset = (page - 1) * size
  const data = await pageQuery(db, parts, {
    ...{ order, after, size },
    offset: after ? 0 : offset,
  }).execute()
  const counted = await countUpTo(db, rowsOf(db, parts))
  const last = data.at(-1)
  const hasNext = order === newestFirst && data.length === size && last !== undefined
  return {
    ...{ data, page, size, ...totalOf(counted, { offset, size, rows: data.length }) },
    next: hasNext ? `${last.created_at}.${last.id}` : null,
  }
}

/**
 * Splits a search for models into parts without overlap. An index serves each part in the order of time, however rare
 * or frequent the models are.
 */
const partsOf = async (db: Database, filter: LogFilter): Promise<LogFilter[]> => {
  const { model_name, log_type, userId, code, ...others } = filter
  const canSplit = userId === undefined && code === undefined && (!log_type || log_type === 2)
  if (!model_name || !canSplit) return [filter]
  const names = await findChargedModels(db, model_name)
  if (!names) return [filter]
  const groups = names.length > namesMax ? [names] : names.map(name => [name])
  const charged = groups.map(models => ({ ...others, log_type: 2, models }))
  // Errors name models that nobody was charged for.
  return log_type === 2 ? charged : [...charged, { ...others, model_name, log_type: 5 }]
}

type PageOptions = {
  order: string
  after: LogFilter['after']
  size: number
  offset: number
}

export const pageQuery = (
  db: Database,
  parts: readonly LogFilter[],
  { order, after, size, offset }: PageOptions,
) => {
  // Each part needs as many of its rows as the page could take from it.
  const limit = order === newestFirst && offset <= offsetMax ? offset + size : undefined
  const rows = rowsOf(
    db,
    parts.map(part => ({ ...part, after })),
    limit,
  )
  return orderTerms(order)
    .flatMap(({ field, isDescending }) => {
      const column = sortable.find(each => each === field)
      return column ? [{ column, isDescending }] : []
    })
    .reduce(
      (each, { column, isDescending }) =>
        each.orderBy(`logs.${column}`, isDescending ? 'desc' : 'asc'),
      rows
        .leftJoin('channels', 'channels.id', 'logs.channel_id')
        .selectAll('logs')
        .select('channels.name as channel_name'),
    )
    .orderBy('logs.id', 'desc')
    .limit(size)
    .offset(offset)
}

/** The rows of all parts, at most `limit` of each, the newest. */
const rowsOf = (db: Database, parts: readonly LogFilter[], limit?: number): LogRows => {
  const [first, ...more] = parts
  if (!first) return db.selectFrom('logs').where(sql<boolean>`false`)
  if (more.length === 0) return matching(db, first)
  const queries = parts.map(part => {
    const rows = matching(db, part).selectAll('logs')
    const newest =
      limit === undefined
        ? rows
        : rows.orderBy('logs.created_at', 'desc').orderBy('logs.id', 'desc').limit(limit)
    return sql`select * from (${newest}) as part`
  })
  const union = sql<LogsTable>`(${sql.join(queries, sql` union all `)})`
  // Kysely does not know that an aliased union has the columns of the table.
  return db.selectFrom(union.as('logs')) as unknown as LogRows
}

type LogRows = SelectQueryBuilder<Tables, 'logs', object>
