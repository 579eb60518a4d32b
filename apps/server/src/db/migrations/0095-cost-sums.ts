import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'

/** Adds what calls were charged and what they cost, by time, channel, model, user, group, key and currency. */
export const costSums = (schema: SchemaKit): Migration => ({
  up: async db => {
    const statements = schema.createTable({
      name: 'cost_sums',
      columns: {
        span: 'integer',
        at: 'integer',
        channel_id: 'integer',
        model: 'text',
        user_id: 'integer',
        group_name: 'text',
        token_name: 'text',
        currency: 'text',
        calls: 'integer',
        charged: 'integer',
        cost: 'integer',
        estimated: 'integer',
        attempts: 'integer',
        attempt_cost: 'integer',
      },
      primaryKey: [
        ...['span', 'at', 'channel_id', 'model', 'user_id', 'group_name', 'token_name', 'currency'],
      ],
    })
    for (const statement of statements) await statement.execute(db)
  },
})
