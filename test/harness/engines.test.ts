import pg from 'pg'
import { expect, it } from 'vitest'
import { hasRedis, openDatabase, startRedis } from './engines.ts'
import { describeEachEngine } from './runner/describe-engines.ts'

describeEachEngine(engine => {
  it('a database is empty, of its own, and gone afterwards', async () => {
    const [one, two] = [await openDatabase(engine), await openDatabase(engine)]
    if (one.url && two.url) {
      expect(one.url).not.toBe(two.url)
      const client = new pg.Client({ connectionString: one.url })
      await client.connect()
      expect(
        (
          await client.query(
            'select count(*)::int as n from pg_tables where schemaname = current_schema()',
          )
        ).rows,
      ).toEqual([{ n: 0 }])
      await client.end()
    }
    await one.close()
    await two.close()
    if (one.url)
      await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow()
  })
})

it.skipIf(!hasRedis)('Redis starts on a free port and stops', async () => {
  const redis = await startRedis()
  await redis.close()
  expect(redis.url).toMatch(/^redis:\/\/127/)
})
