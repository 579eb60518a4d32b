import { contract, Fault } from '@hub/contract'
import { changeAndNotify, required, requireMatch } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/owners.ts'

/** Smaller ids are the channel types. */
const customOwnerIdMin = 1000

export const owners = implement(contract.owners, {
  list: app => rows.listAll(app.db),
  map: async app =>
    Object.fromEntries((await rows.listAll(app.db)).map(owner => [owner.id, owner])),
  get: async (app, _caller, { id }) => required(await rows.find(app.db, id)),
  create: (app, _caller, owner) =>
    changeAndNotify(app, 'owners', async tx => {
      if (!(await rows.insert(tx, owner))) throw new Fault('resource.exists')
      return owner
    }),
  update: (app, _caller, owner) =>
    changeAndNotify(app, 'owners', async tx => {
      await requireMatch(rows.update(tx, owner))
      return owner
    }),
  remove: (app, _caller, { id }) => {
    if (id < customOwnerIdMin) throw new Fault('resource.built_in')
    return changeAndNotify(app, 'owners', tx => requireMatch(rows.remove(tx, id)))
  },
})
