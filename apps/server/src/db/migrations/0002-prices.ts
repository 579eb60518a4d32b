import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Price tiers, tool prices, scheduled prices and the undo record of the last bulk change. */
export const prices = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('prices', 'tiers', 'text?').execute(db)
    await schema.addColumn('prices', 'tool_prices', 'text?').execute(db)
    const tables = [
      schema.createTable({
        name: 'price_schedule',
        columns: { model: 'text', at: 'integer', price: 'text', created_at: 'integer' },
        primaryKey: ['model', 'at'],
      }),
      schema.createTable({
        name: 'price_undo',
        columns: {
          id: 'key',
          at: 'integer',
          actor_name: 'text',
          what: 'text',
          before: 'text',
          after: 'text',
        },
        checks: ['id = 1'],
      }),
    ]
    for (const statement of tables.flat()) await statement.execute(db)
  },
})
