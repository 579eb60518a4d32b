import type { CacheFigures, ChannelCache } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEngines, type TestApp } from '../../../test/harness.ts'
import { noticesOf, subscribe } from '../../../test/notices.ts'
import { chunks } from '../../db/queries/chunks.ts'
import type { LogsTable } from '../../db/tables/logs-audit.ts'
import sumUsage from '../../jobs/sum-usage.ts'

let hub: TestApp
let channel = 0
let another = 0

const startedAt = Date.parse('2026-03-04T12:34:56Z')
const now = () => Math.floor(hub.clock.now / 1_000)
/** The begin of the hour that runs at the start of the test. */
const hour = Date.parse('2026-03-04T12:00:00Z') / 1_000
const day = 86_400

type Written = { at: number; model?: string; session?: string; user_id?: number; channel?: number }

const rowOf = (
  { at, model = 'm', session, user_id = 1, ...more }: Written,
  fields: Partial<LogsTable> = {},
  metadata: object = {},
): LogsTable => ({
  ...{ id: hub.app.ledger.nextId(), user_id, created_at: at, type: 2, content: '' },
  ...{ username: 'u', token_name: 't', model_name: model, quota: 100_000 },
  ...{ prompt_tokens: 4_000, completion_tokens: 20, channel_id: more.channel ?? channel },
  ...{ request_time: 1_000, is_stream: 0, source_ip: '', ...fields },
  metadata: JSON.stringify({ ...metadata, ...(session && { session, cache_prices: [2, 0.5] }) }),
})
const write = async (...of: Parameters<typeof rowOf>): Promise<void> => {
  await hub.app.db
    .insertInto('logs')
    .values(rowOf(...of))
    .execute()
}
const writeAll = async (calls: readonly Written[]): Promise<void> => {
  for (const part of chunks(calls.map(each => rowOf(each))))
    await hub.app.db.insertInto('logs').values(part).execute()
}

const read = async (id = channel): Promise<ChannelCache> =>
  (await hub.root.get(`/api/channel/${id}/cache`)).body.data
/** Runs the job after the next quarter of an hour. */
const sumAll = async () => {
  hub.clock.now += 15 * 60_000
  while (!(await hub.root.get('/api/operations/overview')).body.data.complete)
    await sumUsage.run(hub.app)
  await sumUsage.run(hub.app)
}

const none: CacheFigures = {
  ...{ calls: 0, prompt_tokens: 0, read_tokens: 0, written_tokens: 0 },
  ...{ hit_rate: null, misses: null },
}

const figureTests = () => {
  it('a channel without calls has no hit rate and no misses', async () => {
    expect(await read()).toMatchObject({ totals: none, models: [] })
    expect(await read()).toMatchObject({ begin: hour + 3_600 - 7 * day })
  })

  it('the sums are those of the rows of 7 days, by model, and misses are found over the hour', async () => {
    const read4 = { cached_read_tokens: 1_000, cached_read_audio_tokens: 200 }
    await write({ at: hour - 7 * day + 3_600 }, {}, { ...read4, cached_read_image_tokens: 50 })
    await write({ at: hour - 7 * day + 3_599 }, {}, read4)
    await write({ at: hour - 9 }, {}, { cached_write_tokens: 300, cached_write_1h_tokens: 40 })
    await write({ at: hour - 9, model: 'silent' }, { prompt_tokens: 7 })
    await write({ at: hour - 9 }, { type: 5 })
    await write({ at: hour - 9, channel: another }, {}, read4)
    // The second call of the session is in the next hour, and the third is served by another channel.
    await write({ at: hour - 5, session: 's' })
    await write({ at: hour + 5, session: 's' }, { prompt_tokens: 6_000 })
    await write({ at: hour + 9, session: 's', channel: another })
    await write({ at: hour + 9, session: 's', user_id: 2 })
    await write({ at: hour + 9, session: 's', model: 'n' })
    // The job counts one hour after the other, and these two are in different ones.
    await write({ at: hour - 5 * 3_600 - 5, session: 'r' })
    await write({ at: hour - 5 * 3_600 + 5, session: 'r' })
    await sumAll()
    const miss = { expecting: 1, calls: 1, tokens: 4_000, points: 6_000 }
    const misses = { expecting: 2, calls: 2, tokens: 8_000, points: 12_000 }
    expect(await read()).toEqual({
      begin: hour + 3_600 - 7 * day,
      until: hour + 45 * 60,
      totals: {
        ...{ calls: 9, prompt_tokens: 34_007, read_tokens: 1_250, written_tokens: 340 },
        ...{ hit_rate: 1_250 / 34_007, misses },
      },
      models: [
        {
          ...{ model: 'm', calls: 7, prompt_tokens: 30_000, read_tokens: 1_250 },
          ...{ written_tokens: 340, hit_rate: 1_250 / 30_000, misses },
        },
        { ...none, model: 'n', calls: 1, prompt_tokens: 4_000 },
        { ...none, model: 'silent', calls: 1, prompt_tokens: 7 },
      ],
    })
    expect((await read(another)).totals).toMatchObject({ calls: 2, misses: miss })
  })

  it('rows that are written late count, and rows that were deleted still do', async () => {
    const before = await read()
    await write({ at: hour - 20 }, { prompt_tokens: 500 })
    await sumAll()
    const late = await read()
    // The oldest hour, with one call, has left the 7 days meanwhile.
    expect(late.begin).toBe(before.begin + 3_600)
    expect(late.totals.prompt_tokens).toBe(before.totals.prompt_tokens - 4_000 + 500)
    await hub.app.db
      .deleteFrom('logs')
      .where('created_at', '=', hour + 5)
      .execute()
    await sumAll()
    expect((await read()).totals).toEqual(late.totals)
  })

  it('the job counts on where it stopped, and forgets what is older than 7 days', async () => {
    hub.clock.now += 3 * day * 1_000
    await write({ at: now() - day }, { prompt_tokens: 900 })
    await sumAll()
    expect((await read()).models[0]).toMatchObject({ model: 'm', calls: 8, prompt_tokens: 27_400 })
    hub.clock.now += 8 * day * 1_000
    await sumAll()
    expect(await read()).toMatchObject({ totals: none, models: [] })
    expect(await hub.app.db.selectFrom('cache_sums').selectAll().execute()).toEqual([])
  })
}

const jobTests = () => {
  it('misses are found over pages of rows and over hours', async () => {
    hub.clock.now += 8 * day * 1_000
    const last = now() - (now() % 3_600) - 600
    const calls = Array.from({ length: 4_200 }, (_, index) => ({
      ...{ at: last - 2 * index, session: index % 2 === 0 ? 'even' : 'odd' },
    }))
    // One call of each session is alone: it has expired when the next one begins.
    calls.push(...['even', 'odd'].map(session => ({ at: last - 8_398 - 310, session })))
    await writeAll(calls)
    await sumAll()
    const figures = { expecting: 4_198, calls: 4_198, tokens: 4_198 * 4_000, points: 4_198 * 6_000 }
    expect((await read()).totals).toMatchObject({ calls: 4_202, misses: figures })
  })

  it('an error of these sums does not stop the notice of unusual spend', async () => {
    await subscribe(hub.root, 'site', ['spend.unusual'])
    hub.clock.now += 20 * day * 1_000
    for (const days of [1, 2, 3, 4]) await write({ at: now() - days * day })
    await write({ at: now() }, { quota: 50_000_000 })
    hub.clock.now += 20 * 60_000
    const { db } = hub.app
    await db.schema.alterTable('cache_sums').renameTo('other_sums').execute()
    await expect(sumUsage.run(hub.app)).rejects.toThrow()
    await db.schema.alterTable('other_sums').renameTo('cache_sums').execute()
    expect((await noticesOf(hub.root, 'site', 'spend.unusual')).length).toBe(1)
  })

  it('only administrators read them, and an unknown channel is refused', async () => {
    const person = await hub.person(1)
    const admin = await hub.person(10)
    expect((await admin.get(`/api/channel/${channel}/cache`)).status).toBe(200)
    expect((await person.get(`/api/channel/${channel}/cache`)).status).toBe(403)
    expect((await hub.root.get('/api/channel/999999/cache')).status).toBe(404)
  })
}

onBothEngines('the prompt cache of a channel', open => {
  beforeAll(async () => {
    hub = await open()
    hub.clock.now = startedAt
    const create = async (name: string): Promise<number> => {
      const body = { type: 1, name, models: 'm', key: 'sk-x' }
      return (await hub.root.post('/api/channel/', body)).body.data[0].id
    }
    channel = await create('v')
    another = await create('w')
  })
  figureTests()
  jobTests()
})
