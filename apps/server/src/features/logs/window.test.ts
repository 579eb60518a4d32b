import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'

const day = 86_400

/** A value that the rows cannot have, so that each of them is compared with it. */
const compared: Record<string, string> = {
  'the name of a token': 'token_name=app',
  'an address': 'source_ip=192.0.2.9',
  'a name that nobody has now': 'username=former',
  'a token of one user': 'username=root&token_name=app',
  'a model of one user': 'username=root&model_name=gpt',
  'a token of one channel': 'channel_id=3&token_name=app',
}

/** Filters that an index serves, or that say how far to read. */
const found: Record<string, string> = {
  'no filter': '',
  'one user': 'username=root',
  'a model': 'model_name=gpt',
  'one channel': 'channel_id=3',
  'errors of a code': 'code=upstream.failed',
  'a session': 'session=s1&token_name=app',
  'a beginning': 'start_timestamp=5&token_name=app',
  'all rows': 'start_timestamp=0&token_name=app',
}

onBothEngines('the time that a search reads', open => {
  let hub: TestApp
  let now = 0

  const read = async (path: string, query: string) => {
    const { status, body } = await hub.root.get(`/api/log/${path}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  }
  /** Rows of user 1 and channel 3: half of them are older than seven days. */
  const fill = (from: number, to: number) =>
    sql`insert into logs (id, user_id, username, created_at, type, quota, content, source_ip, token_name,
        model_name, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, metadata)
      with recursive n(i) as (select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)})
      select i, 1, 'former', ${sql.lit(now)} - i % 2 * ${sql.lit(8 * day)}, 2, 2, '', '192.0.2.9',
        case when i < 5 then 'app' else '' end, 'gpt', 1, 1, 3, 1, 0, '{}' from n`.execute(
      hub.app.db,
    )

  beforeAll(async () => {
    hub = await open()
    now = Math.floor(hub.clock.now / 1_000)
    await fill(1, 50_000)
  })

  it('is all time while at most 50,000 rows are compared, and seven days with one more', async () => {
    const page = await read('', 'token_name=app')
    expect([page.total_count, page.since]).toEqual([4, null])
    expect(await read('stat', 'token_name=app')).toEqual({ quota: 8, since: null })
    await fill(50_001, 50_001)
    expect((await read('', 'token_name=app')).since).toBe(now - 7 * day)
  })

  it.each(Object.entries(compared))(
    'is seven days for %s among more rows',
    async (_name, query) => {
      const since = now - 7 * day
      expect((await read('', query)).since).toBe(since)
      expect((await read('stat', query)).since).toBe(since)
      expect((await read('histogram', query)).since).toBe(since)
    },
  )

  it.each(Object.entries(found))('is what the call says for %s', async (_name, query) => {
    for (const path of ['', 'stat', 'histogram']) expect((await read(path, query)).since).toBeNull()
  })

  it('holds the same rows for a list, its sum and its histogram', async () => {
    const query = 'token_name=app'
    expect((await read('', query)).total_count).toBe(2)
    expect((await read('stat', query)).quota).toBe(4)
    const { buckets } = await read('histogram', query)
    expect(buckets.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(2)
    expect((await read('', `${query}&start_timestamp=0`)).total_count).toBe(4)
    expect((await read('stat', `${query}&start_timestamp=0`)).quota).toBe(8)
  })

  it('begins seven days before the end that the call says', async () => {
    const page = await read('', `token_name=app&end_timestamp=${now + 60}`)
    expect([page.since, page.total_count]).toEqual([now + 60 - 7 * day, 2])
  })

  it('is seven days for a user who searches their own calls', async () => {
    expect((await read('self', 'model_name=gpt')).since).toBe(now - 7 * day)
    expect((await read('self', '')).since).toBeNull()
  })

  it('is all time for an export, which says in no row that it would end before', async () => {
    const { text } = await hub.root.get('/api/log/export?token_name=app')
    expect(text.trim().split('\n')).toHaveLength(5)
  })
})
