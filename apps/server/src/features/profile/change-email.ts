import { Fault, type OwnUser } from '@hub/contract'
import { asOwnUser } from '../../core/accounts/money-rights.ts'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import { redeemCode } from '../../core/sign-in/one-time-codes.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as users from '../../db/queries/users.ts'

type EmailChange = {
  email: string
  verification_code: string
  current_password?: string | undefined
  code?: string | undefined
  passkey_proof?: string | undefined
}

/** Sets the address to which a code was sent, and tells the one before it. */
export const changeEmail = async (
  app: App,
  { userId }: SignedInUser,
  { email, verification_code, ...proof }: EmailChange,
  context: HttpContext,
): Promise<OwnUser> => {
  const user = required(await users.find(app.db, userId))
  await requireFreshProof(app, context, user, proof)
  if (!(await redeemCode(app, app.db, 'verify-email', email, verification_code)))
    throw new Fault('mail.code_wrong')
  await app.db.transaction().execute(async tx => {
    // An account got the address after the code was sent.
    if ((await users.findByEmail(tx, email)) !== undefined) throw new Fault('mail.code_wrong')
    await users.update(tx, userId, { email })
    await notifyOwner(app, tx, user, 'email', context)
  })
  return asOwnUser(app, required(await users.find(app.db, userId)))
}
