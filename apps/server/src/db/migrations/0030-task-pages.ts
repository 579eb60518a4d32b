import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Tables } from '../tables/index.ts'

const indexes = [
  `create index "tasks_user_newest" on "tasks" ("user_id", "id")`,
  `create index "tasks_orphans" on "tasks" ("id") where "orphan" = 1`,
]

/** Indexes for the lists of tasks in the console: those of one user, and those that a vendor may have. */
export const taskPages: Migration = {
  up: async (db: Kysely<Tables>) => {
    for (const index of indexes) await sql.raw(index).execute(db)
  },
}
