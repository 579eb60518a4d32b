import type { Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { PromptRatiosTable } from '../tables/prompt-ratios.ts'

export type PromptRatio = Selectable<PromptRatiosTable>

/** Users whose figures a model keeps. */
const usersMax = 31
/** A figure that nobody renewed says little about today's model. */
const keptSeconds = 90 * 86_400

const newest = (db: Database, model: string) =>
  db
    .selectFrom('prompt_ratios')
    .where('model', '=', model)
    .orderBy('counted_at', 'desc')
    .orderBy('user_id')
    .limit(usersMax)

export const list = (db: Database, model: string): Promise<PromptRatio[]> =>
  newest(db, model).selectAll().execute()

/** Saves the figure of one user, in place of his last one, and forgets old ones. */
export const save = async (db: Database, row: PromptRatio): Promise<void> => {
  const { permille, counted_at } = row
  await db
    .insertInto('prompt_ratios')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['model', 'user_id']).doUpdateSet({ permille, counted_at }),
    )
    .execute()
  const kept = (await newest(db, row.model).select('user_id').execute()).map(each => each.user_id)
  await db
    .deleteFrom('prompt_ratios')
    .where(eb =>
      eb.or([
        eb('counted_at', '<', counted_at - keptSeconds),
        eb.and([eb('model', '=', row.model), eb('user_id', 'not in', kept)]),
      ]),
    )
    .execute()
}
