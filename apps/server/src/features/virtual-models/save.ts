import { isDeepStrictEqual } from 'node:util'
import {
  Fault,
  type NewVirtualModel,
  type VirtualModel,
  type VirtualModelPatch,
} from '@hub/contract'
import type { z } from 'zod'
import { isLowRatio } from '../../core/accounts/low-ratios.ts'
import { requireRight } from '../../core/accounts/money-rights.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import { changeAndNotify, required } from '../../core/crud.ts'
import type { SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import { listRatios, listSymbols } from '../../db/queries/groups.ts'
import * as rows from '../../db/queries/virtual-models.ts'
import { toVersion, toVirtualModel } from './decode.ts'

/** The part of a virtual model that versions keep. */
type Saved = Pick<VirtualModel, 'enable' | 'groups' | 'candidates'>

export const createVirtualModel = (
  app: App,
  caller: SignedInUser,
  { name, ...saved }: z.output<typeof NewVirtualModel>,
): Promise<VirtualModel> =>
  changeAndNotify(app, 'virtual-models', async tx => {
    if (await rows.isChannelModel(tx, name)) throw new Fault('model.name_taken')
    await requireUsable(tx, name, saved)
    await requireCandidateRatios(app, tx, { caller, before: undefined, saved })
    const now = nowSeconds(app)
    const row = { name, ...columnsOf(saved), version: 1, updated_at: now }
    const id = await rows.insert(tx, row)
    if (id === undefined) throw new Fault('resource.exists')
    await keepVersion(app, tx, { caller, row: { ...row, id }, restored: null })
    return { id, name, ...saved, version: 1, updated_at: now }
  })

export const updateVirtualModel = (
  app: App,
  caller: SignedInUser,
  { id, ...patch }: z.output<typeof VirtualModelPatch>,
): Promise<VirtualModel> =>
  saveVersion(app, caller, id, async (_tx, before) => ({
    saved: {
      enable: patch.enable ?? before.enable,
      groups: patch.groups ?? before.groups,
      candidates: patch.candidates ?? before.candidates,
    },
    restored: null,
  }))

/** Saves an earlier version as the newest, so that the history has no gap. */
export const restoreVersion = (
  app: App,
  caller: SignedInUser,
  { id, version }: { id: number; version: number },
): Promise<VirtualModel> =>
  saveVersion(app, caller, id, async tx => {
    const earlier = toVersion(required(await rows.findVersion(tx, id, version)))
    const { enable, groups, candidates } = earlier
    return { saved: { enable, groups, candidates }, restored: version }
  })

type NextVersion = { saved: Saved; restored: number | null }

const saveVersion = (
  app: App,
  caller: SignedInUser,
  id: number,
  next: (tx: Database, before: VirtualModel) => Promise<NextVersion>,
): Promise<VirtualModel> =>
  changeAndNotify(app, 'virtual-models', async tx => {
    const before = toVirtualModel(required(await rows.find(tx, id)))
    const { saved, restored } = await next(tx, before)
    await requireUsable(tx, before.name, saved)
    await requireCandidateRatios(app, tx, { caller, before, saved })
    const now = nowSeconds(app)
    const columns = { ...columnsOf(saved), updated_at: now }
    if (isDeepStrictEqual(columnsOf(saved), columnsOf(before))) return before
    const version = required(await rows.update(tx, id, columns))
    const row = { id, name: before.name, ...columns, version }
    await keepVersion(app, tx, { caller, row, restored })
    return { id, name: before.name, ...saved, version, updated_at: now }
  })

const columnsOf = ({ enable, groups, candidates }: Saved) => ({
  enable: Number(enable),
  groups: JSON.stringify(groups),
  candidates: JSON.stringify(candidates),
})

type Keeping = { caller: SignedInUser; row: rows.VirtualModelRow; restored: number | null }

const keepVersion = (
  app: App,
  tx: Database,
  { caller, row: { id, updated_at, ...columns }, restored }: Keeping,
): Promise<void> =>
  rows.appendVersion(tx, {
    ...columns,
    ...{ model_id: id, created_at: nowSeconds(app) },
    ...{ actor_name: caller.username, restored_version: restored },
  })

type CandidateChange = { caller: SignedInUser; before: Saved | undefined; saved: Saved }

/** A candidate of a group with a low ratio gives that ratio to every group that may call the virtual model. */
const requireCandidateRatios = async (
  app: App,
  tx: Database,
  { caller, before, saved }: CandidateChange,
): Promise<void> => {
  const low = new Set(
    (await listRatios(tx)).filter(each => isLowRatio(each.ratio)).map(each => each.symbol),
  )
  const grants = ({ enable, groups, candidates }: Saved) =>
    enable
      ? candidates
          .filter(({ group }) => low.has(group))
          .flatMap(({ model, group }) =>
            groups.filter(each => each !== group).map(each => `${each} ${model} ${group}`),
          )
      : []
  const known = new Set(before ? grants(before) : [])
  if (grants(saved).some(each => !known.has(each))) requireRight(app, caller, 'low_ratios')
}

/** Groups exist, and no candidate is a virtual model, this one included. */
const requireUsable = async (
  tx: Database,
  name: string,
  { groups, candidates }: Saved,
): Promise<void> => {
  const symbols = await listSymbols(tx)
  const named = [...groups, ...candidates.map(each => each.group).filter(each => each !== '')]
  const missing = named.find(each => !symbols.includes(each))
  if (missing !== undefined) throw new Fault('group.unknown', { hint: `Group: ${missing}.` })
  const virtual = new Set([...(await rows.listNames(tx)), name])
  const nested = candidates.find(({ model }) => virtual.has(model))
  if (nested) throw new Fault('model.nested', { hint: `Model: ${nested.model}.` })
}
