import type { SecurityMutation } from '../mutation.ts'
import { banMutations } from './bans.ts'
import { httpMutations } from './http.ts'
import { ledgerMutations } from './ledger.ts'
import { moneyMutations } from './money.ts'
import { secretMutations } from './secrets.ts'
import { signInMutations } from './sign-in.ts'
import { upstreamMutations } from './upstream.ts'

/**
 * A second mutation of each line, written without the first: the slip of a careless colleague at another place that carries
 * the same promise.
 */
export const secondAuthorMutations: readonly SecurityMutation[] = [
  ...banMutations,
  ...httpMutations,
  ...ledgerMutations,
  ...moneyMutations,
  ...secretMutations,
  ...signInMutations,
  ...upstreamMutations,
]
