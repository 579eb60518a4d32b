import { type Insertable, sql } from 'kysely'
import { sha256 } from '../../lib/random.ts'
import type { Database } from '../index.ts'
import type { AuditTable } from '../tables/logs-audit.ts'
import { type Paging, selectPage } from './paging.ts'
import { startsWith } from './text.ts'

type NewRow = Omit<Insertable<AuditTable>, 'id' | 'hash'>

/** Hash of the row and the previous hash, in a fixed order of fields. */
const hashOf = (before: string, row: NewRow): string =>
  sha256(
    JSON.stringify([
      before,
      row.at,
      row.actor_id,
      row.actor_name,
      row.action,
      row.target,
      row.input,
      row.outcome,
      row.source_ip,
      row.request_id,
      // Older releases hash neither field, so rows without them keep their hash.
      ...(row.changes ? [row.changes, row.actor_role] : []),
    ]),
  )

/** Appends a row to the hash chain. The row lock of the counter serialises the writers of all nodes. */
export const append = (db: Database, row: NewRow): Promise<void> =>
  db.transaction().execute(async tx => {
    await tx
      .insertInto('topics')
      .values({ topic: 'audit', n: 1 })
      .onConflict(conflict => conflict.column('topic').doUpdateSet({ n: sql`topics.n + 1` }))
      .execute()
    const last = await tx
      .selectFrom('audit')
      .select('hash')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    await tx
      .insertInto('audit')
      .values({ ...row, hash: hashOf(last?.hash ?? '', row) })
      .execute()
  })

const verifyChunk = 1000

/** Verifies the hash chain. Returns the first row that was changed or follows a missing row. */
export const findBreak = async (db: Database): Promise<number | undefined> => {
  let before = ''
  let afterId = 0
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(verifyChunk)
      .execute()
    for (const row of rows) {
      if (row.hash !== hashOf(before, row)) return row.id
      before = row.hash
      afterId = row.id
    }
    if (rows.length < verifyChunk) return undefined
  }
}

type AuditFilter = {
  keyword?: string | undefined
  action?: string | undefined
  actor_id?: number | undefined
  actor_name?: string | undefined
  outcome?: 'succeeded' | 'failed' | undefined
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
  /** Leaves the rows of this user and of actors who had a lower role. */
  visibleTo?: { userId: number; role: number }
}

export const list = (db: Database, filter: Paging & AuditFilter) => {
  const { keyword, action, actor_id, actor_name, outcome, visibleTo } = filter
  const { start_timestamp: start, end_timestamp: end } = filter
  const query = db
    .selectFrom('audit')
    .selectAll()
    .$if(!!keyword, rows => rows.where(startsWith('target', keyword!)))
    .$if(!!action, rows => rows.where('action', '=', action!))
    .$if(actor_id !== undefined, rows => rows.where('actor_id', '=', actor_id!))
    .$if(!!actor_name, rows => rows.where(startsWith('actor_name', actor_name!)))
    .$if(!!outcome, rows => rows.where('outcome', outcome === 'failed' ? '<>' : '=', ''))
    .$if(start !== undefined, rows => rows.where('at', '>=', start!))
    .$if(end !== undefined, rows => rows.where('at', '<=', end!))
    .$if(visibleTo !== undefined, rows =>
      rows.where(({ or, and, eb }) =>
        or([
          eb('actor_id', '=', visibleTo!.userId),
          and([eb('actor_role', '>', 0), eb('actor_role', '<', visibleTo!.role)]),
        ]),
      ),
    )
  return selectPage(db, query, filter, {
    id: sql.ref('id'),
    at: sql.ref('at'),
    actor_id: sql.ref('actor_id'),
    action: sql.ref('action'),
  })
}
