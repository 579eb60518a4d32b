import type { ImportedUser, Skipped } from '../gateway-data.ts'
import { commonUserFields, type TokenSettings } from '../sources/common-tables.ts'
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

const userOf = (row: SourceRow): ImportedUser => ({
  ...commonUserFields(row),
  avatarUrl: '',
  // Rewards that the user has not moved to the balance yet are the user's too.
  balance: integerOf(row, 'quota') + integerOf(row, 'aff_quota'),
  lastSignInAt: 0,
  lastSignInIp: '',
  // Names at GitHub are given to others again, and a subject of OpenID Connect is nothing without its issuer.
  identities: [
    { signIn: 'wechat', subject: textOf(row, 'wechat_id').trim() },
    { signIn: 'lark', subject: textOf(row, 'lark_id').trim() },
  ].filter(({ subject }) => subject !== ''),
})

/** New API and One API have different columns for models and addresses. */
export const tokenSettingsOf = (row: SourceRow): TokenSettings => ({
  billingTag: '',
  models: partsOf(
    flagOf(row, 'model_limits_enabled') ? textOf(row, 'model_limits') : textOf(row, 'models'),
  ),
  addresses: partsOf(textOf(row, 'allow_ips') || textOf(row, 'subnet')),
})

const partsOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(each => each.trim())
    .filter(Boolean)
