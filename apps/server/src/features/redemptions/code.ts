import { randomBytes } from 'node:crypto'
import { Fault, type Redemption, type RedemptionStatus } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import * as rows from '../../db/queries/redemptions.ts'

const sealedAt = (id: number) => `redemptions.key_sealed:${id}`

/** 128 random bits as 32 hexadecimal digits, as One Hub's codes look. */
export const makeCode = (): string => randomBytes(16).toString('hex')

export const sealCode = (app: App, code: string) => (id: number) =>
  app.seal.seal('redemption', sealedAt(id), code)

export const getRedemption = async (app: App, id: number) => {
  const row = await rows.find(app.db, id)
  if (!row) throw new Fault('resource.missing')
  return row
}

const statusOf = (row: rows.RedemptionRow, now: number): RedemptionStatus => {
  if (row.status === 3) return 3
  if (row.expires_at !== -1 && row.expires_at <= now) return 4
  return row.status === 1 ? 1 : 2
}

/** For administrators, who hand codes out: with the code in full. */
export const asRedemption = (app: App, row: rows.RedemptionRow): Redemption => ({
  id: row.id,
  user_id: row.user_id,
  key: app.seal.open('redemption', sealedAt(row.id), row.key_sealed),
  status: statusOf(row, nowSeconds(app)),
  name: row.name,
  quota: row.quota,
  created_time: row.created_time,
  redeemed_time: row.redeemed_time,
  used_user_id: row.used_user_id,
  used_username: row.used_username ?? '',
  expired_time: row.expires_at,
})

/** One Hub's zero means never, as -1 does. */
export const expiryOf = (seconds: number): number => (seconds === 0 ? -1 : seconds)
