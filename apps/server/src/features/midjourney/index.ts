import { contract } from '@hub/contract'
import { mapPage } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import { listPage } from '../../db/queries/task-pages.ts'
import { presentRow } from './present.ts'

const platform = 'midjourney'

export const midjourney = implement(contract.midjourney, {
  list: (app, _caller, { page, size, order, mj_id, ...filter }) =>
    mapPage(listPage(app.db, { ...filter, platform, task_id: mj_id }, { page, size, order }), row =>
      // An administrator reads what a user wrote on demand, by `/api/task/:id/raw`.
      ({ ...presentRow(app, row), prompt: '', prompt_en: '' }),
    ),
  self: (app, { userId }, { page, size, order, mj_id, ...filter }) =>
    mapPage(
      listPage(
        app.db,
        { ...filter, platform, task_id: mj_id, ownerId: userId },
        { page, size, order },
      ),
      // Users must not see which channel served them.
      row => ({ ...presentRow(app, row), channel_id: 0, channel: null }),
    ),
})
