import { Fault, NewToken, pickLimits, playgroundTokenName, type Token } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as rows from '../../db/queries/tokens.ts'
import { makeTokenKey, masked, sha256 } from '../../lib/random.ts'
import { asToken, getToken, requireUsableGroup, sealedAt, settingColumns } from './token.ts'

type Input = z.output<typeof NewToken>

/** Creates a token. Only this reply and `reveal` contain the whole key. */
export const createToken = async (app: App, caller: SignedInUser, input: Input): Promise<Token> => {
  await requireUsableGroup(app, caller, input.group)
  await requireUsableGroup(app, caller, input.backup_group)
  const key = makeTokenKey()
  const id = await insertToken(app, caller, { input, key })
  return { ...asToken(await getToken(app, caller, id), nowSeconds(app), caller), key }
}

/** Returns the caller's token of the playground; creates it on demand, without limits of its own. */
export const ensurePlaygroundToken = async (app: App, caller: SignedInUser): Promise<number> => {
  const name = playgroundTokenName
  const stored = await rows.findByName(app.db, caller.userId, name)
  if (stored) return stored.id
  return insertToken(app, caller, {
    input: NewToken.parse({ name }),
    key: makeTokenKey(),
    unlessNamed: true,
  })
}

type NewTokenRow = {
  input: Input
  key: string
  /** Returns a token of this name instead, if the caller has one. */
  unlessNamed?: boolean
}

const insertToken = async (
  app: App,
  caller: SignedInUser,
  { input, key, unlessNamed }: NewTokenRow,
): Promise<number> => {
  const setting = await settingColumns(app, caller, input.setting)
  return app.db.transaction().execute(async tx => {
    const now = nowSeconds(app)
    // Locks the topic, so that parallel creations are counted one after the other.
    const version = await app.changes.notify(tx, 'tokens')
    const stored = unlessNamed && (await rows.findByName(tx, caller.userId, input.name))
    if (stored) return stored.id
    if ((await rows.countOfUser(tx, caller.userId)) >= app.settings().registration.TokensPerUserMax)
      throw new Fault('token.too_many')
    const token = {
      user_id: caller.userId,
      name: input.name,
      key_hash: sha256(key),
      key_masked: masked(key),
      group: input.group,
      backup_group: input.backup_group,
      chat_cache: Number(input.chat_cache),
      billing_tag: null,
      ...setting,
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
}
