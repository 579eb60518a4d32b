import { contract } from '@hub/contract'
import { nowSeconds } from '../../core/app.ts'
import { changeAndNotify, mapPage, required, requireMatch } from '../../core/crud.ts'
import { type Handlers, implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/virtual-models.ts'
import { timeOfDayAt } from '../../relay/virtual-models/conditions.ts'
import { tryConditions } from '../../relay/virtual-models/preview.ts'
import { toVersion, toVirtualModel } from './decode.ts'
import { createVirtualModel, restoreVersion, updateVirtualModel } from './save.ts'

const versionsMax = 100

const handlers: Handlers<(typeof contract)['virtual-models']['endpoints']> = {
  list: (app, _caller, input) => mapPage(rows.list(app.db, input), toVirtualModel),
  get: async (app, _caller, { id }) => toVirtualModel(required(await rows.find(app.db, id))),
  create: createVirtualModel,
  update: updateVirtualModel,
  remove: (app, _caller, { id }) =>
    changeAndNotify(app, 'virtual-models', tx => requireMatch(rows.remove(tx, id))),
  versions: async (app, _caller, { id }) => {
    required(await rows.find(app.db, id))
    return (await rows.listVersions(app.db, id, versionsMax)).map(toVersion)
  },
  restore: restoreVersion,
  preview: async (app, _caller, { candidates, group, at, ...request }) => {
    const seconds = at ?? nowSeconds(app)
    const timeOfDay = timeOfDayAt(app, seconds)
    const traits = { ...request, timeOfDay }
    return {
      at: seconds,
      time_of_day: timeOfDay,
      candidates: await tryConditions(app, candidates, { group, traits }),
    }
  },
}

export const virtualModels = implement(contract['virtual-models'], handlers)
