import type { Page } from '@hub/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import { withDeadline } from '../engines/deadline.ts'
import type { Database } from '../index.ts'
import type { Tables } from '../tables/index.ts'
import type { LogsTable } from '../tables/logs-audit.ts'
import { type LogFilter, matching, withRequestId, withUserId } from './log-filter.ts'
import { findChargedModels } from './log-models.ts'
import { countUpTo, orderTerms, type Paging, totalOf } from './paging.ts'

export type LogRow = LogsTable & { channel_name: string | null }

export type LogPage<Row> = Page<Row> & {
  /** The cursor of the next page; null at the end and in orders without cursors. */
  next: string | null
}

export const newestFirst = '-created_at'
export const oldestFirst = 'created_at'
/** The orders that have cursors. */
const timeOrders = new Set([newestFirst, oldestFirst])

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

/** Lists one page. With the cursor `after` a page costs the same wherever it is. */
export const list = (
  db: Database,
  { after, ...filter }: LogFilter,
  { page, size, order = newestFirst }: Paging,
): Promise<LogPage<LogRow>> => {
  const offset = (page - 1) * size
  return withDeadline(db, async limited => {
    const parts = await partsOf(limited, filter)
    const data = await pageQuery(limited, parts, {
      ...{ order, after, size },
      offset: after ? 0 : offset,
    }).execute()
    const counted = await countUpTo(limited, rowsOf(limited, parts))
    const last = data.at(-1)
    const hasNext = timeOrders.has(order) && data.length === size && last !== undefined
    return {
      ...{ data, page, size, ...totalOf(counted, { offset, size, rows: data.length }) },
      next: hasNext ? `${last.created_at}.${last.id}` : null,
    }
  })
}

/** Reads all matching rows in chunks, newest first, each with a deadline. Rows that are written meanwhile are left out. */
export async function* readChunks(
  db: Database,
  filter: LogFilter,
  size: number,
): AsyncGenerator<LogRow[]> {
  const parts = await partsOf(db, filter)
  let after: LogFilter['after']
  for (;;) {
    const from = { order: newestFirst, after, size, offset: 0 }
    const rows = await withDeadline(db, limited => pageQuery(limited, parts, from).execute())
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    after = rows.at(-1)
  }
}

/** The newest rows that match, at most `limit`. */
export const newestRows = async (db: Database, filter: LogFilter, limit: number) =>
  rowsOf(db, await partsOf(db, filter), { order: newestFirst, limit })
    .select(['logs.created_at', 'logs.type'])
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)

/**
 * Splits a search for models into parts without overlap. An index serves each part in the order of time, however rare
 * or frequent the models are.
 */
const partsOf = async (db: Database, given: LogFilter): Promise<LogFilter[]> => {
  const filter = await withRequestId(db, await withUserId(db, given))
  const { model_name, log_type, userId, code, ...others } = filter
  const canSplit = userId === undefined && code === undefined && (!log_type || log_type === 2)
  if (!model_name || !canSplit) return [filter]
  const names = await findChargedModels(db, model_name)
  if (!names) return [filter]
  const groups = names.length > namesMax ? [names] : names.map(name => [name])
  const charged = groups.map(models => ({ ...others, log_type: 2, models }))
  if (log_type === 2) return charged
  // Errors and imported rows name models that nobody was charged for here.
  return [...charged, ...[5, 6].map(type => ({ ...others, model_name, log_type: type }))]
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
  const limit = timeOrders.has(order) ? offset + size : undefined
  const rows = rowsOf(
    db,
    parts.map(part => ({ ...part, after, isAscending: order === oldestFirst })),
    { order, limit },
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
    .orderBy('logs.id', order === oldestFirst ? 'asc' : 'desc')
    .limit(size)
    .offset(offset)
}

type PartLimit = { order: string; limit: number | undefined }

/** The rows of all parts, at most `limit` of each, the first of an order by time. */
const rowsOf = (
  db: Database,
  parts: readonly LogFilter[],
  { order, limit }: PartLimit = { order: newestFirst, limit: undefined },
): LogRows => {
  const [first, ...more] = parts
  if (!first) return db.selectFrom('logs').where(sql<boolean>`false`)
  if (more.length === 0) return matching(db, first)
  const queries = parts.map(part => {
    const rows = matching(db, part).selectAll('logs')
    const direction = order === oldestFirst ? 'asc' : 'desc'
    const first =
      limit === undefined
        ? rows
        : rows.orderBy('logs.created_at', direction).orderBy('logs.id', direction).limit(limit)
    return sql`select * from (${first}) as part`
  })
  const union = sql<LogsTable>`(${sql.join(queries, sql` union all `)})`
  // Kysely does not know that an aliased union has the columns of the table.
  return db.selectFrom(union.as('logs')) as unknown as LogRows
}

type LogRows = SelectQueryBuilder<Tables, 'logs', object>
