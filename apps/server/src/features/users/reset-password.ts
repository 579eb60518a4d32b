import { randomBytes } from 'node:crypto'
import { Fault } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import * as audit from '../../db/queries/audit.ts'
import * as users from '../../db/queries/users.ts'
import { hashPassword } from '../../lib/credentials/password.ts'

/** 96 random bits, short enough to be copied by hand. */
export const makePassword = (): string => randomBytes(12).toString('base64url')

/**
 * Gives a user a random password, which must be changed at the next sign-in, and ends their sessions and access token.
 * Needs no running app, so that an operator without any password can use it.
 */
export const resetPassword = async (
  db: Database,
  username: string,
  nowSeconds: number,
): Promise<string> => {
  const user = await users.findByUsername(db, username)
  if (!user) throw new Fault('resource.missing', { hint: `There is no user \`${username}\`.` })
  const password = makePassword()
  const passwordHash = await hashPassword(password)
  await db
    .transaction()
    .execute(tx => users.setPassword(tx, user.id, passwordHash, { mustChange: true }))
  await audit.append(db, {
    at: nowSeconds,
    actor_id: 0,
    actor_name: 'npm run reset-password',
    action: 'users.resetPassword',
    target: user.username,
    input: '{}',
    outcome: '',
    source_ip: '',
    request_id: '',
  })
  return password
}
