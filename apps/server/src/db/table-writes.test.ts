import { expect, it } from 'vitest'
import { describeStores } from '../../test/stores.ts'
import { increment } from './queries/topics.ts'

describeStores('writes of tables', stores => {
  it('are observed for statements that add or change rows of the named tables, also in a transaction', async () => {
    const { db, callDb, onWrite } = await stores.open()
    let writes = 0
    const writesOf = async (work: () => Promise<unknown>) => {
      const before = writes
      await work()
      return writes - before
    }
    onWrite(['topics', 'queued'], () => void writes++)
    const add = {
      job: 'notify',
      key: 'a',
      payload_sealed: '',
      state: 'waiting',
      failure: '',
    } as const
    const times = { attempts: 0, run_at: 1, created_at: 1, ended_at: null }
    const statements = {
      insert: () =>
        db
          .insertInto('queued')
          .values({ ...add, ...times })
          .execute(),
      upsert: () => increment(callDb, 'prices'),
      update: () => db.updateTable('queued').set({ run_at: 2 }).execute(),
      aliased: () => db.updateTable('queued as work').set({ run_at: 3 }).execute(),
      select: () => db.selectFrom('queued').selectAll().execute(),
      delete: () => db.deleteFrom('queued').execute(),
      other: () => db.deleteFrom('job_runs').execute(),
      transaction: () => db.transaction().execute(tx => increment(tx, 'prices')),
    }
    const observed: Record<string, number> = {}
    for (const [name, statement] of Object.entries(statements))
      observed[name] = await writesOf(statement)
    const each = { insert: 1, upsert: 1, update: 1, aliased: 1, select: 0, delete: 0 }
    expect(observed).toEqual({ ...each, other: 0, transaction: 1 })
  })
})
