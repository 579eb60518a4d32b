/**
 * Accounts of the house: what callers pay (revenue), where given quota comes from (grants), what came in by payments
 * (clearing), what could not be taken (shortfall). Users are positive; these have no rows and no stored balances.
 */
export { systemAccounts as accounts } from '../db/operations.ts'

/**
 * What a transfer of people is for. Together with its source it is unique; the batch posts `request` and `late`.
 *
 * | Kind | Source | Is |
 * |---|---|---|
 * | `grant` | `user:<id>` | what a new account begins with |
 * | `invitee` | `user:<id>` | what this user got for coming by an invitation |
 * | `inviter` | `user:<id>` | what somebody got for inviting this user |
 * | `redemption` | `redemption:<id>` | what a code was worth |
 * | `admin` | `admin:<request>` | a change by an administrator |
 */
export type TransferKind = 'grant' | 'invitee' | 'inviter' | 'redemption' | 'admin'
