import { accounts } from '../../billing/accounts.ts'
import { openAccount, post } from '../../billing/ledger.ts'
import * as identities from '../../db/queries/identities.ts'
import * as counters from '../../db/queries/imported-counters.ts'
import * as rows from '../../db/queries/users.ts'
import { nameKey } from '../../lib/credentials/name-key.ts'
import { makeInviteCode } from '../../lib/random.ts'
import type { ImportedUser } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

export const writeUsers = async (
  context: ImportContext,
  imported: readonly ImportedUser[],
): Promise<void> => {
  const seen = { names: new Set<string>(), emails: new Set<string>(), codes: new Set<string>() }
  for (const user of imported) {
    const id = await insertUser(context, user, seen)
    context.users.set(user.id, { id, group: user.group })
    await linkIdentities(context, user, id)
    await openImported(context, user, id)
    context.report.carry('users')
  }
  for (const { id, inviterId } of imported) {
    const inviter = context.users.get(inviterId)?.id
    if (inviter === undefined) continue
    await rows.update(context.tx, context.users.get(id)!.id, { inviter_id: inviter })
    await rows.countInvited(context.tx, inviter)
  }
}

type Seen = { names: Set<string>; emails: Set<string>; codes: Set<string> }

const insertUser = (context: ImportContext, user: ImportedUser, seen: Seen): Promise<number> => {
  const { app, tx, report, groups } = context
  const note = (change: string) =>
    report.change('users', { id: user.id, name: user.username }, change)
  for (const each of user.notes ?? []) note(each)
  const key = nameKey(user.username)
  const hasOwnName = isNew(seen.names, key)
  if (!hasOwnName)
    note('another user has this name in other letters; both keep it, and sign in by the exact one')
  const email = user.email.trim().toLowerCase()
  const hasOwnEmail = email === '' || isNew(seen.emails, email)
  if (!hasOwnEmail) note('another user has this e-mail address: it is empty here')
  if (!groups.has(user.group))
    note(`there is no group “${user.group}”: calls are refused until it exists`)
  const code = user.inviteCode
  return rows.insertImported(tx, {
    username: user.username,
    username_key: hasOwnName ? key : null,
    password_hash: user.passwordHash,
    display_name: user.displayName,
    role: user.role,
    status: user.isEnabled ? 1 : 2,
    email: hasOwnEmail ? email : '',
    avatar_url: user.avatarUrl,
    group: user.group,
    aff_code: code !== '' && isNew(seen.codes, code) ? code : makeInviteCode(),
    inviter_id: 0,
    created_time: user.createdAt,
    last_login_time: user.lastSignInAt,
    last_login_ip: user.lastSignInIp,
    access_token_hash: user.accessToken
      ? app.seal.fingerprint('access-token', user.accessToken)
      : null,
    must_change_password: 0,
    deleted_at: null,
  })
}

/** False if the set has the text already. */
const isNew = (set: Set<string>, text: string): boolean => set.size !== set.add(text).size

const linkIdentities = async (
  { tx, report }: ImportContext,
  user: ImportedUser,
  user_id: number,
): Promise<void> => {
  for (const { signIn, subject } of user.identities) {
    const row = { user_id, sign_in: signIn, subject, label: '' }
    if (await identities.insertIfFree(tx, row)) continue
    const change = `another user has the same account at ${signIn}: it is not linked`
    report.change('users', { id: user.id, name: user.username }, change)
  }
}

/** The balance becomes one posting. Used points and requests of the old gateway have no postings here. */
const openImported = async (
  { app, tx, report }: ImportContext,
  user: ImportedUser,
  id: number,
): Promise<void> => {
  const source = `user:${id}`
  await openAccount(app, tx, id, 0, source)
  const { used, requests, balance: amount } = user
  await counters.addUser(tx, id, { used: Math.max(0, used), requests: Math.max(0, requests) })
  if (amount < 0)
    report.change(
      'users',
      { id: user.id, name: user.username },
      `the balance is ${amount} points, and 0 here`,
    )
  if (amount <= 0) return
  await post(app, tx, [{ kind: 'import', source, debit: accounts.grants, credit: id, amount }])
}
