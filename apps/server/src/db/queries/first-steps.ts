import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { selectRelayTokens } from './relay-tokens.ts'

const tokensMax = 100

/** The channels that are not deleted, the newest first. */
export const listChannels = (db: Database) =>
  db
    .selectFrom('channels')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'status'])
    .orderBy('id', 'desc')
    .execute()

export const listPriceNames = async (db: Database): Promise<string[]> =>
  (await db.selectFrom('prices').select('model').execute()).map(({ model }) => model)

export type FirstTokenRow = Awaited<ReturnType<typeof listTokens>>[number]

/** A user's newest tokens as the relay reads them, with what they and their owner may still spend. */
export const listTokens = (db: Database, userId: number) =>
  selectRelayTokens(db)
    .innerJoin('accounts', 'accounts.user_id', 'users.id')
    .where('users.id', '=', userId)
    .selectAll('token_spend')
    .select('accounts.balance')
    .orderBy('tokens.id', 'desc')
    .limit(tokensMax)
    .execute()

/** A charged call of anyone. Accounts count calls whose logs were deleted, or never written. */
export const hasAnsweredCall = async (db: Database): Promise<boolean> => {
  const { answered } = await db
    .selectNoFrom(
      sql<number>`case when exists (select 1 from accounts where requests > 0)
        or exists (select 1 from logs where type = 2) then 1 else 0 end`.as('answered'),
    )
    .executeTakeFirstOrThrow()
  return answered === 1
}

/** The latest failed call of anyone; its content is the code of the fault. */
export const findLastFailure = (db: Database) =>
  db
    .selectFrom('logs')
    .select(['id', 'content'])
    .where(sql<boolean>`type = 5`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
