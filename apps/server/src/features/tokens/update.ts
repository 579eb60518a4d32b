import { Fault, limitNames, type Token, type TokenPatch, type TokensPatch } from '@hub/contract'
import type { z } from 'zod'
import { tokenStatus } from '../../billing/token-limits.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { definedOnly } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as spend from '../../db/queries/token-spend.ts'
import * as rows from '../../db/queries/tokens.ts'
import {
  asToken,
  getToken,
  getTokens,
  inOrder,
  requireUsableGroup,
  settingColumns,
} from './token.ts'

type Patch = z.output<typeof TokenPatch>

/** Changes the fields that the body contains; with `status_only` only the status, as the switch of One Hub's list needs. */
export const updateToken = async (app: App, caller: SignedInUser, input: Patch): Promise<Token> => {
  const token = await getToken(app, caller, input.id)
  const patch: Patch = input.status_only ? { id: input.id, status: input.status } : input
  if (patch.group !== undefined && patch.group !== token.group)
    await requireUsableGroup(app, caller, patch.group)
  if (patch.backup_group !== undefined && patch.backup_group !== (token.backup_group ?? ''))
    await requireUsableGroup(app, caller, patch.backup_group)
  const now = nowSeconds(app)
  const ownerId = caller.userId
  const setting = patch.setting && (await settingColumns(app, caller, patch.setting, token))
  await app.db.transaction().execute(tx => writePatch(tx, token, patch, { ownerId, now, setting }))
  return asToken(await getToken(app, caller, token.id), now, caller)
}

/** Changes the same fields in all of the tokens, or in none. Returns the number of tokens. */
export const updateTokens = async (
  app: App,
  caller: SignedInUser,
  { ids: named, ...change }: z.output<typeof TokensPatch>,
): Promise<number> => {
  const ids = inOrder(named)
  const { group } = change
  const stored = await getTokens(app.db, caller, ids)
  if (group !== undefined && stored.some(token => token.group !== group))
    await requireUsableGroup(app, caller, group)
  await app.db.transaction().execute(async tx => {
    await rows.announceChange(tx, { ids })
    // Checks again: a token may have been deleted or moved to another owner before the topic was locked.
    const tokens = await getTokens(tx, caller, ids)
    await rows.update(tx, ids, definedOnly({ group }))
    for (const token of tokens) await spend.update(tx, token.id, spendChange(change, token))
    if (change.status === 1) await requireUsable(tx, caller.userId, ids, nowSeconds(app))
  })
  return ids.length
}

type PatchContext = {
  ownerId: number
  now: number
  setting: Awaited<ReturnType<typeof settingColumns>> | undefined
}

/** Writes the checked fields of a patch. */
export const writePatch = async (
  tx: Database,
  token: rows.TokenRow,
  patch: Omit<Patch, 'status_only'>,
  { ownerId, now, setting }: PatchContext,
): Promise<void> => {
  const { name, group, backup_group } = patch
  const chat_cache = patch.chat_cache === undefined ? undefined : Number(patch.chat_cache)
  const change = definedOnly({
    name,
    group,
    backup_group,
    chat_cache,
    ...setting,
    ...rateColumns(patch),
  })
  await rows.announceChange(tx, { ids: [token.id] })
  await rows.update(tx, [token.id], change)
  await spend.update(tx, token.id, spendChange(patch, token))
  if (patch.status === 1) await requireUsable(tx, ownerId, [token.id], now)
}

const rateColumns = (patch: Patch) =>
  Object.fromEntries(
    (['api_rate', ...limitNames] as const)
      .filter(each => patch[each] !== undefined)
      .map(each => [each, patch[each]]),
  )

type SpendPatch = Pick<Patch, 'status' | 'expired_time' | 'unlimited_quota' | 'remain_quota'>

const spendChange = (patch: SpendPatch, token: rows.TokenRow) => ({
  ...(patch.status !== undefined && { status: patch.status }),
  ...(patch.expired_time !== undefined && { expiresAt: patch.expired_time }),
  ...capChange(patch, token),
})

const capChange = ({ unlimited_quota, remain_quota }: SpendPatch, token: rows.TokenRow) => {
  if (unlimited_quota === true) return { remaining: null }
  const isCapped = unlimited_quota === false || token.cap !== null
  if (isCapped && remain_quota !== undefined) return { remaining: remain_quota }
  return unlimited_quota === false && token.cap === null ? { remaining: 0 } : {}
}

/** Refuses to enable a token that is expired or exhausted; its expiry or cap must change first. */
const requireUsable = async (
  tx: Database,
  userId: number,
  ids: readonly number[],
  now: number,
): Promise<void> => {
  const tokens = await rows.listByIds(tx, userId, ids)
  const unusable = tokens.find(token => tokenStatus(token, now) !== 1)
  if (unusable) throw new Fault('token.still_exhausted', { hint: `\`${unusable.name}\`` })
}
