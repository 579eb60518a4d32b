import type {
  GatewayData,
  ImportedRedemption,
  ImportedToken,
  ImportedUser,
  SourceId,
} from '../gateway-data.ts'
import { type ReadLog, readRows } from './checked-rows.ts'
import type { SourceDatabase, SourceRow } from './source-database.ts'
import { redemptionRules, tokenRules } from './table-rules.ts'
import { flagOf, idOf, integerOf, textOf } from './values.ts'

/** The columns of `users` that all gateways of this family have, with the same meaning. */
export const commonUserFields = (row: SourceRow) => ({
  id: idOf(row, 'id'),
  username: textOf(row, 'username') || `user ${textOf(row, 'id')}`,
  passwordHash: textOf(row, 'password'),
  displayName: textOf(row, 'display_name'),
  email: textOf(row, 'email'),
  role: roleOf(integerOf(row, 'role')),
  isEnabled: integerOf(row, 'status') === 1,
  group: textOf(row, 'group'),
  used: integerOf(row, 'used_quota'),
  requests: integerOf(row, 'request_count'),
  inviteCode: textOf(row, 'aff_code'),
  inviterId: idOf(row, 'inviter_id'),
  accessToken: textOf(row, 'access_token').trim(),
  createdAt: integerOf(row, 'created_time'),
})

/** One Hub's role 3 is a user who may name the price tag of a call. */
const roleOf = (role: number): ImportedUser['role'] => (role >= 100 ? 100 : role >= 10 ? 10 : 1)

/** The settings of a key, which each gateway stores in its own way. */
export type TokenSettings = Pick<ImportedToken, 'billingTag' | 'models' | 'addresses'> & {
  /** Says why no call of the key is served. */
  problem?: string | undefined
}

type TokenContext = {
  users: ReadonlySet<SourceId>
  log: ReadLog
  /** Unix seconds. */
  now: number
  settingsOf(row: SourceRow): TokenSettings
}

/** Reads the keys of the users that are carried. Others are skipped, because nobody could pay for them. */
export const readTokens = async (
  source: SourceDatabase,
  { users, log, now, settingsOf }: TokenContext,
): Promise<ImportedToken[]> => {
  const tokens: ImportedToken[] = []
  for (const row of await readRows(source, tokenRules, log)) {
    const { problem, ...settings } = settingsOf(row)
    const token = { ...commonTokenFields(row), ...settings }
    const { id, name } = token
    if (!users.has(token.userId)) {
      log.skipped.push({ table: 'tokens', id, name, reason: 'its user is deleted' })
      continue
    }
    const refusal = problem ?? staleStatus(token, integerOf(row, 'status'), now)
    const change = `it is disabled here, as its calls were refused: ${refusal}`
    if (refusal !== undefined) log.changes.push({ table: 'tokens', id, name, change })
    tokens.push({ ...token, isEnabled: token.isEnabled && refusal === undefined })
  }
  return tokens
}

/** A key stays refused by its status if the expiry or the cap has been changed since. */
const staleStatus = (
  { expiresAt, remaining }: Pick<ImportedToken, 'expiresAt' | 'remaining'>,
  status: number,
  now: number,
): string | undefined => {
  const [isExpired, isSpent] = [expiresAt !== -1 && expiresAt < now, (remaining ?? 1) <= 0]
  if (status < 3 || isExpired || isSpent) return undefined
  return status === 3 ? 'its status is “expired”' : 'its status is “exhausted”'
}

const commonTokenFields = (row: SourceRow) => ({
  id: idOf(row, 'id'),
  userId: idOf(row, 'user_id'),
  name: textOf(row, 'name'),
  // The database has the key without the `sk-` that callers send.
  key: { plain: `sk-${textOf(row, 'key').trim()}` },
  // 3 and 4 follow from the time and the cap. One that was switched off is 2.
  isEnabled: [1, 3, 4].includes(integerOf(row, 'status')),
  expiresAt: expiryOf(integerOf(row, 'expired_time')),
  remaining: flagOf(row, 'unlimited_quota') ? null : integerOf(row, 'remain_quota'),
  used: integerOf(row, 'used_quota'),
  group: textOf(row, 'group'),
  // Empty where the gateway has no such column.
  backupGroup: textOf(row, 'backup_group'),
  createdAt: integerOf(row, 'created_time'),
  lastUsedAt: integerOf(row, 'accessed_time'),
})

/** Only -1 means never. Any other time before now, 0 as well, has passed. */
const expiryOf = (time: number): number => (time === -1 ? -1 : Math.max(1, time))

/** Codes that nobody used. All gateways of this family have the same table. */
export const readRedemptions = async (
  source: SourceDatabase,
  log: ReadLog,
): Promise<ImportedRedemption[]> => {
  const open: ImportedRedemption[] = []
  for (const row of await readRows(source, redemptionRules, log)) {
    const [id, name, status] = [idOf(row, 'id'), textOf(row, 'name'), integerOf(row, 'status')]
    const expiry = integerOf(row, 'expired_time')
    if (status === 3) {
      log.skipped.push({ table: 'redemptions', id, name, reason: 'used already' })
      continue
    }
    open.push({
      ...{ id, name },
      userId: idOf(row, 'user_id'),
      code: textOf(row, 'key').trim(),
      isEnabled: status === 1,
      quota: integerOf(row, 'quota'),
      createdAt: integerOf(row, 'created_time'),
      // Here 0 means never, and any other time before now has passed.
      expiresAt: expiry === 0 ? -1 : Math.max(1, expiry),
    })
  }
  return open
}

/** The tables that hold data and are not carried, with the reason. */
export const countLeft = async (
  source: SourceDatabase,
  reasons: Readonly<Record<string, string>>,
): Promise<GatewayData['left']> => {
  const tables = await source.tables()
  const left: GatewayData['left'] = []
  for (const [table, reason] of Object.entries(reasons)) {
    const rows = tables.has(table) ? await source.count(table) : 0
    if (rows > 0) left.push({ table, rows, reason })
  }
  return left
}
