import { Fault, pickLimits, roles, type Token, TokenSetting } from '@hub/contract'
import { remainingQuota, tokenStatus } from '../../billing/token-limits.ts'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as groups from '../../db/queries/groups.ts'
import * as rows from '../../db/queries/tokens.ts'

export const sealedAt = (id: number) => `tokens.key_sealed:${id}`

export const getToken = async (app: App, { userId }: SignedInUser, id: number) =>
  required(await rows.find(app.db, userId, id))

/** Each id once, in the one order in which rows are locked, so that parallel changes wait for each other. */
export const inOrder = (ids: readonly number[]): number[] =>
  [...new Set(ids)].toSorted((a, b) => a - b)

/** The caller's tokens with these ids, in the same order. Throws `resource.missing` if one is not the caller's. */
export const getTokens = async (
  db: Database,
  { userId }: SignedInUser,
  ids: readonly number[],
): Promise<rows.TokenRow[]> => {
  const stored = new Map((await rows.listByIds(db, userId, ids)).map(each => [each.id, each]))
  return ids.map(id => required(stored.get(id)))
}

/** Only administrators see the billing tag. */
export const asToken = (
  row: rows.TokenRow,
  nowSeconds: number,
  { role }: Pick<SignedInUser, 'role'>,
): Token => ({
  id: row.id,
  user_id: row.user_id,
  name: row.name,
  key: row.key_masked,
  revealable: row.key_sealed !== '',
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
  setting: {
    ...TokenSetting.parse(JSON.parse(row.setting)),
    ...(role >= roles.admin && { billing_tag: row.billing_tag || null }),
  },
})

/** Refuses a group that is neither public nor the user's own. */
export const requireUsableGroup = async (app: App, owner: { group: string }, symbol: string) => {
  if (symbol === '') return
  const group = await groups.findBySymbol(app.db, symbol)
  const isOpen = group?.enable === 1 && (group.public === 1 || symbol === owner.group)
  if (!isOpen) throw new Fault('group.unknown')
}

/**
 * Splits the setting of an input into the columns that it is stored in. Refuses a billing tag from anyone but an
 * administrator, and one that names no group. A user's client sends null for what it is not shown: that keeps the tag.
 */
export const settingColumns = async (
  app: App,
  { role }: Pick<SignedInUser, 'role'>,
  { billing_tag, ...setting }: TokenSetting,
  stored?: { billing_tag: string | null },
) => {
  const columns = { setting: JSON.stringify(setting) }
  if (billing_tag === undefined || (!billing_tag && role < roles.admin)) return columns
  if (role < roles.admin)
    throw new Fault('access.denied', { hint: 'Only administrators may set a billing tag.' })
  const isChanged = billing_tag !== stored?.billing_tag
  if (billing_tag && isChanged && !(await groups.findBySymbol(app.db, billing_tag)))
    throw new Fault('group.unknown', { hint: '`setting.billing_tag`' })
  return { ...columns, billing_tag: billing_tag || null }
}
