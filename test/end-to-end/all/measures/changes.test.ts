import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeSuspendTolerantClock,
  type SuspendTolerantClock,
} from '../../../../apps/server/src/lib/time/suspend-tolerant-clock.ts'
import { callApi, type Person } from '../../../harness/admin.ts'
import { ask, mapConcurrently, type ObservedCall, unlimitedAgent } from '../../../harness/client.ts'
import { faultIn } from '../../../harness/frames.ts'
import { chargesOf } from '../../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../../harness/runner/describe-engines.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub, timesPrice } from '../../../harness/test-hub.ts'

/** Upper bound until a change applies on every node. */
const secondMs = 1_000

describeEnginesInParallel(engine => {
  // One SQLite file belongs to one process.
  const instances = engine.name === 'PostgreSQL' ? 2 : 1
  let hub: TestHub
  let groupId: number | undefined
  /** Time in which the machine was suspended does not count. */
  let clock: SuspendTolerantClock
  beforeAll(async () => {
    clock = makeSuspendTolerantClock()
    clock.start()
    hub = await startTestHub(engine, { instances })
    const { data } = await hub.admin.api<{ data: { id: number; symbol: string }[] }>(
      'GET',
      '/api/user_group/?size=100',
    )
    groupId = data.find(each => each.symbol === 'default')?.id
  })
  afterAll(() => {
    clock.stop()
    return hub?.close()
  })

  const onAll = (key: string, model: string) =>
    Promise.all(hub.gateways.map(({ url }) => ask({ url, key, model })))

  /** Makes the change through the first node, and looks a second later what all of them do. */
  const after = async (key: string, model: string, change: () => Promise<unknown>) => {
    // Each node knows the caller, so that what it remembers would show.
    for (const each of await onAll(key, model)) expect(each.complete).toBe(true)
    await change()
    const changedAt = clock.now()
    await sleep(secondMs - 50)
    const seen = await onAll(key, model)
    expect(clock.now() - changedAt).toBeLessThan(2 * secondMs)
    return seen
  }
  const codes = (seen: readonly ObservedCall[]) => seen.map(each => faultIn(each.text))
  const all = <T>(value: T): T[] => hub.gateways.map(() => value)
  const setGroup = (change: object) =>
    hub.admin.api('PUT', '/api/user_group/', { id: groupId, ...change })
  const chargedFor = async ({ id }: Person, seen: readonly ObservedCall[]) => {
    await hub.settled()
    const ids = new Set(seen.map(each => Number(each.requestId)))
    const charges = await chargesOf(hub.gateway, id)
    return charges.filter(each => ids.has(each.id)).map(each => each.amount)
  }
  const ownToken = async (person: Person, change: object) => {
    const session = { cookie: person.cookie }
    const list = await callApi<{ data: { id: number }[] }>(
      hub.gateway,
      session,
      'GET',
      '/api/token/',
    )
    const body = { id: list.data.data[0]?.id, ...change }
    expect((await callApi(hub.gateway, session, 'PUT', '/api/token/', body)).success).toBe(true)
  }

  it('a price is obeyed by every node within a second', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    await hub.admin.setPrice('times:p:*', 'times', 2)
    await sleep(secondMs)
    const seen = await after(person.key, 'times:p:out=1', () =>
      hub.admin.setPrice('times:p:*', 'times', 5),
    )
    expect(await chargedFor(person, seen)).toEqual(all(5 * timesPrice))
  })

  it('a group ratio is obeyed by every node within a second', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const seen = await after(person.key, 'times:out=1', () => setGroup({ ratio: 3 }))
    expect(await chargedFor(person, seen)).toEqual(all(3 * timesPrice))
    await setGroup({ ratio: 1 })
    await sleep(secondMs)
  })

  it('a limit of a group and one of a token are obeyed by every node within a second', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    const spent = { quota_per_day: 1 }
    const grouped = await after(person.key, 'times:out=1', () => setGroup(spent))
    expect(codes(grouped)).toEqual(all('insufficient_quota'))
    const free = { quota_per_day: null }
    await setGroup(free)
    await sleep(secondMs)
    const token = await after(person.key, 'times:out=1', () => ownToken(person, spent))
    expect(codes(token)).toEqual(all('insufficient_quota'))
    await ownToken(person, free)
    await sleep(secondMs)
    for (const each of await onAll(person.key, 'times:out=1')) expect(each.complete).toBe(true)
  })

  it('the status of a token, a user, a group and a channel is obeyed by every node within a second', async () => {
    const disabled = await hub.admin.addPerson(1_000_000)
    const token = await after(disabled.key, 'times:out=1', () => ownToken(disabled, { status: 2 }))
    expect(codes(token)).toEqual(all('invalid_api_key'))

    const banned = await hub.admin.addPerson(1_000_000)
    const user = await after(banned.key, 'times:out=1', () =>
      hub.admin.api('POST', '/api/user/manage', {
        username: banned.username,
        action: 'disable',
      }),
    )
    expect(codes(user)).toEqual(all('account_deactivated'))

    const group = { symbol: 'closing', name: 'closing', api_rate: 1_000_000 }
    const made = await hub.admin.api<{ id: number }>('POST', '/api/user_group/', group)
    const [channel] = await hub.admin.addChannel(`${hub.upstream.url}/a`, {
      group: 'closing,default',
      models: 'any:*,shut:*',
    })
    await hub.admin.setPrice('shut:*', 'times', 1)
    await sleep(secondMs)
    const member = await hub.admin.addPerson(1_000_000, {}, { group: 'closing' })
    const closed = await after(member.key, 'any:out=1', () =>
      hub.admin.api('PUT', `/api/user_group/enable/${made.id}`),
    )
    expect(codes(closed)).toEqual(all('group_not_allowed'))

    const person = await hub.admin.addPerson(1_000_000)
    const gone = await after(person.key, 'shut:out=1', () =>
      hub.admin.api('PUT', '/api/channel/', { id: channel?.id, status: 2 }),
    )
    for (const each of gone) expect(each.complete).toBe(false)
  })

  it('R29 price, ratio and limit change during 500 calls: each is charged as it was admitted', async () => {
    const person = await hub.admin.addPerson(100_000_000)
    await hub.admin.setPrice('times:first*', 'times', 1)
    await sleep(secondMs)
    const agent = unlimitedAgent()
    const running = mapConcurrently(500, 500, at => {
      const { url } = hub.gateways[at % hub.gateways.length]!
      const model = 'times:first=7000;out=2'
      return ask({ url, key: person.key, model, agent, stream: at % 2 === 0 })
    })
    await until(
      'all are under way',
      () => hub.upstream.served.filter(each => each.model.startsWith('times:first')).length === 500,
    )
    await Promise.all([
      hub.admin.setPrice('times:first*', 'times', 7),
      setGroup({ ratio: 2, quota_per_day: 1, concurrent_requests: 1 }),
    ])
    // Every node receives the change while all of them still run.
    await sleep(secondMs)
    const isRunning = hub.upstream.served.filter(
      each => each.model.startsWith('times:first') && !each.complete,
    )
    expect(isRunning).toHaveLength(500)
    const seen = await running
    agent.destroy()
    expect(seen.filter(each => each.complete)).toHaveLength(500)
    await hub.settled()
    const charges = await chargesOf(hub.gateway, person.id)
    expect([...new Set(charges.map(each => each.amount))]).toEqual([timesPrice])
    expect(charges).toHaveLength(500)
    const [late] = await onAll(person.key, 'times:first=1;out=1')
    expect(faultIn(late!.text)).toBe('insufficient_quota')
    await setGroup({ ratio: 1, quota_per_day: null, concurrent_requests: null })
    await hub.audit()
  })
})
