import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** A call that could be abandoned for nothing counts as so many points: the defaults of both settings are equal then. */
const pointsPerCall = 1_000
const pointsMax = 1_000_000_000

/**
 * Adds samples of hidden reasoning and the output that was read of background calls, and replaces the number of free
 * abandoned calls by a number of points.
 */
export const leftCalls = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'reasoning_samples',
      columns: {
        model: 'text',
        level: 'text',
        user_id: 'integer',
        slot: 'integer',
        tokens: 'integer',
        tokens_per_second: 'integer',
        at: 'integer',
      },
      primaryKey: ['model', 'level', 'user_id', 'slot'],
    })
    for (const statement of statements) await statement.execute(db)
    await schema.addColumn('background_calls', 'read_tokens', 'integer?').execute(db)
    const before = await db
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'AbandonedCallsPerMinute')
      .executeTakeFirst()
    if (!before) return
    await db.deleteFrom('options').where('key', '=', 'AbandonedCallsPerMinute').execute()
    const calls = Number(before.value)
    if (!Number.isInteger(calls) || calls < 0 || before.value.trim() === '') return
    const value = String(Math.min(pointsMax, calls * pointsPerCall))
    await db.insertInto('options').values({ key: 'AbandonedPointsPerMinute', value }).execute()
  },
})
