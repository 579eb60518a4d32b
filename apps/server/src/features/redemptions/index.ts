import { randomBytes } from 'node:crypto'
import { contract, Fault, type Redemption, roles } from '@hub/contract'
import type { z } from 'zod'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { definedOnly, mapPage, required, requireMatch } from '../../core/crud.ts'
import {
  type AuditedRows,
  type Handlers,
  implement,
  type ReadAuditedRows,
  type SignedInUser,
} from '../../core/implement.ts'
import * as rows from '../../db/queries/redemptions.ts'
import * as users from '../../db/queries/users.ts'
import { hashCode, insertCode, openCode } from './code.ts'

const { create, update } = contract.redemptions.endpoints

const handlers: Handlers<typeof contract.redemptions.endpoints> = {
  list: (app, _caller, input) => {
    const keyHash = input.keyword && hashCode(app, input.keyword)
    const page = rows.list(app.db, { ...input, keyHash }, nowSeconds(app))
    return mapPage(page, row => toRedemption(app, row))
  },
  get: (app, _caller, { id }) => getRedemption(app, id),
  create: (app, caller, input) => createCodes(app, caller, input),
  update: (app, caller, patch) => updateCode(app, caller, patch),
  remove: (app, _caller, { id }) => requireMatch(rows.remove(app.db, id, nowSeconds(app))),
}

/** The codes themselves are secrets. */
const auditedRedemptions: ReadAuditedRows = async (app, _caller, { ids }) => {
  const found: AuditedRows = {}
  for (const id of ids) {
    const row = await rows.find(app.db, id, nowSeconds(app))
    if (!row) continue
    const { key, ...fields } = toRedemption(app, row)
    found[id] = fields
  }
  return found
}

export const redemptions = implement(contract.redemptions, handlers, auditedRedemptions)

const getRedemption = async (app: App, id: number): Promise<Redemption> =>
  toRedemption(app, required(await rows.find(app.db, id, nowSeconds(app))))

/** One Hub's 0 means never, as -1 does. */
const toExpiry = (seconds: number): number => (seconds === 0 ? -1 : seconds)

const toRedemption = (app: App, row: rows.RedemptionRow): Redemption => ({
  id: row.id,
  user_id: row.user_id,
  key: openCode(app, row),
  status: row.current_status as Redemption['status'],
  name: row.name,
  quota: row.quota,
  created_time: row.created_time,
  redeemed_time: row.redeemed_time,
  used_user_id: row.used_user_id,
  used_username: row.used_username ?? '',
  expired_time: row.expires_at,
})

/** Makes all codes or none. A code is 128 random bits in hexadecimal, as in One Hub. */
const createCodes = async (
  app: App,
  caller: SignedInUser,
  { name, quota, count, expired_time }: z.output<typeof create.input>,
): Promise<string[]> => {
  requireRecentProof(app, caller)
  const codes = Array.from({ length: count }, () => randomBytes(16).toString('hex'))
  const columns = {
    ...{ user_id: caller.userId, status: 1, name, quota },
    ...{ created_time: nowSeconds(app), expires_at: toExpiry(expired_time) },
  }
  await app.db.transaction().execute(async tx => {
    for (const code of codes) await insertCode(app, tx, code, columns)
  })
  return codes
}

/** A used code records what it paid out, so it cannot change. */
const updateCode = async (
  app: App,
  caller: SignedInUser,
  patch: z.output<typeof update.input>,
): Promise<Redemption> => {
  const { id, status, status_only } = patch
  const { name, quota, expired_time }: typeof patch = status_only ? { id } : patch
  const expires_at = expired_time === undefined ? undefined : toExpiry(expired_time)
  const change = definedOnly({ status, name, quota, expires_at })
  const before = await getRedemption(app, id)
  if (Object.keys(change).length === 0) return before
  if (isRaised(before, { status, quota, expired_time })) {
    await requireOwnRank(app, caller, before)
    requireRecentProof(app, caller)
  }
  if (!(await rows.update(app.db, id, change))) throw new Fault('redemption.used')
  return getRedemption(app, id)
}

type CodeChange = { [K in 'status' | 'quota' | 'expired_time']?: number | undefined }

/** More points, another time of expiry, or a disabled code that is enabled again. */
const isRaised = (before: Redemption, { status, quota, expired_time }: CodeChange): boolean =>
  (quota !== undefined && quota > before.quota) ||
  (expired_time !== undefined && toExpiry(expired_time) !== before.expired_time) ||
  (status === 1 && before.status !== 1)

/** An administrator may redeem the codes of a super administrator, and so never raises them. */
const requireOwnRank = async (app: App, caller: SignedInUser, { user_id }: Redemption) => {
  if (caller.role >= roles.root) return
  const maker = await users.find(app.db, user_id)
  if (!maker || maker.role > caller.role) throw new Fault('user.rank')
}
