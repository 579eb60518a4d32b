import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../test/harness.ts'
import removeOldLogs from './remove-old-logs.ts'

const seconds = (time: string) => Date.parse(time) / 1_000

onBothEngines('remove-old-logs', (open, engine) => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = Date.parse('2031-05-10T12:00:00Z')
    await hub.root.put('/api/option/', { key: 'LogRetentionDays', value: '60' })
  })

  const fill = async () => {
    // Months are created three ahead: January to June.
    for (const time of ['2031-01-15', '2031-03-15']) await hub.app.maintainStore(seconds(time))
    await hub.app.db.deleteFrom('logs').execute()
    await hub.app.db
      .insertInto('logs')
      .values(['2031-01-01', '2031-02-28', '2031-03-10', '2031-03-12', '2031-05-10'].map(rowAt))
      .execute()
  }
  const rowAt = (day: string, n: number) => ({
    ...{ id: n + 1, user_id: 1, created_at: seconds(day), type: 2, content: day, username: '' },
    ...{ quota: 0, token_name: '', model_name: 'm', prompt_tokens: 0, completion_tokens: 0 },
    ...{ channel_id: 0, request_time: 0, is_stream: 0, source_ip: '', metadata: '{}' },
  })
  const days = async () => {
    const rows = await hub.app.db
      .selectFrom('logs')
      .select('content')
      .orderBy('created_at')
      .execute()
    return rows.map(({ content }) => content)
  }
  const months = async (): Promise<string[]> => {
    const { rows } = await sql<{ relname: string }>`select relname from pg_class
      where relname like 'logs\_2031\___' and relkind = 'r' order by relname`.execute(hub.app.db)
    return rows.map(({ relname }) => relname.slice(-2))
  }

  it('deletes what is older than the days of the setting, and whole months at once', async () => {
    await fill()
    await removeOldLogs.run(hub.app)
    expect(await days()).toEqual(['2031-03-12', '2031-05-10'])
    if (engine === 'PostgreSQL') expect(await months()).toEqual(['03', '04', '05', '06'])
    await removeOldLogs.run(hub.app)
    expect(await days()).toEqual(['2031-03-12', '2031-05-10'])
  })

  // SQLite has no months to drop.
  if (engine === 'SQLite') return
  it('deletes the rows of a month that is being read, and drops it later', async () => {
    await fill()
    await hub.app.db.transaction().execute(async reader => {
      await reader.selectFrom('logs').select('id').execute()
      await removeOldLogs.run(hub.app)
      expect(await months()).toContain('01')
    })
    expect(await days()).toEqual(['2031-03-12', '2031-05-10'])
    await removeOldLogs.run(hub.app)
    expect(await months()).toEqual(['03', '04', '05', '06'])
  })

  it('drops a month that a killed run has detached, also when logs are kept for ever', async () => {
    await fill()
    await sql`alter table logs detach partition logs_2031_01`.execute(hub.app.db)
    await sql`alter table logs_2031_01 rename to logs_detached_2031_01`.execute(hub.app.db)
    await hub.root.put('/api/option/', { key: 'LogRetentionDays', value: '0' })
    await removeOldLogs.run(hub.app)
    const { rows } =
      await sql`select from pg_class where relname = 'logs_detached_2031_01'`.execute(hub.app.db)
    expect(rows).toEqual([])
    expect(await days()).toEqual(['2031-02-28', '2031-03-10', '2031-03-12', '2031-05-10'])
  })
})
