import type { Insertable } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import { insertSealed } from '../../db/queries/rows.ts'
import type { RedemptionsTable } from '../../db/tables/redemptions.ts'

const sealContext = (id: number) => `redemptions.key_sealed:${id}`

export const hashCode = (app: App, code: string): string => app.seal.fingerprint('redemption', code)

export const openCode = (app: App, { id, key_sealed }: { id: number; key_sealed: string }) =>
  app.seal.open('redemption', sealContext(id), key_sealed)

type Columns = Omit<
  Insertable<RedemptionsTable>,
  'key_hash' | 'key_sealed' | 'redeemed_time' | 'used_user_id' | 'deleted_at'
>

/** Stores a code that nobody has used. */
export const insertCode = (app: App, tx: Database, code: string, columns: Columns) => {
  const unused = { redeemed_time: 0, used_user_id: 0, deleted_at: null }
  const row = { ...columns, ...unused, key_hash: hashCode(app, code) }
  const seal = (id: number) => app.seal.seal('redemption', sealContext(id), code)
  return insertSealed(tx, 'redemptions', row, seal)
}
