import type { Page } from '@hub/contract'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import { runLimited, withDeadline } from '../engines/deadline.ts'
import type { Database } from '../index.ts'

export type Paging = { page: number; size: number; order?: string | undefined }

const exactMax = 10_000

type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

/**
 * Selects one page and the total. `columns` maps the sortable names; `id` descending breaks ties, so that no row appears
 * on two pages.
 */
export const selectPage = <DB, TB extends keyof DB, O>(
  db: Database,
  query: Query<DB, TB, O>,
  { page, size, order }: Paging,
  columns: Record<string, Expression<unknown>> & { id: Expression<unknown> },
): Promise<Page<O>> => {
  const offset = (page - 1) * size
  const ordered = orderTerms(order)
    .filter(term => term.field in columns)
    .reduce(
      (each, term) => each.orderBy(columns[term.field]!, term.isDescending ? 'desc' : 'asc'),
      query,
    )
    .orderBy(columns.id, 'desc')
  return withDeadline(db, async limited => {
    const data = await runLimited(limited, ordered.limit(size).offset(offset))
    const counted = await countUpTo(limited, query)
    return { data, page, size, ...totalOf(counted, { offset, size, rows: data.length }) }
  })
}

type SeenPage = { offset: number; size: number; rows: number }

/** Beyond the counted rows the total covers the rows of this page and, while pages are full, one more page. */
export const totalOf = (counted: number, { offset, size, rows }: SeenPage) => {
  const isExact = counted <= exactMax
  const seen = rows === 0 ? 0 : offset + rows + (rows === size ? size : 0)
  return { total_count: isExact ? counted : Math.max(counted, seen), total_exact: isExact }
}

export const orderTerms = (order: string | undefined) =>
  (order ?? '')
    .split(',')
    .filter(Boolean)
    .map(term => ({ field: term.replace(/^-/, ''), isDescending: term.startsWith('-') }))

/** Counts at most `exactMax + 1` rows, so that lists of millions answer as fast as lists of thousands. */
export const countUpTo = async <DB, TB extends keyof DB, O>(
  db: Database,
  query: Query<DB, TB, O>,
) => {
  const rows = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(exactMax + 1)
  const { rows: counted } = await sql<{
    n: number | string
  }>`select count(*) as n from (${rows}) as counted`.execute(db)
  return Number(counted[0]?.n ?? 0)
}
