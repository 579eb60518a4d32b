import type { ImportedToken, ImportedUser, Skipped } from '../gateway-data.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { flagOf, integerOf, isDeleted, textOf } from '../sources/values.ts'

/** One API marks a deleted user by this status. */
const deletedStatus = 3

export const readUsers = async (
  source: SourceDatabase,
  skipped: Skipped[],
): Promise<ImportedUser[]> => {
  const users: ImportedUser[] = []
  for (const row of await source.rows('users', 'id')) {
    const [id, name] = [integerOf(row, 'id'), textOf(row, 'username')]
    if (isDeleted(row) || integerOf(row, 'status') === deletedStatus)
      skipped.push({ table: 'users', id, name, reason: 'deleted' })
    else users.push(userOf(row))
  }
  return users
}

const userOf = (row: SourceRow): ImportedUser => {
  const role = integerOf(row, 'role')
  return {
    id: integerOf(row, 'id'),
    username: textOf(row, 'username'),
    passwordHash: textOf(row, 'password'),
    displayName: textOf(row, 'display_name'),
    email: textOf(row, 'email'),
    avatarUrl: '',
    role: role >= 100 ? 100 : role >= 10 ? 10 : 1,
    isEnabled: integerOf(row, 'status') === 1,
    group: textOf(row, 'group') || 'default',
    // Rewards that the user has not moved to the balance yet are the user's too.
    balance: integerOf(row, 'quota') + integerOf(row, 'aff_quota'),
    used: integerOf(row, 'used_quota'),
    requests: integerOf(row, 'request_count'),
    inviteCode: textOf(row, 'aff_code'),
    inviterId: integerOf(row, 'inviter_id'),
    accessToken: textOf(row, 'access_token').trim(),
    createdAt: integerOf(row, 'created_time'),
    lastSignInAt: 0,
    lastSignInIp: '',
    // Names at GitHub are given to others again, and a subject of OpenID Connect is nothing without its issuer.
    identities: [
      { signIn: 'wechat', subject: textOf(row, 'wechat_id').trim() },
      { signIn: 'lark', subject: textOf(row, 'lark_id').trim() },
    ].filter(({ subject }) => subject !== ''),
  }
}

/** New API and One API have different columns for models and addresses. */
export const readTokens = async (
  source: SourceDatabase,
  users: ReadonlySet<number>,
  skipped: Skipped[],
): Promise<ImportedToken[]> => {
  const tokens: ImportedToken[] = []
  for (const row of await source.rows('tokens', 'id')) {
    const [id, name, userId] = [
      integerOf(row, 'id'),
      textOf(row, 'name'),
      integerOf(row, 'user_id'),
    ]
    const hasOwner = users.has(userId)
    if (isDeleted(row) || !hasOwner) {
      const reason = hasOwner ? 'deleted' : 'its user is deleted'
      skipped.push({ table: 'tokens', id, name, reason })
    } else tokens.push(tokenOf(row))
  }
  return tokens
}

const tokenOf = (row: SourceRow): ImportedToken => {
  const models = flagOf(row, 'model_limits_enabled')
    ? textOf(row, 'model_limits')
    : textOf(row, 'models')
  return {
    id: integerOf(row, 'id'),
    userId: integerOf(row, 'user_id'),
    name: textOf(row, 'name'),
    // The database has the key without the `sk-` that callers send.
    key: `sk-${textOf(row, 'key').trim()}`,
    // 3 and 4 follow from the time and the cap.
    isEnabled: integerOf(row, 'status') !== 2,
    expiresAt: integerOf(row, 'expired_time'),
    remaining: flagOf(row, 'unlimited_quota') ? null : integerOf(row, 'remain_quota'),
    used: integerOf(row, 'used_quota'),
    group: textOf(row, 'group'),
    backupGroup: '',
    models: partsOf(models),
    addresses: partsOf(textOf(row, 'allow_ips') || textOf(row, 'subnet')),
    createdAt: integerOf(row, 'created_time'),
    lastUsedAt: integerOf(row, 'accessed_time'),
  }
}

const partsOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(each => each.trim())
    .filter(Boolean)
