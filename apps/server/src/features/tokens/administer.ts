import { type AdminTokenPatch, Fault, type OwnedToken, roles } from '@hub/contract'
import type { z } from 'zod'
import { getManageableUser } from '../../core/accounts/rank.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { required } from '../../core/crud.ts'
import type { ReadAuditedRows, SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/tokens.ts'
import * as users from '../../db/queries/users.ts'
import { removeTokens } from './remove.ts'
import { asToken, requireUsableGroup, settingColumns } from './token.ts'
import { writePatch } from './update.ts'

export const asOwnedToken = (row: rows.OwnedTokenRow, nowSeconds: number): OwnedToken => ({
  ...asToken(row, nowSeconds, { role: roles.admin }),
  owner_name: row.display_name || row.username,
})

/** A token with its cap in place of the counters, which its calls change at any time. */
export const auditedTokens: ReadAuditedRows = async (app, _caller, { ids: [id] }) => {
  const row = id === undefined ? undefined : await rows.findOfAnyone(app.db, id)
  if (!row) return {}
  const { used_quota, remain_quota, accessed_time, ...token } = asOwnedToken(row, nowSeconds(app))
  return { [row.id]: { ...token, cap: row.cap } }
}

/** A token whose owner the caller may manage. */
const getManageableToken = async (app: App, caller: SignedInUser, id: number) => {
  const token = required(await rows.findOfAnyone(app.db, id))
  await getManageableUser(app, caller, token.user_id)
  return token
}

/** Changes a token of a user, and moves it to another one if the patch names one. Both must be manageable. */
export const updateTokenOfUser = async (
  app: App,
  caller: SignedInUser,
  { user_id, ...patch }: z.output<typeof AdminTokenPatch>,
): Promise<OwnedToken> => {
  const token = await getManageableToken(app, caller, patch.id)
  const ownerId = user_id ?? token.user_id
  const owner = await getManageableUser(app, caller, ownerId)
  const isMoved = ownerId !== token.user_id
  const { group = token.group, backup_group = token.backup_group ?? '' } = patch
  if (isMoved || group !== token.group) await requireUsableGroup(app, owner, group)
  if (isMoved || backup_group !== (token.backup_group ?? ''))
    await requireUsableGroup(app, owner, backup_group)
  const now = nowSeconds(app)
  const setting = patch.setting && (await settingColumns(app, caller, patch.setting, token))
  await app.db.transaction().execute(async tx => {
    if (isMoved) await moveToken(app, tx, token.id, ownerId)
    await writePatch(tx, token, patch, { ownerId, now, setting })
  })
  return asOwnedToken(required(await rows.findOfAnyone(app.db, token.id)), now)
}

type Transaction = Parameters<typeof rows.transfer>[0]

const moveToken = async (app: App, tx: Transaction, id: number, ownerId: number) => {
  // Locks the topic, so that parallel creations are counted one after the other.
  await app.changes.notify(tx, 'tokens')
  const { TokensPerUserMax } = app.settings().registration
  if ((await rows.countOfUser(tx, ownerId)) >= TokensPerUserMax) throw new Fault('token.too_many')
  if (!(await users.find(tx, ownerId))) throw new Fault('resource.missing')
  if (!(await rows.transfer(tx, id, ownerId))) throw new Fault('token.in_use')
}

export const removeTokenOfUser = async (
  app: App,
  caller: SignedInUser,
  { id }: { id: number },
): Promise<null> => {
  const token = await getManageableToken(app, caller, id)
  await removeTokens(app, { userId: token.user_id }, [id])
  return null
}
