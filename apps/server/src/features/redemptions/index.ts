import { contract, Fault, type NewRedemptions, type RedemptionPatch } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import { implement, type SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/redemptions.ts'
import { asRedemption, expiryOf, getRedemption, makeCode, sealCode } from './code.ts'

export const redemptions = implement(contract.redemptions, {
  list: async (app, _caller, input) => {
    const page = await rows.list(app.db, {
      ...input,
      keyHash: input.keyword && app.seal.fingerprint('redemption', input.keyword),
      now: nowSeconds(app),
    })
    return { ...page, data: page.data.map(row => asRedemption(app, row)) }
  },
  get: async (app, _caller, { id }) => asRedemption(app, await getRedemption(app, id)),
  create: (app, caller, input) => makeCodes(app, caller, input),
  update: (app, _caller, patch) => update(app, patch),
  remove: async (app, _caller, { id }) => {
    if (!(await rows.remove(app.db, id, nowSeconds(app)))) throw new Fault('resource.missing')
    return null
  },
})

/** All of them or none: a list that is shorter than what was ordered would be noticed too late. */
const makeCodes = async (
  app: App,
  { userId }: SignedInUser,
  { name, quota, count, expired_time }: z.output<typeof NewRedemptions>,
): Promise<string[]> => {
  const codes = Array.from({ length: count }, makeCode)
  await app.db.transaction().execute(async tx => {
    for (const code of codes) {
      const row = {
        user_id: userId,
        key_hash: app.seal.fingerprint('redemption', code),
        status: 1,
        name,
        quota,
        created_time: nowSeconds(app),
        redeemed_time: 0,
        used_user_id: 0,
        expires_at: expiryOf(expired_time),
        deleted_at: null,
      }
      await rows.insert(tx, row, sealCode(app, code))
    }
  })
  return codes
}

/** A used code tells what was given: nothing of it changes any more. */
const update = async (app: App, patch: z.output<typeof RedemptionPatch>) => {
  const { id, status, status_only } = patch
  const { name, quota, expired_time }: typeof patch = status_only ? { id } : patch
  const change = {
    ...(status !== undefined && { status }),
    ...(name !== undefined && { name }),
    ...(quota !== undefined && { quota }),
    ...(expired_time !== undefined && { expires_at: expiryOf(expired_time) }),
  }
  const row = await getRedemption(app, id)
  if (Object.keys(change).length === 0) return asRedemption(app, row)
  if (!(await rows.update(app.db, id, change))) throw new Fault('redemption.used')
  return asRedemption(app, await getRedemption(app, id))
}
