/**
 * System accounts: revenue from callers, grants of quota, clearing of payments, and shortfall (cost that no balance
 * covered). Their ids are negative, user ids are positive. They have no rows and no stored balances.
 */
export { systemAccounts as accounts } from '../db/operations.ts'

/**
 * The kind of a transfer between users and system accounts. Kind and source are unique together. The ledger writer posts
 * the kinds `request` and `late`.
 *
 * | Kind | Source | Meaning |
 * |---|---|---|
 * | `grant` | `user:<id>` | first quota of a new account |
 * | `invitee` | `user:<id>` | reward of the invited user |
 * | `inviter` | `user:<id>`, later `user:<id>:<n>` | reward for inviting this user, or its return |
 * | `redemption` | `redemption:<id>` | quota of a redeemed code |
 * | `import` | `user:<id>` | balance at the gateway that the user was imported from |
 * | `admin` | `admin:<request>` | change by an administrator |
 * | `order` | `order:<id>` | quota of a paid order |
 * | `debt` | `order:<id>:<n>` | debt of the order, paid by a later top-up |
 * | `refund` | `order:<id>:<n>` | points taken back by a refund or dispute, or given back after it |
 */
export type TransferKind =
  | 'grant'
  | 'invitee'
  | 'inviter'
  | 'redemption'
  | 'import'
  | 'admin'
  | 'order'
  | 'refund'
  | 'debt'
