import { Fault, type Identity } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { HttpContext, SignedInUser } from '../../core/implement.ts'
import { isInEffect } from '../../core/secrets/setting-secrets.ts'
import { customProviderRows, customSignIn } from '../../core/sign-in/custom-providers.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as identities from '../../db/queries/identities.ts'
import * as signInWays from '../../db/queries/sign-in-ways.ts'
import * as users from '../../db/queries/users.ts'
import { signInProviders } from '../../integrations/sign-in/index.ts'
import type { ConfirmedAccount } from './flow.ts'

/** Binds the account to the user. Throws `oauth.bound` if another user has it. */
export const bindAccount = async (
  app: App,
  userId: number,
  { signIn, account }: { signIn: string; account: ConfirmedAccount },
  context: HttpContext,
): Promise<void> => {
  const { subject, label } = account
  await app.db.transaction().execute(async tx => {
    const user = required(await users.find(tx, userId))
    const row = { user_id: userId, sign_in: signIn, subject, label: label.slice(0, 100) }
    if (!(await identities.insertIfFree(tx, row))) {
      const owner = await identities.find(tx, signIn, subject)
      if (owner?.user_id === userId) return
      throw new Fault(owner ? 'oauth.bound' : 'oauth.bound_other')
    }
    await notifyOwner(app, tx, user, 'identity-added', context)
  })
}

/** Removes the account of a provider. Throws `sign_in.last_way` if no other way to sign in is left. */
export const unbindAccount = async (
  app: App,
  userId: number,
  type: string,
  context: HttpContext,
): Promise<void> => {
  const signIn = await signInOf(app, type)
  await app.db.transaction().execute(async tx => {
    await users.lock(tx, userId)
    const user = required(await users.find(tx, userId))
    if (!(await identities.remove(tx, userId, signIn))) throw new Fault('oauth.not_bound')
    if ((await signInWays.count(tx, userId)) === 0) throw new Fault('sign_in.last_way')
    await notifyOwner(app, tx, user, 'identity-removed', context)
  })
}

const signInOf = async (app: App, type: string): Promise<string> => {
  const row = (await customProviderRows(app).get()).find(each => each.slug === type)
  return row ? customSignIn(row.id) : type
}

/** The providers that are switched on, and those with which the user has an account. */
export const listIdentities = async (app: App, { userId }: SignedInUser): Promise<Identity[]> => {
  const bound = new Map(
    (await identities.listOfUser(app.db, userId)).map(row => [row.sign_in, row]),
  )
  const describe = (type: string, signIn: string, name: string, enabled: boolean): Identity => {
    const identity = bound.get(signIn)
    const label = identity ? identity.label || subjectText(identity.subject) : ''
    return { type, name, label, bound: identity !== undefined, enabled }
  }
  const builtIn = signInProviders.map(({ id, name, settings }) =>
    describe(id, id, name, settings !== undefined && isInEffect(app, settings.enabled)),
  )
  const custom = (await customProviderRows(app).get()).map(row =>
    describe(row.slug, customSignIn(row.id), row.name, row.enabled === 1),
  )
  return [...builtIn, ...custom].filter(each => each.bound || each.enabled)
}

/** Without the authority that may precede it. */
const subjectText = (subject: string) => subject.slice(subject.indexOf(' ') + 1)
