import { contract, Fault, type Passkey } from '@hub/contract'
import type { Insertable } from 'kysely'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import { type HttpContext, implement } from '../../core/implement.ts'
import { finishSignIn } from '../../core/sign-in/finish-sign-in.ts'
import { requireFreshProof } from '../../core/sign-in/fresh-proof.ts'
import { issueToken } from '../../core/sign-in/one-time-codes.ts'
import {
  makeRegistrationOptions,
  makeRequestOptions,
  requireSameSession,
  verifyAnswer,
  verifyRegistration,
} from '../../core/sign-in/passkeys.ts'
import { notifyOwner } from '../../core/sign-in/send-email.ts'
import * as passkeyRows from '../../db/queries/passkeys.ts'
import * as signInWays from '../../db/queries/sign-in-ways.ts'
import * as users from '../../db/queries/users.ts'
import type { PasskeysTable } from '../../db/tables/sign-in.ts'

const passkeysPerUser = 20
const proofSeconds = 300

export const passkeys = implement(contract.passkeys, {
  list: async (app, { userId }) => (await passkeyRows.listOfUser(app.db, userId)).map(asPasskey),

  rename: async (app, { userId }, { id, name }) => {
    if (!(await passkeyRows.rename(app.db, { id, userId, name })))
      throw new Fault('resource.missing')
    return null
  },

  remove: async (app, { userId }, { id, ...proof }, context) => {
    const user = required(await users.find(app.db, userId))
    const rows = await passkeyRows.listOfUser(app.db, userId)
    if (!rows.some(row => row.id === id)) throw new Fault('resource.missing')
    await requireFreshProof(app, context, user, proof)
    await app.db.transaction().execute(async tx => {
      await users.lock(tx, userId)
      if (!(await passkeyRows.remove(tx, id, userId))) throw new Fault('resource.missing')
      if ((await signInWays.count(tx, userId)) === 0) throw new Fault('sign_in.last_way')
      await notifyOwner(app, tx, user, 'passkey-removed', context)
    })
    return null
  },

  beginRegistration: async (app, { userId }, proof, context) => {
    const user = required(await users.find(app.db, userId))
    await requireFreshProof(app, context, user, proof)
    return makeRegistrationOptions(app, user, context.sessionHash())
  },

  finishRegistration: async (app, { userId }, { name, credential }, context) => {
    const user = required(await users.find(app.db, userId))
    const verified = await verifyRegistration(app, sessionOf(userId, context), credential)
    const row = {
      ...verified,
      ...{ user_id: userId, name, created_time: nowSeconds(app), last_used_time: 0 },
    }
    return app.db.transaction().execute(async tx => {
      await users.lock(tx, userId)
      if ((await passkeyRows.listOfUser(tx, userId)).length >= passkeysPerUser)
        throw new Fault('passkey.limit')
      const id = await passkeyRows.insertIfFree(tx, row)
      if (id === undefined) throw new Fault('passkey.exists')
      await notifyOwner(app, tx, user, 'passkey-added', context)
      return asPasskey({ ...row, id })
    })
  },

  beginLogin: app => makeRequestOptions(app, 'passkey-login', {}),

  finishLogin: async (app, _caller, { credential }, context) => {
    const { userId, isUserVerified } = await verifyAnswer(app, 'passkey-login', credential)
    return finishSignIn(app, userId, context, { isUserVerified })
  },

  beginVerification: async (app, { userId }, { action }, context) => {
    const rows = await passkeyRows.listOfUser(app.db, userId)
    if (rows.length === 0) throw new Fault('resource.missing')
    const payload = { ...sessionOf(userId, context), action }
    return makeRequestOptions(app, 'passkey-verify', payload, rows)
  },

  finishVerification: (app, { userId }, { credential }, context) =>
    makeProof(app, sessionOf(userId, context), credential),
})

const sessionOf = (userId: number, context: HttpContext) => ({
  userId,
  session: context.sessionHash(),
})

const makeProof = async (
  app: App,
  caller: { userId: number; session: string },
  credential: Parameters<typeof verifyAnswer>[2],
) => {
  const { userId, isUserVerified, payload } = await verifyAnswer(app, 'passkey-verify', credential)
  requireSameSession(payload, caller)
  if (userId !== caller.userId) throw new Fault('passkey.refused')
  const proof = { ...caller, action: payload.action, isUserVerified }
  return {
    passkey_proof: await issueToken(app, app.db, 'passkey-proof', proof, proofSeconds),
    user_verified: isUserVerified,
  }
}

const asPasskey = (row: Insertable<PasskeysTable> & { id: number }): Passkey => ({
  id: row.id,
  name: row.name,
  backed_up: row.backed_up === 1,
  created_time: row.created_time,
  last_used_time: row.last_used_time,
})
