import type { Migration } from 'kysely/migration'

/** Notes on a site with users when this release came, so that its operator is told the new rules. */
export const newRules: Migration = {
  up: async db => {
    const user = await db
      .selectFrom('users')
      .select(({ lit }) => lit(1).as('found'))
      .limit(1)
      .executeTakeFirst()
    if (!user) return
    await db
      .insertInto('options')
      .values({ key: 'NewRulesSince', value: String(Math.floor(Date.now() / 1000)) })
      .execute()
  },
}
