import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, onOneEngine, type TestApp } from '../../test/harness.ts'
import { jobs } from './index.ts'
import optimizeStore from './optimize-store.ts'

let hub: TestApp

const fill = async (rows: number, columns: (n: number) => object) => {
  await hub.app.db.deleteFrom('logs').execute()
  const all = Array.from({ length: rows }, (_, n) => ({
    ...{ id: n + 1, user_id: 1, created_at: n, type: 2, content: '', username: '', quota: 0 },
    ...{ token_name: '', model_name: 'm', prompt_tokens: 0, completion_tokens: 0, channel_id: 0 },
    ...{ request_time: 0, is_stream: 0, source_ip: '', metadata: '{}', ...columns(n) },
  }))
  for (let at = 0; at < rows; at += 500)
    await hub.app.db
      .insertInto('logs')
      .values(all.slice(at, at + 500))
      .execute()
}

/** The plan of the connection that reads for the console, or for calls. */
const planOf = async (name: 'db' | 'callDb') => {
  const query = hub.app[name]
    .selectFrom('logs')
    .select('id')
    .where(sql<boolean>`type = 2`)
    .where('model_name', '=', 'm')
    .where('user_id', '=', 1)
  return JSON.stringify(await query.explain(undefined, sql`query plan`))
}

onOneEngine('optimize-store', open => {
  beforeAll(async () => {
    hub = await open()
  })

  it('every connection plans with the rows of today, without a restart', async () => {
    expect(jobs.find(({ name }) => name === 'optimize-store')?.everySeconds).toBe(3_600)
    await fill(300, n => ({ model_name: `m${n}` }))
    await optimizeStore.run(hub.app)
    for (const name of ['db', 'callDb'] as const)
      expect(await planOf(name)).toContain('logs_models')
    await fill(6_000, n => ({ user_id: n }))
    await optimizeStore.run(hub.app)
    for (const name of ['db', 'callDb'] as const) expect(await planOf(name)).toContain('logs_user')
  })
})

onBothEngines('optimize-store while calls run', open => {
  it('reads and writes go on while the statistics are updated', async () => {
    hub = await open()
    const { db, callDb } = hub.app
    const work = Array.from({ length: 20 }, (_, n) => [
      optimizeStore.run(hub.app),
      callDb.selectFrom('users').select('id').execute(),
      db
        .updateTable('users')
        .set({ display_name: `${n}` })
        .where('id', '=', -1)
        .execute(),
    ])
    await expect(Promise.all(work.flat())).resolves.toHaveLength(60)
  })
})
