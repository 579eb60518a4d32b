import { expect, it } from 'vitest'
import server from '../package.json' with { type: 'json' }
import { atFault } from '../src/core/metrics.ts'
import { openTestApp, type TestApp } from './harness.ts'
import { openPostgres, postgresSkipReason } from './postgres.ts'
import { describeInRedis } from './redis.ts'
import { useRelayHub } from './relay-hub.ts'

const access = { METRICS_USER: 'watcher', METRICS_PASSWORD: 'watched' }
const hub = useRelayHub(access)

const figures = async (app: TestApp = hub.app): Promise<Map<string, number>> => {
  const authorization = `Basic ${Buffer.from('watcher:watched').toString('base64')}`
  const { text } = await app.guest({ headers: { authorization } }).get('/api/metrics')
  const lines = text.split('\n').filter(line => line.startsWith('hub_'))
  return new Map(lines.map(line => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

const startingWith = (all: Map<string, number>, prefix: string) =>
  Object.fromEntries([...all].filter(([name]) => name.startsWith(prefix)))

const chat = (model: string) =>
  hub.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hello' }] })

it('the metrics name build, journal, holds and unsettled charges', async () => {
  const all = await figures()
  const build = `hub_build_info{version="${server.version}",node="${process.version}"}`
  expect(all.get(build)).toBe(1)
  for (const name of ['hub_journal_bytes', 'hub_open_holds', 'hub_unsettled_charges'])
    expect(all.get(name), name).toBe(0)
})

it('the metrics count attempts per channel, retries and cooling channels', async () => {
  await hub.addChannel(1, 'any:*', { priority: 9 })
  await hub.addChannel(1, 'any:*', { base_url: `${hub.upstream.url}/b` })
  expect((await chat('any:out=2')).status).toBe(200)
  const attempts = (channel: number, outcome: string) =>
    `hub_channel_attempts_total{channel="${channel}",outcome="${outcome}",at_fault="${atFault(outcome)}"}`
  const before = await figures()
  expect(startingWith(before, 'hub_channel_attempts_total')).toEqual({ [attempts(1, 'ok')]: 1 })
  expect(before.get('hub_retries_total')).toBe(0)
  expect(before.get('hub_channels_cooling')).toBe(0)
  expect(before.get('hub_socket_sessions')).toBe(0)

  await hub.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '600' })
  expect((await chat('any:status=402')).status).toBeGreaterThan(400)
  const after = await figures()
  expect(after.get('hub_retries_total')).toBe(1)
  expect(after.get('hub_channels_cooling')).toBe(2)
  const failed = Object.keys(startingWith(after, 'hub_channel_attempts_total'))
  expect(failed).toHaveLength(3)
})

describeInRedis('metrics with Redis', redis => {
  it('the metrics show whether Redis answers', async () => {
    const app = await openTestApp(undefined, { ...access, REDIS_URL: redis.url })
    expect((await figures(app)).get('hub_redis_up')).toBe(1)
    await redis.kill()
    expect((await figures(app)).get('hub_redis_up')).toBe(0)
    await app.close(1)
  })
})

const missing = postgresSkipReason()

it.skipIf(missing)(
  `the metrics show the use of PostgreSQL pools${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const postgres = await openPostgres()
    const app = await openTestApp(await postgres.migrated('metrics'), access)
    const all = await figures(app)
    for (const name of ['hub_database_connections_in_use', 'hub_database_waiting'])
      expect(Object.keys(startingWith(all, name))).toEqual([
        `${name}{pool="console"}`,
        `${name}{pool="calls"}`,
      ])
    await app.close(1)
    await postgres.stop()
  },
)
