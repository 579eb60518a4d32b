import type { SecurityMutation } from '../mutation.ts'
import { debtsMutations } from './debts.ts'
import { invitationsMutations } from './invitations.ts'
import { leftMutations } from './left.ts'
import { limitsMutations } from './limits.ts'
import { promptsMutations } from './prompts.ts'
import { retriesMutations } from './retries.ts'

/** The claims of docs/ledger.md about charges, limits and rewards. */
export const chargeMutations: readonly SecurityMutation[] = [
  ...leftMutations,
  ...retriesMutations,
  ...invitationsMutations,
  ...debtsMutations,
  ...promptsMutations,
  ...limitsMutations,
]
