import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { type LogFilter, matching } from '../queries/log-filter.ts'
import { emptyCallColumns } from '../queries/logs.ts'
import { countUpTo } from '../queries/paging.ts'
import { runLimited, withDeadline } from './deadline.ts'
import { isQueryCanceled } from './query-errors.ts'

/** Filters that no index serves; none finds a row, so that each reads all of them. */
const filters: Record<string, LogFilter> = {
  'the name of a token': { token_name: 'unknown' },
  'an address': { source_ip: '192.0.2.9' },
  'an unknown name': { username: 'unknown' },
  'a group': { group: 'unknown' },
}

const errorOf = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (reason: unknown) => reason,
  )

onBothEngines('the deadline of a query', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
    const { db } = hub.app
    const now = Math.floor(hub.clock.now / 1_000)
    const row = { ...emptyCallColumns, ...{ user_id: 1, username: 'a', type: 2, quota: 1 } }
    const rows = Array.from({ length: 500 }, (_, index) => ({
      ...{ ...row, id: index + 1, created_at: now, content: '', source_ip: '' },
    }))
    await db.insertInto('logs').values(rows).execute()
    for (let count = 500; count < 64_000; count *= 2)
      await sql`insert into logs (id, user_id, username, created_at, type, quota, content, source_ip, token_name,
          model_name, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, metadata)
        select id + ${sql.lit(count)}, user_id, username, created_at, type, quota, content, source_ip, token_name,
          model_name, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, metadata
        from logs where user_id = 1 and type = 2`.execute(db)
  })

  const expectCanceled = async (run: Promise<unknown>) => {
    const error = await errorOf(run)
    expect(isQueryCanceled(error), String(error)).toBe(true)
  }

  it.each(Object.entries(filters))('ends a count of the logs by %s', async (_name, filter) => {
    const count = (limitMs: number) =>
      withDeadline(hub.app.db, limited => countUpTo(limited, matching(limited, filter)), limitMs)
    expect(await count(60_000)).toBe(0)
    await expectCanceled(count(1))
    // The connection answers the next query without that limit.
    expect(await count(60_000)).toBe(0)
  })

  it('ends a query that was built for another connection', async () => {
    const query = matching(hub.app.db, { token_name: 'unknown' }).select('logs.id')
    const run = (limitMs: number) =>
      withDeadline(hub.app.db, limited => runLimited(limited, query), limitMs)
    expect(await run(60_000)).toEqual([])
    await expectCanceled(run(1))
  })
})
