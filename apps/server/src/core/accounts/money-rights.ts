import {
  Fault,
  type MoneyRight,
  moneyRightNames,
  moneyRights,
  type OwnUser,
  roles,
} from '@hub/contract'
import { asUser, type UserRow } from '../../db/queries/users.ts'
import { type App, nowSeconds } from '../app.ts'
import type { SignedInUser } from '../implement.ts'

/** A session that proved its user may write money for this long. */
const proofSeconds = 600

/** Every right for a super administrator, and for an administrator those that the settings allow. */
const rightsOf = (app: App, role: number): MoneyRight[] => {
  const { administrators } = app.settings()
  if (role < roles.admin) return []
  return moneyRightNames.filter(right => role >= roles.root || administrators[moneyRights[right]])
}

/** Throws `access.root_needed` without the right, and `access.proof_needed` without a fresh proof. */
export const requireRight = (
  app: App,
  caller: SignedInUser,
  right: MoneyRight,
  detail = '',
): void => {
  if (!rightsOf(app, caller.role).includes(right))
    throw new Fault('access.root_needed', {
      hint: `The setting is \`${moneyRights[right]}\`. ${detail}`.trim(),
    })
  requireRecentProof(app, caller)
}

/** Throws `access.proof_needed` unless the session has proved its user lately. An access token needs no proof. */
export const requireRecentProof = (app: App, { provedAt }: SignedInUser): void => {
  if (provedAt === null) return
  if (nowSeconds(app) - provedAt > proofSeconds) throw new Fault('access.proof_needed')
}

export const asOwnUser = (app: App, row: UserRow): OwnUser => ({
  ...asUser(row),
  money_rights: rightsOf(app, row.role),
})
