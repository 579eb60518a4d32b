import { createHash } from 'node:crypto'
import { createAccount } from '../../apps/server/src/billing/create-account.ts'
import type { Caller } from '../../apps/server/src/core/call.ts'
import type { HttpContext } from '../../apps/server/src/core/implement.ts'
import * as users from '../../apps/server/src/db/queries/users.ts'
import { hashPassword } from '../../apps/server/src/lib/credentials/password.ts'
import { tokenCache } from '../../apps/server/src/relay/auth/token-cache.ts'
import type { DemoPerson } from '../world/person.ts'
import type { FillHub } from './hub.ts'

export type Account = DemoPerson & {
  id: number
  password: string
  ip: string
  keys: readonly string[]
  callers: readonly Caller[]
  /** Points that were credited and charged so far. */
  balance: number
  /** The last prompt of each session and model. */
  lastPrompts: Map<string, { at: number; tokens: number }>
}

/** Addresses that are reserved for documentation. */
export const addressOf = (n: number): string => `203.0.113.${20 + (n % 200)}`

/** All people of the demo have one password, so that it is hashed once. */
export const makeAccounts = async (hub: FillHub, password: string) => {
  const hash = await hashPassword(password)
  const byName = new Map<string, Account>()

  const join = async (person: DemoPerson): Promise<Account> => {
    const { app } = hub
    const { username, name, mail, group } = person
    const inviter = person.invitedBy ? byName.get(person.invitedBy) : undefined
    const ip = addressOf(byName.size)
    const id = await app.db.transaction().execute(tx =>
      createAccount(
        app,
        tx,
        {
          username,
          password_hash: hash,
          display_name: name,
          email: `${username}@${mail}`,
          avatar_url: '',
        },
        inviter,
        { ip } as HttpContext,
      ),
    )
    if (id === undefined) throw new Error(`the name ${username} is taken`)
    if (group !== 'default') await users.update(app.db, id, { group })
    return addKeys({ ...person, id, password, ip })
  }

  /** An account that exists. */
  const adopt = async (person: DemoPerson, ownPassword: string): Promise<Account> => {
    const row = await users.findByUsername(hub.app.db, person.username)
    if (!row) throw new Error(`there is no ${person.username}`)
    return addKeys({ ...person, id: row.id, password: ownPassword, ip: addressOf(byName.size) })
  }

  const addKeys = async (
    person: DemoPerson & { id: number; password: string; ip: string },
  ): Promise<Account> => {
    const { app } = hub
    const cookie = await hub.signIn(person.username, person.password, person.ip)
    const keys: string[] = []
    const callers: Caller[] = []
    for (const tokenName of person.keys) {
      const made = { name: tokenName, unlimited_quota: true }
      const { key } = await hub.apiAs<{ key: string }>(cookie, 'POST', '/api/token/', made)
      keys.push(key)
      callers.push((await tokenCache(app).find(key))!.caller)
    }
    const account = { ...person, keys, callers, balance: 0, lastPrompts: new Map() }
    byName.set(person.username, account)
    return account
  }
  return { join, adopt }
}

/** A session of a coding agent, in the form that Claude Code names it. */
export const sessionOf = (username: string, slot: number): string => {
  const digits = createHash('sha256').update(`${username} ${slot}`).digest('hex')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
