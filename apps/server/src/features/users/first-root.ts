import { Fault, roles } from '@hub/contract'
import { openAccount } from '../../billing/ledger.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Database } from '../../db/index.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as tokens from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { isCommonPassword } from '../../lib/credentials/common-passwords.ts'
import { hashPassword } from '../../lib/credentials/password.ts'
import { makeInviteCode, masked, sha256 } from '../../lib/random.ts'
import { makePassword } from './reset-password.ts'

const firstQuota = 100_000_000

/**
 * Creates the super administrator in an empty database. A generated password is announced before the commit, so that
 * no start that fails or is killed later can leave an account whose password nobody saw.
 */
export const makeFirstRoot = async (
  app: App,
  announce: (password: string) => void,
): Promise<void> => {
  if (await users.hasAny(app.db)) return
  const { initialRootPassword, initialRootToken, initialRootAccessToken } = app.env
  if (initialRootPassword && isCommonPassword(initialRootPassword))
    throw new Fault('env.invalid', { hint: 'INITIAL_ROOT_PASSWORD is too common. Choose another.' })
  const password = initialRootPassword ?? makePassword()
  const password_hash = await hashPassword(password)
  await app.db.transaction().execute(async tx => {
    const id = await users.insertIfFree(tx, {
      username: 'root',
      password_hash,
      display_name: 'Root User',
      role: roles.root,
      status: 1,
      email: '',
      avatar_url: '',
      group: 'default',
      aff_code: makeInviteCode(),
      inviter_id: 0,
      created_time: nowSeconds(app),
      last_login_time: 0,
      last_login_ip: '',
      access_token_hash: initialRootAccessToken
        ? app.seal.fingerprint('access-token', initialRootAccessToken)
        : null,
      must_change_password: initialRootPassword ? 0 : 1,
      deleted_at: null,
    })
    // A node that started at the same moment was first.
    if (id === undefined) return
    if (initialRootToken) await giveToken(app, tx, id, initialRootToken)
    await openAccount(app, tx, id, firstQuota, `user:${id}`)
    if (!initialRootPassword) announce(password)
  })
}

const giveToken = async (app: App, tx: Database, userId: number, key: string) => {
  const token = {
    user_id: userId,
    name: 'initial',
    key_hash: sha256(key),
    key_masked: masked(key),
    group: '',
    setting: '{}',
    created_time: nowSeconds(app),
    deleted_at: null,
    version: await app.changes.notify(tx, 'tokens'),
  }
  const tokenId = await tokens.insert(tx, token, id =>
    app.seal.seal('token-key', `tokens.key_sealed:${id}`, key),
  )
  await spend.create(tx, { tokenId, userId, status: 1, expiresAt: -1, remaining: null })
}
