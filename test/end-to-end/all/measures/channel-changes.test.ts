import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeSuspendTolerantClock,
  type SuspendTolerantClock,
} from '../../../../apps/server/src/lib/time/suspend-tolerant-clock.ts'
import { callApi } from '../../../harness/admin.ts'
import { ask, type ObservedCall, unlimitedAgent } from '../../../harness/client.ts'
import { describeEachEngine } from '../../../harness/runner/describe-engines.ts'
import { until } from '../../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

/** The soak makes 1,000, and has the machine for itself. */
const isSoak = process.env.HUB_CHANNEL_CHANGES !== undefined
const changesCount = Number(process.env.HUB_CHANNEL_CHANGES ?? 60)
/** Upper bound until a change applies on every node. */
const secondMs = 1_000
const callersPerNode = 4
const model = 'any:changing'

type Call = ObservedCall & { node: number; sentAt: number }
/** A key that the channel was given, and when the change was confirmed. */
type Version = { at: number; node: number }

describeEachEngine(engine => {
  // One SQLite file belongs to one process.
  const instances = engine.name === 'PostgreSQL' ? 2 : 1
  let hub: TestHub
  /** Time in which the machine was suspended does not count. */
  let clock: SuspendTolerantClock
  beforeAll(async () => {
    clock = makeSuspendTolerantClock()
    clock.start()
    hub = await startTestHub(engine, { instances })
  })
  afterAll(() => {
    clock.stop()
    return hub?.close()
  })

  /** Calls every node without a pause, until the work is done. */
  const callDuring = async (key: string, work: () => Promise<void>): Promise<Call[]> => {
    const calls: Call[] = []
    const agent = unlimitedAgent()
    let isOver = false
    const callers = Array.from({ length: callersPerNode * instances }, async (_, at) => {
      const node = at % instances
      const { url } = hub.gateways[node]!
      while (!isOver) {
        const sentAt = clock.now()
        const seen = await ask({ url, key, model, agent, stream: calls.length % 2 === 0 })
        calls.push({ ...seen, node, sentAt })
      }
    })
    try {
      await work()
    } finally {
      isOver = true
      await Promise.all(callers)
      agent.destroy()
    }
    return calls
  }

  const change = async (id: number, version: number): Promise<Version> => {
    const node = version % instances
    const body = { id, key: `sk-version-${version}`, weight: 1 + (version % 9) }
    const bearer = hub.gateway.accessToken
    const response = await callApi(hub.gateways[node]!, { bearer }, 'PUT', '/api/channel/', body)
    expect(response.success, response.message).toBe(true)
    return { at: clock.now(), node }
  }

  /** The version of the channel that served each call. */
  const readVersions = (): Map<string, number> =>
    new Map(
      hub.upstream.served.map(({ mark, credential }) => [
        mark,
        Number(/sk-version-(\d+)$/.exec(credential)?.[1]),
      ]),
    )

  it('every node obeys every change of a channel within a second, and no call under load fails', async () => {
    const person = await hub.admin.addPerson(1_000_000_000)
    const [channel] = await hub.admin.addChannel(`${hub.upstream.url}/changing`, {
      ...{ models: model, key: 'sk-version-0' },
    })
    await hub.admin.setPrice(model, 'tokens', 1)
    const ready = () =>
      Promise.all(hub.gateways.map(({ url }) => ask({ url, key: person.key, model })))
    await until('every node knows the channel', async () => {
      hub.upstream.forget()
      await ready()
      return hub.upstream.served.every(each => each.channel === 'changing')
    })
    hub.upstream.forget()
    const versions: Version[] = [{ at: 0, node: 0 }]
    const calls = await callDuring(person.key, async () => {
      for (let version = 1; version <= changesCount; version++)
        versions.push(await change(channel!.id, version))
      // Calls of every node meet the last version too.
      await until('a second has passed', () => clock.now() > versions.at(-1)!.at + 1.5 * secondMs)
    })

    expect(calls.filter(each => !each.complete).map(each => each.text)).toEqual([])
    const served = readVersions()
    expect(hub.upstream.served).toHaveLength(calls.length)
    /** How long after a change a node still used the version before it. */
    const delays = calls.flatMap(({ mark, node, sentAt }) => {
      const next = versions[served.get(mark)! + 1]
      return next && sentAt > next.at
        ? [{ delay: sentAt - next.at, isOwn: node === next.node }]
        : []
    })
    const longest = (isOwn: boolean) =>
      Math.max(0, ...delays.filter(each => each.isOwn === isOwn).map(each => each.delay)).toFixed(0)
    console.log(
      `R43 on ${engine.name}: ${changesCount} changes, ${calls.length} calls, ${instances} nodes; ` +
        `an old version was used for at most ${longest(true)} ms by the changed node, ${longest(false)} ms by another`,
    )
    if (isSoak) expect(Math.max(0, ...delays.map(each => each.delay))).toBeLessThan(secondMs)
    for (const node of hub.gateways.keys())
      expect(served.get(calls.findLast(each => each.node === node)!.mark)).toBe(changesCount)
    await hub.settled()
    await hub.audit()
  })
})
