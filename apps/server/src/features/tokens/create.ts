import { Fault, type NewToken, pickLimits, type Token } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as rows from '../../db/queries/tokens.ts'
import { makeTokenKey, masked, sha256 } from '../../lib/random.ts'
import { asToken, getToken, requireUsableGroup, sealedAt } from './token.ts'

/** Creates a token. Only this reply and `reveal` contain the whole key. */
export const createToken = async (
  app: App,
  caller: SignedInUser,
  input: z.output<typeof NewToken>,
): Promise<Token> => {
  await requireUsableGroup(app, caller, input.group)
  await requireUsableGroup(app, caller, input.backup_group)
  const key = makeTokenKey()
  const now = nowSeconds(app)
  const id = await app.db.transaction().execute(async tx => {
    // Locks the topic, so that parallel creations are counted one after the other.
    const version = await app.changes.notify(tx, 'tokens')
    if ((await rows.countOfUser(tx, caller.userId)) >= app.settings().registration.TokensPerUserMax)
      throw new Fault('token.too_many')
    const token = {
      user_id: caller.userId,
      name: input.name,
      key_hash: sha256(key),
      key_masked: masked(key),
      group: input.group,
      backup_group: input.backup_group,
      setting: JSON.stringify(input.setting),
      api_rate: input.api_rate,
      ...pickLimits(input),
      created_time: now,
      deleted_at: null,
      version,
    }
    const id = await rows.insert(tx, token, id => app.seal.seal('token-key', sealedAt(id), key))
    await spend.create(tx, {
      tokenId: id,
      userId: caller.userId,
      status: 1,
      // One Hub's forms send 0 for a new token that never expires.
      expiresAt: input.expired_time === 0 ? -1 : input.expired_time,
      remaining: input.unlimited_quota ? null : input.remain_quota,
    })
    return id
  })
  return { ...asToken(await getToken(app, caller, id), now), key }
}
