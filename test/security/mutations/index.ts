import { accessMutations } from './access.ts'
import { botCheckMutations } from './bot-check.ts'
import { browserMutations } from './browser.ts'
import { callerMutations } from './caller.ts'
import { chargeMutations } from './charges/index.ts'
import { fieldMutations } from './fields.ts'
import { httpMutations } from './http.ts'
import { leakMutations } from './leak.ts'
import { ledgerMutations } from './ledger.ts'
import { moneyMutations } from './money.ts'
import { moneyWriteMutations } from './money-writes.ts'
import type { SecurityMutation } from './mutation.ts'
import { passkeyMutations } from './passkey.ts'
import { passwordMutations } from './password.ts'
import { paymentMutations } from './payment.ts'
import { priceFieldMutations } from './price-fields.ts'
import { removedAccountMutations } from './removed-account.ts'
import { secondAuthorMutations } from './second-author/index.ts'
import { secretMutations } from './secret.ts'
import { sessionMutations } from './session.ts'
import { thirdPartyMutations } from './sign-in/third-party.ts'
import { storedObjectMutations } from './stored-objects.ts'
import { upstreamMutations } from './upstream.ts'

export type { SecurityMutation } from './mutation.ts'

/** At least one for each line of `docs/security.md`, and of the guards in `docs/ledger.md`, that cites a test. */
export const securityMutations: readonly SecurityMutation[] = [
  ...accessMutations,
  ...fieldMutations,
  ...sessionMutations,
  ...passwordMutations,
  ...passkeyMutations,
  ...botCheckMutations,
  ...thirdPartyMutations,
  ...secretMutations,
  ...leakMutations,
  ...removedAccountMutations,
  ...ledgerMutations,
  ...moneyMutations,
  ...moneyWriteMutations,
  ...priceFieldMutations,
  ...paymentMutations,
  ...httpMutations,
  ...browserMutations,
  ...storedObjectMutations,
  ...upstreamMutations,
  ...callerMutations,
  ...chargeMutations,
  ...secondAuthorMutations,
]

/** Lines that cite a test and have no guard that could be taken out of a source, with the reason. */
export const linesWithoutGuard: Readonly<Record<string, string>> = {}
