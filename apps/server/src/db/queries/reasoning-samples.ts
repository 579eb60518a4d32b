import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { ReasoningSamplesTable } from '../tables/reasoning-samples.ts'

export type SampleKey = Pick<ReasoningSamplesTable, 'model' | 'level'>

/** Rows of a model and effort. Eight users with all of their slots fill them. */
const rowsMax = 64

/** Writes samples; one in the same slot is replaced by a later one. */
export const save = async (db: Database, rows: readonly ReasoningSamplesTable[]): Promise<void> => {
  await db
    .insertInto('reasoning_samples')
    .values([...rows])
    .onConflict(conflict =>
      conflict.columns(['model', 'level', 'user_id', 'slot']).doUpdateSet({
        tokens: sql`excluded.tokens`,
        tokens_per_second: sql`excluded.tokens_per_second`,
        at: sql`excluded.at`,
      }),
    )
    .execute()
}

/** The latest samples of a model and effort, the last one first. */
export const list = (db: Database, { model, level }: SampleKey): Promise<ReasoningSamplesTable[]> =>
  db
    .selectFrom('reasoning_samples')
    .selectAll()
    .where('model', '=', model)
    .where('level', '=', level)
    .orderBy('at', 'desc')
    .limit(rowsMax)
    .execute()

/** Deletes the samples of a model and effort that are older than the latest. */
export const removeOld = async (db: Database, { model, level }: SampleKey): Promise<void> => {
  const oldest = await db
    .selectFrom('reasoning_samples')
    .select('at')
    .where('model', '=', model)
    .where('level', '=', level)
    .orderBy('at', 'desc')
    .offset(rowsMax - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await db
    .deleteFrom('reasoning_samples')
    .where('model', '=', model)
    .where('level', '=', level)
    .where('at', '<', oldest.at)
    .execute()
}
