import type { Page } from '@hub/contract'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'

export type Paging = { page: number; size: number; order?: string | undefined }

const exactMax = 10_000

type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

/**
 * One page of a query and its total. `columns` maps the names that may be ordered by; ties end by the last of them
 * descending, so that no row is shown on two pages.
 */
export const pageOf = async <DB, TB extends keyof DB, O>(
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
  const data = await ordered.orderBy(columns.id, 'desc').limit(size).offset(offset).execute()
  const counted = await countOf(db, query)
  const isExact = counted <= exactMax
  // Beyond what is counted, the total at least covers this page and, while pages are full, one more.
  const seen = offset + data.length + (data.length === size ? size : 0)
  return {
    data,
    page,
    size,
    total_count: isExact ? counted : Math.max(counted, seen),
    total_exact: isExact,
  }
}

const orderTerms = (order: string | undefined) =>
  (order ?? '')
    .split(',')
    .filter(Boolean)
    .map(term => ({ field: term.replace(/^-/, ''), isDescending: term.startsWith('-') }))

/** Never walks more than it is ready to count: a list of millions answers as fast as one of thousands. */
const countOf = async <DB, TB extends keyof DB, O>(db: Database, query: Query<DB, TB, O>) => {
  const rows = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(exactMax + 1)
  const { rows: counted } = await sql<{
    n: number | string
  }>`select count(*) as n from (${rows}) as counted`.execute(db)
  return Number(counted[0]?.n ?? 0)
}
