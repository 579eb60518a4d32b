import { Fault, type SignIn, type User } from '@hub/contract'
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import { countAttempt } from '../../core/attempts.ts'
import type { Visit } from '../../core/implement.ts'
import * as users from '../../db/queries/users.ts'
import { hashPassword, verifyNothing, verifyPassword } from '../../lib/password.ts'

/** An unknown name, a wrong password and a disabled account get one answer, after the same work. */
export const login = async (
  app: App,
  { username, password }: z.output<typeof SignIn>,
  visit: Visit,
): Promise<User> => {
  const succeeded = await countAttempt(app, `name:${username.toLowerCase()}`)

  const user =
    (await users.findByUsername(app.db, username)) ?? (await users.findByEmail(app.db, username))
  if (!user) {
    await verifyNothing(password)
    throw new Fault('sign-in.refused')
  }
  const verdict = await verifyPassword(password, user.password_hash)
  if (verdict === 'wrong' || user.status !== 1) throw new Fault('sign-in.refused')

  await users.update(app.db, user.id, {
    last_login_time: Math.floor(app.now() / 1000),
    last_login_ip: visit.ip,
    ...(verdict === 'stale' && { password_hash: await hashPassword(password) }),
  })
  await succeeded()
  await visit.startSession(user.id)
  return users.asUser((await users.find(app.db, user.id)) ?? user)
}
