import { CompiledQuery } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import {
  onBothEngines,
  type TestApp,
  type TestClient,
  type TestUser,
} from '../../../test/harness.ts'
import { errorsOfRequest } from '../../db/queries/log-filter.ts'

let hub: TestApp
let user: TestUser

type Row = { id: number; type: number; request?: number }

/** Writes rows of calls; those of errors name their request. */
const write = async (rows: readonly Row[]) => {
  const values = rows.map(({ id, type, request }) => ({
    ...{ id, type, user_id: user.id, created_at: 1_763_600_000, content: '', username: 'u' },
    ...{ token_name: 't', model_name: 'm', quota: 0, prompt_tokens: 0, completion_tokens: 0 },
    ...{ channel_id: 0, request_time: 0, is_stream: 0, source_ip: '' },
    metadata: JSON.stringify(request === undefined ? {} : { request_id: String(request) }),
  }))
  for (let at = 0; at < values.length; at += 200)
    await hub.app.db
      .insertInto('logs')
      .values(values.slice(at, at + 200))
      .execute()
}

const next = () => hub.app.ledger.nextId()
const idsIn = async (who: TestClient, path: string): Promise<number[]> =>
  (await who.get(`/api/log/${path}`)).body.data.data
    .map((row: { id: number }) => row.id)
    .toSorted((a: number, b: number) => a - b)

onBothEngines('the filter by id', open => {
  beforeAll(async () => {
    hub = await open()
    user = await hub.person()
  })

  it('finds a charged call, a failed call and both rows of a broken stream by the id of the request', async () => {
    const [charged, failed, broken] = [next(), next(), next()]
    const [failedRow, brokenRow] = [next(), next()]
    await write([
      { id: charged, type: 2 },
      { id: failedRow, type: 5, request: failed },
      { id: broken, type: 2 },
      { id: brokenRow, type: 5, request: broken },
    ])
    for (const [who, path] of [
      [hub.root, ''],
      [user, 'self'],
    ] as const) {
      expect(await idsIn(who, `${path}?id=${charged}`)).toEqual([charged])
      expect(await idsIn(who, `${path}?id=${failed}`)).toEqual([failedRow])
      expect(await idsIn(who, `${path}?id=${failedRow}`)).toEqual([failedRow])
      expect(await idsIn(who, `${path}?id=${broken}`)).toEqual([broken, brokenRow])
      expect(await idsIn(who, `${path}?id=${broken}&log_type=5`)).toEqual([brokenRow])
      expect(await idsIn(who, `${path}?id=${next()}`)).toEqual([])
      const csv = await who.get(`/api/log/${path ? `${path}/` : ''}export?id=${failed}`)
      expect(csv.text).toContain(String(failedRow))
      const { body } = await who.get(`/api/log/${path ? `${path}/` : ''}histogram?id=${failed}`)
      expect(body.data.buckets).toMatchObject([{ count: 1, errors: 1 }])
    }
  })

  it('S26 finds no failed call of somebody else', async () => {
    const request = next()
    await write([{ id: next(), type: 5, request }])
    expect(await idsIn(await hub.person(), `self?id=${request}`)).toEqual([])
  })

  it('reads an index, however many errors there are', async () => {
    const { db, env } = hub.app
    await write(Array.from({ length: 3_000 }, () => ({ id: next(), type: 5, request: next() })))
    const { sql, parameters } = errorsOfRequest(db, next()).compile()
    const explain = env.databaseUrl ? 'explain' : 'explain query plan'
    if (env.databaseUrl) await db.executeQuery(CompiledQuery.raw('analyze logs', []))
    const { rows } = await db.executeQuery(CompiledQuery.raw(`${explain} ${sql}`, [...parameters]))
    // PostgreSQL names the index of a partition by the columns of the parent's.
    expect(JSON.stringify(rows)).toMatch(/logs_error_requests|Index Scan.*json_extract/)
  })
})
