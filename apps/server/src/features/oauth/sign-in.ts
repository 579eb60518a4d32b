import { Fault, OwnUsername, RequiredEmail, type SignInResult } from '@hub/contract'
import { createAccount } from '../../billing/create-account.ts'
import type { App } from '../../core/app.ts'
import { countAddressAttempt } from '../../core/attempt-limits.ts'
import type { HttpContext } from '../../core/implement.ts'
import { checkDomain } from '../../core/sign-in/email-domain.ts'
import { finishSignIn } from '../../core/sign-in/finish-sign-in.ts'
import * as identities from '../../db/queries/identities.ts'
import * as users from '../../db/queries/users.ts'
import { refuseReservedName } from '../../lib/credentials/reserved-names.ts'
import { randomText } from '../../lib/random.ts'
import type { ConfirmedAccount } from './flow.ts'

type Arrival = {
  signIn: string
  /** Part of the name of a new user who has no usable one. */
  providerId: string
  account: ConfirmedAccount
  inviteCode: string
}

/**
 * Signs in the user of the identity. Without one it registers a user, if the site allows it. An account is never found by
 * its name or e-mail address, which a provider may let anybody choose.
 */
export const signInByAccount = async (
  app: App,
  arrival: Arrival,
  context: HttpContext,
): Promise<SignInResult> => {
  const identity = await identities.find(app.db, arrival.signIn, arrival.account.subject)
  const userId = identity?.user_id ?? (await registerUser(app, arrival, context))
  return finishSignIn(app, userId, context)
}

const registerUser = async (
  app: App,
  { signIn, providerId, account, inviteCode }: Arrival,
  context: HttpContext,
): Promise<number> => {
  const { RegisterEnabled, EmailDomainRestrictionEnabled } = app.settings().registration
  if (!RegisterEnabled) throw new Fault('registration.closed')
  await countAddressAttempt(app, 'registrations', context.ip)
  const email = RequiredEmail.safeParse(account.verifiedEmail).data ?? ''
  if (EmailDomainRestrictionEnabled) checkDomain(app, email)
  if (email && (await users.findByEmail(app.db, email))) throw new Fault('oauth.email_taken')
  const inviter = inviteCode ? await users.findByInviteCode(app.db, inviteCode) : undefined
  const username = await chooseUsername(app, account.username, providerId)
  const newAccount = {
    username,
    password_hash: '',
    display_name: (account.displayName || account.label || username).slice(0, 50),
    email,
    avatar_url: /^https:\/\/\S{1,490}$/.test(account.avatarUrl) ? account.avatarUrl : '',
  }
  const { subject, label } = account
  return app.db.transaction().execute(async tx => {
    const id = await createAccount(app, tx, newAccount, inviter, context)
    if (id === undefined) throw new Fault('resource.exists')
    const row = { user_id: id, sign_in: signIn, subject, label: label.slice(0, 100) }
    // Of two first sign-ins of one person at the same time, the other has registered the user.
    if (!(await identities.insertIfFree(tx, row))) throw new Fault('oauth.state')
    return id
  })
}

/** The name at the provider if it may be a name here and is free, else a random one. */
const chooseUsername = async (app: App, suggestion: string, providerId: string) => {
  const name = OwnUsername.safeParse(suggestion).data
  if (name && isAllowed(name) && !(await users.isTaken(app.db, name))) return name
  return `${providerId.slice(0, 20)}_${randomText(6).toLowerCase()}`
}

const isAllowed = (name: string): boolean => {
  try {
    refuseReservedName(name, { byAdministrator: false })
    return true
  } catch {
    return false
  }
}
