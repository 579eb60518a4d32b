import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** The bounds of this release. A stored setting outside would silently become the default. */
const bounds = {
  QuotaPerUnit: [1, 1_000_000_000, Math.trunc],
  PaymentUSDRate: [0.01, 1000, Number],
  QuotaForNewUser: [0, 1_000_000_000, Number],
  QuotaForInviter: [0, 1_000_000_000, Number],
  QuotaForInvitee: [0, 1_000_000_000, Number],
} as const

/** Adds the time of the last fresh proof to each session, and moves stored settings of money into their bounds. */
export const sessionProofs = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    await schema.addColumn('sessions', 'proved_at', 'integer?').execute(db)
    const stored = await db
      .selectFrom('options')
      .select(['key', 'value'])
      .where('key', 'in', Object.keys(bounds))
      .execute()
    for (const { key, value } of stored) {
      const [min, max, round] = bounds[key as keyof typeof bounds]
      const number = Number(value)
      if (Number.isNaN(number) || value.trim() === '') continue
      const inside = Math.min(max, Math.max(min, round(number)))
      if (inside === number) continue
      await db
        .updateTable('options')
        .set({ value: String(inside) })
        .where('key', '=', key)
        .execute()
    }
  },
})
