import type { ImportedUser, Skipped } from '../gateway-data.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { integerOf, isDeleted, textOf } from '../sources/values.ts'

/** One Hub's column, and the sign-in provider here whose subject it holds. */
const identityColumns = {
  github_id_new: 'github',
  wechat_id: 'wechat',
  lark_id: 'lark',
  telegram_id: 'telegram',
} as const

export const readUsers = async (
  source: SourceDatabase,
  skipped: Skipped[],
): Promise<ImportedUser[]> => {
  const users: ImportedUser[] = []
  for (const row of await source.rows('users', 'id')) {
    const [id, name] = [integerOf(row, 'id'), textOf(row, 'username')]
    if (isDeleted(row)) skipped.push({ table: 'users', id, name, reason: 'deleted' })
    else users.push(userOf(row))
  }
  return users
}

const userOf = (row: SourceRow): ImportedUser => ({
  id: integerOf(row, 'id'),
  username: textOf(row, 'username'),
  passwordHash: textOf(row, 'password'),
  displayName: textOf(row, 'display_name'),
  email: textOf(row, 'email'),
  avatarUrl: textOf(row, 'avatar_url'),
  role: roleOf(integerOf(row, 'role')),
  isEnabled: integerOf(row, 'status') === 1,
  group: textOf(row, 'group') || 'default',
  balance: integerOf(row, 'quota'),
  used: integerOf(row, 'used_quota'),
  requests: integerOf(row, 'request_count'),
  inviteCode: textOf(row, 'aff_code'),
  inviterId: integerOf(row, 'inviter_id'),
  accessToken: textOf(row, 'access_token').trim(),
  createdAt: integerOf(row, 'created_time'),
  lastSignInAt: integerOf(row, 'last_login_time'),
  lastSignInIp: textOf(row, 'last_login_ip'),
  identities: Object.entries(identityColumns)
    .map(([column, signIn]) => ({ signIn, subject: textOf(row, column).trim() }))
    // A numeric column has 0 for nobody.
    .filter(({ subject }) => subject !== '' && subject !== '0'),
})

/** One Hub's role 3 is a user who may name the price tag of a call. */
const roleOf = (role: number): ImportedUser['role'] => (role >= 100 ? 100 : role >= 10 ? 10 : 1)
