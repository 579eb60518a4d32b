import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../src/db/engines/engine.ts'
import { openEngine } from '../src/db/open.ts'
import type { Tables } from '../src/db/tables/index.ts'
import { onBothEngines, type TestApp } from './harness.ts'
import { silentLog } from './silent-log.ts'

const period = 'start_timestamp=1763000000&end_timestamp=1763200000'
const users = 'usernames=root&start_time=2025-11-01&end_time=2025-11-20'

/** The reads whose cost grows with the table of logs. */
const paths = [
  ...['log/', 'log/self', 'log/stat', 'log/self/stat', 'log/histogram', 'log/self/histogram'],
  ...['log/?model_name=gpt', 'log/stat?model_name=%22gpt%22', 'log/?token_name=app'],
  ...['log/export', 'log/self/export', 'log/self/models', 'log/sessions', 'log/self/sessions'],
  ...['log/session_cache?session=s1', 'log/self/session_cache?session=s1'],
  ...[`analytics/period?${period}`, `analytics/period?${period}&user_id=1`],
  ...[`analytics/period/export?${period}&user_id=1`, 'user/dashboard'],
  ...[`analytics/multi_user_stats?${users}`, `analytics/multi_user_stats/export?${users}`],
  ...['channel/1/figures?period=hour', 'channel/1/figures?period=day', 'channel/health?ids=1'],
  ...['operations/overview', 'operations/attention', 'operations/calls', 'operations/series'],
]

type Query = { sql: string; parameters: readonly unknown[] }

/** One row at the end of an index. */
const isCheap = ({ sql: text, parameters }: Query) =>
  /limit (\$\d+|\?)$/.test(text) && parameters.at(-1) === 1

onBothEngines('the deadline of reads of logs', (open, engineName) => {
  let hub: TestApp
  let engine: Engine
  let queries: Query[] = []

  beforeAll(async () => {
    hub = await open()
    const { databaseUrl, dataDir } = hub.app.env
    engine = await openEngine({ databaseUrl, dataDir, log: silentLog, role: 'editor' })
    await hub.root.post('/api/channel/', {
      ...{ name: 'a', type: 1, key: 'sk-a', models: 'gpt', group: 'default' },
    })
    const log = ({ query }: { query: Query }) => void queries.push(query)
    Object.assign(hub.app, { db: new Kysely<Tables>({ dialect: engine.dialect, log }) })
  })
  afterAll(async () => {
    await hub.app.db.destroy()
    await engine.close()
  })

  it.each(paths)('limits each read of logs by /api/%s', async path => {
    queries = []
    const response = await hub.root.get(`/api/${path}`)
    expect([response.status, response.text]).toEqual([200, expect.anything()])
    const reads: string[] = []
    let isLimited = false
    for (const query of queries) {
      const text = query.sql
      if (/^(begin|commit|rollback)/i.test(text)) isLimited = false
      if (text.startsWith('set local statement_timeout')) isLimited = true
      if (!/^\s*(select|with)\b.* from (\()?"logs"/is.test(text) || isCheap(query)) continue
      reads.push(text)
      const limited = engineName === 'SQLite' ? text.includes('hub_deadline(') : isLimited
      expect(limited, text).toBe(true)
    }
    expect(reads.length).toBeGreaterThan(0)
  })
})
