import { isDeepStrictEqual } from 'node:util'
import { contract, Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { cachedQuery } from '../../core/app-scoped.ts'
import { definedOnly, required, requireMatch } from '../../core/crud.ts'
import { type Handlers, implement } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as rows from '../../db/queries/model-info.ts'
import { fetchList } from '../../relay/upstream/fetch-text.ts'
import { parseModelInfoList } from './read-list.ts'

/** Visitors read the list without a session, so it does not cost a query each time. */
const listed = cachedQuery(['model-info'], app => rows.listAll(app.db))

const handlers: Handlers<(typeof contract)['model-info']['endpoints']> = {
  list: app => listed(app).get(),
  get: async (app, _caller, { id }) => required(await rows.find(app.db, id)),
  create: (app, _caller, info) =>
    write(app, async tx => {
      const now = nowSeconds(app)
      const row = await rows.insert(tx, { ...info, created_at: now, updated_at: now })
      if (!row) throw describedAlready()
      return row
    }),
  update: (app, _caller, { id, ...patch }) =>
    write(app, async tx => {
      const before = required(await rows.find(tx, id))
      const after = { ...before, ...definedOnly(patch) }
      if (isDeepStrictEqual(before, after)) return before
      if (after.model !== before.model && (await rows.findByModel(tx, after.model)))
        throw describedAlready()
      return required(await rows.update(tx, id, { ...after, updated_at: nowSeconds(app) }))
    }),
  remove: (app, _caller, { id }) => write(app, tx => requireMatch(rows.remove(tx, id))),
  read: async (app, _caller, { address, text }) =>
    parseModelInfoList(address === undefined ? text! : await fetchList(app, address)),
}

export const modelInfo = implement(contract['model-info'], handlers)

/** The notification comes first, because its row is the lock that admits one writer at a time. */
const write = <T>(app: App, work: (tx: Database) => Promise<T>): Promise<T> =>
  app.db.transaction().execute(async tx => {
    await app.changes.notify(tx, 'model-info')
    return work(tx)
  })

const describedAlready = () =>
  new Fault('resource.exists', { hint: '`model`: this model is described already.' })
