import { sql } from 'kysely'
import type { Database } from '../index.ts'

/** An account that talks to the bot, which is no way to sign in. */
const botIdentity = 'telegram'

/** Counts the ways in which the user can sign in: password, identities at third parties and passkeys. */
export const count = async (db: Database, userId: number): Promise<number> => {
  const countOf = (table: 'identities' | 'passkeys') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .$if(table === 'identities', rows => rows.where('sign_in', '<>', botIdentity))
      .executeTakeFirstOrThrow()
  const password = await db
    .selectFrom('users')
    .select(sql<number>`case when password_hash = '' then 0 else 1 end`.as('count'))
    .where('id', '=', userId)
    .executeTakeFirst()
  const [identities, passkeys] = [await countOf('identities'), await countOf('passkeys')]
  return Number(password?.count ?? 0) + Number(identities.count) + Number(passkeys.count)
}
