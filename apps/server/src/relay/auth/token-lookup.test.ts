import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

let hub: TestApp
let url: string

/** Queries that occupy every connection of the console until `end` is called, or for some seconds. */
const occupyConsole = (): { queries: Promise<unknown>; end: () => Promise<unknown> } => {
  const { db, callDb, env } = hub.app
  if (env.databaseUrl) {
    const sleeps = Array.from({ length: 10 }, () => sql`select pg_sleep(25)`.execute(db))
    const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'select pg_sleep%'`
    return { queries: Promise.allSettled(sleeps), end: () => cancel.execute(callDb) }
  }
  const count = sql`select count(*) from (with recursive n(i) as
    (select 1 union all select i + 1 from n where i < 20000000) select i from n)`
  return { queries: count.execute(db), end: async () => undefined }
}

onBothEngines('token look-ups', open => {
  beforeAll(async () => {
    hub = await open()
    url = `http://127.0.0.1:${await hub.listen()}`
  })

  it('a key that was not seen before is looked up while the console occupies its connections', async () => {
    const user = await hub.person()
    const { key } = (await user.post('/api/token/', { name: 't' })).body.data
    let isOver = false
    const { queries, end } = occupyConsole()
    const occupied = queries.finally(() => {
      isOver = true
    })
    const response = await fetch(`${url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect([response.status, isOver]).toEqual([200, false])
    await end()
    await occupied
  })
})
