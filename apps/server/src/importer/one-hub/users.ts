import type { ImportedUser, Skipped } from '../gateway-data.ts'
import { commonUserFields } from '../sources/common-tables.ts'
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
  ...commonUserFields(row),
  avatarUrl: textOf(row, 'avatar_url'),
  balance: integerOf(row, 'quota'),
  lastSignInAt: integerOf(row, 'last_login_time'),
  lastSignInIp: textOf(row, 'last_login_ip'),
  identities: Object.entries(identityColumns)
    .map(([column, signIn]) => ({ signIn, subject: textOf(row, column).trim() }))
    // A numeric column has 0 for nobody.
    .filter(({ subject }) => subject !== '' && subject !== '0'),
})
