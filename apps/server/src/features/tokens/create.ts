import {
  Fault,
  NewToken,
  type NewTokens,
  pickLimits,
  playgroundTokenName,
  type Token,
} from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as rows from '../../db/queries/tokens.ts'
import { makeTokenKey, masked, sha256 } from '../../lib/random.ts'
import { asToken, getTokens, requireUsableGroup, sealedAt, settingColumns } from './token.ts'

type Input = z.output<typeof NewToken>

/** Creates a token. Only this response and `reveal` contain the whole key. */
export const createToken = async (app: App, caller: SignedInUser, input: Input): Promise<Token> =>
  required((await createAll(app, caller, input, [input.name]))[0])

/** Bounds the rows that one account adds by deleting its tokens and creating new ones. */
const batchesMax = 100
const batchSeconds = 3600

/** Creates all of the tokens or none. Several are numbered at the end of their names. */
export const createTokens = async (
  app: App,
  caller: SignedInUser,
  { count, ...input }: z.output<typeof NewTokens>,
): Promise<Token[]> => {
  if (count === 1) return createAll(app, caller, input, [input.name])
  const limit = await app.state.count(`token-batch:${caller.userId}`, batchSeconds, batchesMax)
  if (!limit.ok) throw new Fault('rate.api', { retryAfterSeconds: limit.retryAfterSeconds })
  const names = Array.from({ length: count }, (_, n) => `${input.name}-${n + 1}`)
  return createAll(app, caller, input, names)
}

const createAll = async (
  app: App,
  caller: SignedInUser,
  input: Input,
  names: readonly string[],
): Promise<Token[]> => {
  await requireUsableGroup(app, caller, input.group)
  await requireUsableGroup(app, caller, input.backup_group)
  const setting = await settingColumns(app, caller, input.setting)
  const newTokens = names.map(name => ({ input: { ...input, name }, setting, key: makeTokenKey() }))
  const ids = await app.db.transaction().execute(async tx => {
    const version = await reserveTokens(app, tx, caller, names.length)
    const ids: number[] = []
    for (const token of newTokens)
      ids.push(await insertToken(app, tx, caller, { ...token, version }))
    return ids
  })
  const stored = await getTokens(app.db, caller, ids)
  const now = nowSeconds(app)
  return newTokens.map(({ key }, n) => ({ ...asToken(required(stored[n]), now, caller), key }))
}

/** Returns the caller's token of the playground; creates it on demand, without limits of its own. */
export const ensurePlaygroundToken = async (app: App, caller: SignedInUser): Promise<number> => {
  const name = playgroundTokenName
  const stored = await rows.findByName(app.db, caller.userId, name)
  if (stored) return stored.id
  const input = NewToken.parse({ name })
  const setting = await settingColumns(app, caller, input.setting)
  return app.db.transaction().execute(async tx => {
    // Locks the topic, so that of parallel calls only the first finds no token.
    await app.changes.notify(tx, 'tokens')
    const made = await rows.findByName(tx, caller.userId, name)
    if (made) return made.id
    const version = await reserveTokens(app, tx, caller, 1)
    return insertToken(app, tx, caller, { input, setting, key: makeTokenKey(), version })
  })
}

/** Refuses tokens above the limit of an account. Returns the version of the topic for the rows of the new ones. */
const reserveTokens = async (
  app: App,
  tx: Database,
  { userId }: SignedInUser,
  count: number,
): Promise<number> => {
  // Locks the topic, so that parallel creations are counted one after the other.
  const version = await app.changes.notify(tx, 'tokens')
  const { TokensPerUserMax } = app.settings().registration
  if ((await rows.countOfUser(tx, userId)) + count > TokensPerUserMax)
    throw new Fault('token.too_many')
  return version
}

type NewTokenRow = {
  input: Input
  setting: Awaited<ReturnType<typeof settingColumns>>
  key: string
  version: number
}

const insertToken = async (
  app: App,
  tx: Database,
  { userId }: SignedInUser,
  { input, setting, key, version }: NewTokenRow,
): Promise<number> => {
  const token = {
    user_id: userId,
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
    created_time: nowSeconds(app),
    deleted_at: null,
    version,
  }
  const id = await rows.insert(tx, token, id => app.seal.seal('token-key', sealedAt(id), key))
  await spend.create(tx, {
    tokenId: id,
    userId,
    status: 1,
    // One Hub's forms send 0 for a new token that never expires.
    expiresAt: input.expired_time === 0 ? -1 : input.expired_time,
    remaining: input.unlimited_quota ? null : input.remain_quota,
  })
  return id
}
