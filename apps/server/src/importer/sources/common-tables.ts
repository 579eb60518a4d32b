import type {
  GatewayData,
  ImportedRedemption,
  ImportedToken,
  ImportedUser,
  Skipped,
  SourceId,
} from '../gateway-data.ts'
import type { SourceDatabase, SourceRow } from './source-database.ts'
import { flagOf, integerOf, isDeleted, textOf } from './values.ts'

/** The columns of `users` that all gateways of this family have, with the same meaning. */
export const commonUserFields = (row: SourceRow) => ({
  id: integerOf(row, 'id'),
  username: textOf(row, 'username'),
  passwordHash: textOf(row, 'password'),
  displayName: textOf(row, 'display_name'),
  email: textOf(row, 'email'),
  role: roleOf(integerOf(row, 'role')),
  isEnabled: integerOf(row, 'status') === 1,
  group: textOf(row, 'group') || 'default',
  used: integerOf(row, 'used_quota'),
  requests: integerOf(row, 'request_count'),
  inviteCode: textOf(row, 'aff_code'),
  inviterId: integerOf(row, 'inviter_id'),
  accessToken: textOf(row, 'access_token').trim(),
  createdAt: integerOf(row, 'created_time'),
})

/** One Hub's role 3 is a user who may name the price tag of a call. */
const roleOf = (role: number): ImportedUser['role'] => (role >= 100 ? 100 : role >= 10 ? 10 : 1)

/** The settings of a key, which each gateway stores in its own way. */
export type TokenSettings = Pick<ImportedToken, 'billingTag' | 'models' | 'addresses'>

/** Reads the keys of the users that are carried. Others are skipped, because nobody could pay for them. */
export const readTokens = async (
  source: SourceDatabase,
  users: ReadonlySet<SourceId>,
  skipped: Skipped[],
  settingsOf: (row: SourceRow) => TokenSettings,
): Promise<ImportedToken[]> => {
  const tokens: ImportedToken[] = []
  for (const row of await source.rows('tokens', 'id')) {
    const [id, name] = [integerOf(row, 'id'), textOf(row, 'name')]
    const hasOwner = users.has(integerOf(row, 'user_id'))
    if (isDeleted(row) || !hasOwner) {
      const reason = isDeleted(row) ? 'deleted' : 'its user is deleted'
      skipped.push({ table: 'tokens', id, name, reason })
    } else tokens.push({ ...commonTokenFields(row), ...settingsOf(row) })
  }
  return tokens
}

const commonTokenFields = (row: SourceRow) => ({
  id: integerOf(row, 'id'),
  userId: integerOf(row, 'user_id'),
  name: textOf(row, 'name'),
  // The database has the key without the `sk-` that callers send.
  key: { plain: `sk-${textOf(row, 'key').trim()}` },
  // 3 and 4 follow from the time and the cap. One that was switched off is 2.
  isEnabled: integerOf(row, 'status') !== 2,
  expiresAt: integerOf(row, 'expired_time'),
  remaining: flagOf(row, 'unlimited_quota') ? null : integerOf(row, 'remain_quota'),
  used: integerOf(row, 'used_quota'),
  group: textOf(row, 'group'),
  // Empty where the gateway has no such column.
  backupGroup: textOf(row, 'backup_group'),
  createdAt: integerOf(row, 'created_time'),
  lastUsedAt: integerOf(row, 'accessed_time'),
})

/** Codes that nobody used. All gateways of this family have the same table. */
export const readRedemptions = async (
  source: SourceDatabase,
  skipped: Skipped[],
): Promise<ImportedRedemption[]> => {
  const open: ImportedRedemption[] = []
  for (const row of await source.rows('redemptions', 'id')) {
    const [id, name, status] = [integerOf(row, 'id'), textOf(row, 'name'), integerOf(row, 'status')]
    if (isDeleted(row) || status === 3) {
      const reason = status === 3 ? 'used already' : 'deleted'
      skipped.push({ table: 'redemptions', id, name, reason })
      continue
    }
    open.push({
      ...{ id, name },
      userId: integerOf(row, 'user_id'),
      code: textOf(row, 'key').trim(),
      isEnabled: status === 1,
      quota: integerOf(row, 'quota'),
      createdAt: integerOf(row, 'created_time'),
      expiresAt: integerOf(row, 'expired_time') || -1,
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
