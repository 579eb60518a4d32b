import type { ImportedUser } from '../gateway-data.ts'
import { type ReadLog, readRows } from '../sources/checked-rows.ts'
import { commonUserFields, type TokenSettings } from '../sources/common-tables.ts'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { userRules } from '../sources/table-rules.ts'
import { flagOf, integerOf, textOf } from '../sources/values.ts'

/** One API marks a deleted user by this status. */
const deletedStatus = 3

const rules = {
  ...userRules,
  isDeleted: (row: SourceRow) => integerOf(row, 'status') === deletedStatus,
}

export const readUsers = async (source: SourceDatabase, log: ReadLog): Promise<ImportedUser[]> =>
  (await readRows(source, rules, log)).map(userOf)

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
export const tokenSettingsOf = (row: SourceRow): TokenSettings => {
  const isLimited = flagOf(row, 'model_limits_enabled')
  const models = partsOf(textOf(row, isLimited ? 'model_limits' : 'models'))
  return {
    ...{ billingTag: '', models },
    problem:
      keyProblem(row) ??
      (isLimited && models.length === 0 ? 'its list of models is empty' : undefined),
    addresses: partsOf(textOf(row, 'allow_ips') || textOf(row, 'subnet')),
  }
}

/** New API and One API take what follows a hyphen as the number of a channel, and look up a key of any length. */
const keyProblem = (row: SourceRow): string | undefined =>
  textOf(row, 'key').includes('-')
    ? 'its key contains a hyphen, so that it was never found'
    : undefined

const partsOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(each => each.trim())
    .filter(Boolean)
