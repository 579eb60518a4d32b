import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'

let hub: TestApp
let user: TestUser
let other: TestUser
let now: number

type LogRow = { id: number; created_at: number }

const write = async (userId: number, more: object = {}): Promise<LogRow> => {
  const row = {
    ...{ id: hub.app.ledger.nextId(), user_id: userId, created_at: now, type: 2, content: '' },
    ...{ username: 'u', token_name: 't', model_name: 'gpt', quota: 10, prompt_tokens: 3 },
    ...{ completion_tokens: 4, channel_id: 5, request_time: 100, is_stream: 1, source_ip: '' },
    ...{ metadata: '{"first_response":12,"attempts":[],"route":{"candidates":2}}', ...more },
  }
  await hub.app.db.insertInto('logs').values(row).execute()
  return row
}

const oneRowTests = () => {
  it('S26 a user reads their own row without its channel, and another’s is missing', async () => {
    const mine = await write(user.id)
    const theirs = await write(other.id)
    const { data } = (await user.get(`/api/log/${mine.id}`)).body
    expect(data).toMatchObject({ id: mine.id, channel_id: 0, channel: null, quota: 10 })
    expect(data.metadata).toEqual({ first_response: 12 })
    const refused = await user.get(`/api/log/${theirs.id}`)
    expect([refused.status, refused.body.code]).toEqual([404, 'resource.missing'])
    const seen = (await hub.root.get(`/api/log/${theirs.id}`)).body.data
    expect(seen).toMatchObject({ id: theirs.id, user_id: other.id, channel_id: 5 })
    expect(seen.metadata.route).toEqual({ candidates: 2 })
    expect((await hub.root.get('/api/log/999999999')).status).toBe(404)
  })

  it('the neighbours of a row are the first rows after it in both orders by time', async () => {
    const rows: LogRow[] = []
    const lone = await hub.person()
    for (const at of [now - 50, now - 40, now - 40, now - 40, now - 30])
      rows.push(await write(lone.id, { created_at: at, model_name: 'row' }))
    const next = async ({ created_at, id }: LogRow, order: string, filter = '') =>
      (
        await lone.get(
          `/api/log/self?size=1&order=${order}&after=${created_at}.${id}&model_name=row${filter}`,
        )
      ).body.data.data.map((row: LogRow) => row.id)
    for (const [at, row] of rows.entries()) {
      expect(await next(row, 'created_at')).toEqual(rows[at + 1] ? [rows[at + 1]!.id] : [])
      expect(await next(row, '-created_at')).toEqual(rows[at - 1] ? [rows[at - 1]!.id] : [])
    }
    expect(await next(rows[1]!, 'created_at', `&id=${rows[4]!.id}`)).toEqual([rows[4]!.id])
    const all = await hub.root.get(
      `/api/log/?size=1&order=created_at&model_name=row&after=${now - 40}.${rows[2]!.id}`,
    )
    expect(all.body.data.data[0].id).toBe(rows[3]!.id)
  })
}

const filters = ['', 'log_type=2', 'log_type=5', 'model_name=mod', 'token_name=x', 'code=a.b']

type Bucket = { begin: number; count: number; errors: number }

const histogramTests = () => {
  it('the buckets of a filter add up to the total of its list, errors too', async () => {
    const lone = await hub.person()
    for (let n = 0; n < 25; n++)
      await write(lone.id, {
        ...{ created_at: now - n * n * 977, model_name: n % 3 ? 'gpt' : 'model', username: 'lone' },
        ...(n % 5 === 0 && { type: 5, content: 'a.b' }),
        ...(n % 7 === 0 && { token_name: 'x' }),
      })
    const ranges = ['', `start_timestamp=${now - 90_000}`, `end_timestamp=${now - 50_000}`]
    for (const filter of filters)
      for (const range of ranges) {
        const query = `${filter}&${range}`
        const own = (await lone.get(`/api/log/self/histogram?${query}`)).body.data
        const list = (await lone.get(`/api/log/self?size=100&${query}`)).body.data
        const sum = (key: 'count' | 'errors') =>
          own.buckets.reduce((total: number, each: Bucket) => total + each[key], 0)
        const errors = list.data.filter((row: { type: number }) => row.type === 5).length
        expect([query, sum('count'), sum('errors')]).toEqual([query, list.total_count, errors])
        expect(own.complete).toBe(true)
        expect((own.end - own.begin) / own.step).toBeLessThanOrEqual(72)
        for (const { begin } of own.buckets) {
          expect((begin - own.begin) % own.step).toBe(0)
          expect(begin).toBeLessThan(own.end)
        }
        const all = await hub.root.get(`/api/log/histogram?username=lone&${query}`)
        expect(all.body.data.buckets).toEqual(own.buckets)
      }
  })

  it('a range without rows has no bucket, and a chosen beginning begins the first one', async () => {
    const lone = await hub.person()
    const empty = (await lone.get('/api/log/self/histogram')).body.data
    expect(empty).toEqual({ begin: 0, end: 0, step: 1, buckets: [], complete: true, since: null })
    const begin = now - 86_400 - 17
    const day = await lone.get(`/api/log/self/histogram?start_timestamp=${begin}`)
    expect(day.body.data).toMatchObject({ begin, buckets: [], step: 1_800 })
    expect(day.body.data.end).toBeGreaterThan(now)
    const hour = await lone.get(`/api/log/self/histogram?start_timestamp=${now - 3_640}`)
    expect(hour.body.data).toMatchObject({ step: 60 })
    expect((await lone.get('/api/log/histogram')).status).toBe(403)
    const foreign = await lone.get('/api/log/self/histogram?username=u')
    expect(foreign.body.code).toBe('request.unknown_field')
  })
}

const exportTests = () => {
  it('an export has every row of the filter, and no text that a spreadsheet would run', async () => {
    const lone = await hub.person()
    const rows = Array.from({ length: 2_100 }, (_, n) => ({
      ...{ id: hub.app.ledger.nextId(), user_id: lone.id, created_at: now - (n % 40), type: 2 },
      ...{ content: '', username: '=cmd()', token_name: '@SUM(A1)', model_name: 'export' },
      ...{ quota: n, prompt_tokens: 1, completion_tokens: 2, channel_id: 0, request_time: 7 },
      ...{ is_stream: 0, source_ip: '', metadata: '{"group_name":"a,b"}' },
    }))
    for (let at = 0; at < rows.length; at += 300)
      await hub.app.db
        .insertInto('logs')
        .values(rows.slice(at, at + 300))
        .execute()
    await write(lone.id, { model_name: 'another' })
    const file = await lone.get('/api/log/self/export?model_name=export')
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(file.headers['content-disposition']).toMatch(/filename="logs-\d{8}T\d{6}\.csv"/)
    const [header, ...lines] = file.text.trimEnd().split('\r\n')
    expect(header?.replace('\uFEFF', '')).toBe(
      'id,created_at,type,group,token_name,model_name,is_stream,request_time_ms,first_byte_ms,' +
        'prompt_tokens,completion_tokens,points,usd,source_ip,content',
    )
    expect(lines).toHaveLength(rows.length)
    expect(new Set(lines.map(each => Number(each.split(',')[0]))).size).toBe(rows.length)
    const at = new Date((now - 39) * 1000).toISOString()
    const last = rows.filter(row => row.created_at === now - 39)[0]!
    expect(lines.at(-1)).toBe(
      `${last.id},${at},consume,"a,b",'@SUM(A1),export,0,7,,1,2,39,0.000078,,`,
    )
    const all = await hub.root.get(`/api/log/export?model_name=export&id=${last.id}`)
    expect(all.text).toContain(`${last.id},${at},consume,,,'=cmd(),"a,b",'@SUM(A1),export`)
    expect((await lone.get('/api/log/export')).status).toBe(403)
    const own = (await other.get('/api/log/self/export?model_name=export')).text
    expect(own.split('\r\n')).toHaveLength(2)
  })
}

onBothEngines('one call, counts by time and the export of logs', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
    other = await hub.person()
    now = Math.floor(hub.clock.now / 1000)
  })
  oneRowTests()
  histogramTests()
  exportTests()
})
