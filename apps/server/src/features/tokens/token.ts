import { Fault, pickLimits, type Token, TokenSetting } from '@hub/contract'
import { remainingQuota, tokenStatus } from '../../billing/token-limits.ts'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as groups from '../../db/queries/groups.ts'
import * as rows from '../../db/queries/tokens.ts'

export const sealedAt = (id: number) => `tokens.key_sealed:${id}`

export const getToken = async (app: App, { userId }: SignedInUser, id: number) =>
  required(await rows.find(app.db, userId, id))

export const asToken = (row: rows.TokenRow, nowSeconds: number): Token => ({
  id: row.id,
  user_id: row.user_id,
  name: row.name,
  key: row.key_masked,
  status: tokenStatus(row, nowSeconds),
  created_time: row.created_time,
  accessed_time: row.last_used_at,
  expired_time: row.expires_at,
  remain_quota: remainingQuota(row),
  unlimited_quota: row.cap === null,
  used_quota: row.used,
  group: row.group,
  backup_group: row.backup_group ?? '',
  chat_cache: row.chat_cache === 1,
  api_rate: row.api_rate,
  ...pickLimits(row),
  setting: TokenSetting.parse(JSON.parse(row.setting)),
})

/** Refuses a group that is neither public nor the user's own. */
export const requireUsableGroup = async (app: App, owner: { group: string }, symbol: string) => {
  if (symbol === '') return
  const group = await groups.findBySymbol(app.db, symbol)
  const isOpen = group?.enable === 1 && (group.public === 1 || symbol === owner.group)
  if (!isOpen) throw new Fault('group.unknown')
}
