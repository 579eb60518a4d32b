import { contract, Fault, type Owner } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/owners.ts'

/** Smaller ids are the channel types. */
const customOwnerIdMin = 1000

export const owners = implement(contract.owners, {
  list: app => rows.listAll(app.db),
  map: async app =>
    Object.fromEntries((await rows.listAll(app.db)).map(owner => [owner.id, owner])),
  get: (app, _caller, { id }) => getOwner(app, id),
  create: async (app, _caller, owner) => {
    await app.db.transaction().execute(async tx => {
      if (!(await rows.insert(tx, owner))) throw new Fault('resource.exists')
      await app.changes.notify(tx, 'owners')
    })
    return owner
  },
  update: async (app, _caller, owner) => {
    await app.db.transaction().execute(async tx => {
      if (!(await rows.update(tx, owner))) throw new Fault('resource.missing')
      await app.changes.notify(tx, 'owners')
    })
    return owner
  },
  remove: async (app, _caller, { id }) => {
    if (id < customOwnerIdMin) throw new Fault('resource.built_in')
    await app.db.transaction().execute(async tx => {
      if (!(await rows.remove(tx, id))) throw new Fault('resource.missing')
      await app.changes.notify(tx, 'owners')
    })
    return null
  },
})

const getOwner = async (app: App, id: number): Promise<Owner> => {
  const owner = await rows.find(app.db, id)
  if (!owner) throw new Fault('resource.missing')
  return owner
}
