import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines, hasRedis, type Redis, startRedis } from '../../harness/engines.ts'
import { faultIn } from '../../harness/frames.ts'
import { accountOf, chargesOf } from '../../harness/ledger.ts'
import { openUnread } from '../../harness/raw-http.ts'
import { until } from '../../harness/runner/until.ts'
import { openSocket } from '../../harness/sockets/client.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

const engine = engines.find(each => each.name === 'PostgreSQL')!
/** Running calls and jobs may take this long after SIGTERM. */
const deadlineSeconds = 5
/** An operator who follows docs/operations.md kills the process after this; a loaded machine gets twice the time. */
const killedAfterMs = (deadlineSeconds + 12) * 1_000
/** Most jobs start each two seconds. */
const jobStartsMs = 3_000
/** Ten tokens of input, and one of output each 50 ms. */
const longStream = 'any:in=10;out=100000;every=50'

// Both servers are suspended. Where one is not installed `npm test` says so, and CI fails.
describe.skipIf(!engine.available || !hasRedis)('a stop while nothing answers', () => {
  let hub: TestHub
  let redis: Redis
  beforeEach(async () => {
    redis = await startRedis()
    hub = await startTestHub(engine, {
      redisUrl: redis.url,
      env: { STOP_DELAY_SECONDS: '0', STOP_DEADLINE_SECONDS: String(deadlineSeconds) },
    })
  })
  afterEach(async () => {
    await hub?.close()
    await redis?.close()
  })

  const stopInTime = () =>
    Promise.race([hub.gateway.stop('SIGTERM'), sleep(2 * killedAfterMs, 'still running')])

  /** Starts it again on the same data, and returns the charges of one person. */
  const chargesAfterRestart = async (userId: number) => {
    await hub.gateway.start()
    await hub.settled()
    await hub.audit()
    expect(await accountOf(hub.gateway, userId)).toMatchObject({ held: 0 })
    return (await chargesOf(hub.gateway, userId)).map(each => each.amount)
  }

  it('ends although Redis is frozen, with a job that waits for its lock', async () => {
    const person = await hub.admin.addPerson(1_000_000, { requests_per_day: 1_000 })
    expect((await hub.ask({ key: person.key, model: 'any:in=10;out=40' })).complete).toBe(true)
    const thaw = redis.freeze()
    try {
      await sleep(jobStartsMs)
      expect(await stopInTime()).toBe(0)
    } finally {
      thaw()
    }
    expect(await chargesAfterRestart(person.id)).toEqual([50])
  })

  it('ends although PostgreSQL is frozen, and the next start charges the stream that was cut', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const call = hub.ask({ key: person.key, model: longStream, stream: true })
    await until('it is being served', () => hub.upstream.served.some(each => each.pieces > 5))
    const thaw = hub.database.freeze()
    try {
      expect(await stopInTime()).toBe(0)
    } finally {
      thaw()
    }
    const { text, pieces } = await call
    expect(faultIn(text)).toBe('server_stopping')
    const [charge, ...others] = await chargesAfterRestart(person.id)
    expect(others).toEqual([])
    expect(charge).toBeGreaterThanOrEqual(10 + pieces)
  })

  it('ends although callers read nothing', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const unread = await openUnread(hub.gateway.url, person.key, 'any:in=10;out=100000;size=10000')
    const authorization = `Bearer ${person.key}`
    const session = await openSocket(`${hub.gateway.url}/v1/responses`, { authorization })
    session.socket.pause()
    await until('the stream has begun', () => hub.upstream.served.some(each => each.pieces > 0))
    expect(await stopInTime()).toBe(0)
    unread.destroy()
    session.socket.terminate()
    expect(await chargesAfterRestart(person.id)).toHaveLength(1)
  })
})
