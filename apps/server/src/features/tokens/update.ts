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
  await requireNewGroup(app, caller, patch, token)
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
  for (const token of await getTokens(app.db, caller, ids))
    await requireNewGroup(app, caller, change, token)
  const context = { ownerId: caller.userId, now: nowSeconds(app), setting: undefined }
  await app.db.transaction().execute(async tx => {
    // Locks the topic, so that no token is deleted or moved to another owner between the check and its change.
    await app.changes.notify(tx, 'tokens')
    for (const token of await getTokens(tx, caller, ids))
      await writePatch(tx, token, { id: token.id, ...change }, context)
  })
  return ids.length
}

/** Refuses a group that the caller may not use, unless the token has it already. */
const requireNewGroup = async (
  app: App,
  caller: SignedInUser,
  { group }: Pick<Patch, 'group'>,
  token: rows.TokenRow,
): Promise<void> => {
  if (group !== undefined && group !== token.group) await requireUsableGroup(app, caller, group)
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
  // First, because it locks the topic: changes of many tokens lock it before the rows as well.
  await rows.announceChange(tx, { id: token.id })
  await rows.update(tx, token.id, change)
  await spend.update(tx, token.id, spendChange(patch, token))
  if (patch.status === 1) await requireUsable(tx, ownerId, token.id, now)
}

const rateColumns = (patch: Patch) =>
  Object.fromEntries(
    (['api_rate', ...limitNames] as const)
      .filter(each => patch[each] !== undefined)
      .map(each => [each, patch[each]]),
  )

const spendChange = (patch: Patch, token: rows.TokenRow) => ({
  ...(patch.status !== undefined && { status: patch.status }),
  ...(patch.expired_time !== undefined && { expiresAt: patch.expired_time }),
  ...capChange(patch, token),
})

const capChange = ({ unlimited_quota, remain_quota }: Patch, token: rows.TokenRow) => {
  if (unlimited_quota === true) return { remaining: null }
  const isCapped = unlimited_quota === false || token.cap !== null
  if (isCapped && remain_quota !== undefined) return { remaining: remain_quota }
  return unlimited_quota === false && token.cap === null ? { remaining: 0 } : {}
}

/** Refuses to enable a token that is expired or exhausted; its expiry or cap must change first. */
const requireUsable = async (tx: Database, userId: number, id: number, now: number) => {
  const token = await rows.find(tx, userId, id)
  if (token && tokenStatus(token, now) !== 1)
    throw new Fault('token.still_exhausted', { hint: `\`${token.name}\`` })
}
