import type { ImportedUser } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { commonUserFields } from '../sources/common-tables.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { userRules } from '../sources/table-rules.ts'
import { integerOf, textOf } from '../sources/values.ts'

/** One Hub's column, and the sign-in provider here whose subject it holds. */
const identityColumns = {
  github_id_new: 'github',
  wechat_id: 'wechat',
  lark_id: 'lark',
  telegram_id: 'telegram',
} as const

export const readUsers = async (source: SourceDatabase, log: ReadLog): Promise<ImportedUser[]> =>
  (await readRows(source, userRules, log)).map(userOf)

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
