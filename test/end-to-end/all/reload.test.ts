import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../../harness/admin.ts'
import { mapConcurrently, type ObservedCall, unlimitedAgent } from '../../harness/client.ts'
import { openFiles, rssBytes } from '../../harness/process/stats.ts'
import { describeEachEngineConcurrently } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

const changesCount = Number(process.env.HUB_CHANGES ?? 120)

describeEachEngineConcurrently(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setPrice('other', 'tokens', 1)
  })
  afterAll(() => hub?.close())

  const change = (method: string, path: string, body: object) =>
    callApi(hub.gateway, { bearer: hub.gateway.accessToken }, method, path, body)

  it('R43 changes on each engine of channels, prices, settings and keys under load: no call fails, a wrong one changes nothing, and nothing grows', async () => {
    const person = await hub.admin.addPerson(1_000_000_000)
    const [secondChannel] = await hub.admin.addChannel(`${hub.upstream.url}/spare`, {
      models: 'any:*',
    })
    const valid = [
      (at: number) => ['PUT', '/api/channel/', { id: secondChannel?.id, weight: 1 + (at % 9) }],
      (at: number) => ['PUT', '/api/channel/', { id: secondChannel?.id, key: `sk-turned-${at}` }],
      (at: number) => [
        'PUT',
        '/api/prices/single/other',
        { model: 'other', type: 'tokens', input: 1 + at, output: 1, channel_type: 1 },
      ],
      (at: number) => ['PUT', '/api/option/', { key: 'Notice', value: `notice ${at}` }],
      (at: number) => ['PUT', '/api/option/', { key: 'RetryTimes', value: String(at % 4) }],
    ] as ((at: number) => [string, string, object])[]
    const wrong = [
      ['PUT', '/api/option/', { key: 'RetryTimes', value: 'many' }],
      ['PUT', '/api/option/', { key: 'NoSuchSetting', value: '1' }],
      ['PUT', '/api/channel/', { id: secondChannel?.id, base_url: 'no address' }],
      ['PUT', '/api/prices/single/other', { model: 'other', type: 'tokens', input: -1, output: 1 }],
    ] as [string, string, object][]

    const agent = unlimitedAgent()
    const seen: ObservedCall[] = []
    let isOver = false
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        while (!isOver)
          seen.push(
            await hub.ask({
              key: person.key,
              model: 'any:in=10;out=5;every=10',
              stream: at % 2 === 0,
              agent,
            }),
          )
      }),
    )
    const apply = async (count: number) => {
      const refused = await mapConcurrently(count, 4, async at => {
        const [method, path, body] = valid[at % valid.length]!(at)
        return (await change(method, path, body)).success ? [] : [path]
      })
      expect(refused.flat()).toEqual([])
    }
    // The first ones warm what is warmed once.
    await apply(changesCount / 4)
    const [files, memory] = [openFiles(hub.gateway.pid), rssBytes(hub.gateway.pid)]
    await apply(changesCount - changesCount / 4)
    for (const [method, path, body] of wrong) {
      const response = await change(method, path, body)
      expect([path, response.success, response.status >= 400 && response.status < 500]).toEqual([
        path,
        false,
        true,
      ])
    }
    isOver = true
    await load
    agent.destroy()

    expect(seen.length).toBeGreaterThan(100)
    expect(seen.filter(each => !each.complete).map(each => each.text)).toEqual([])
    const options = await hub.admin.api<{ key: string; value: string }[]>('GET', '/api/option/')
    expect(options.find(each => each.key === 'RetryTimes')?.value).toMatch(/^[0-3]$/)
    const channel = await hub.admin.api<{ base_url: string }>(
      'GET',
      `/api/channel/${secondChannel?.id}`,
    )
    expect(channel.base_url).toBe(`${hub.upstream.url}/spare`)
    await hub.settled()
    // Connections of channels that were changed are given back, not kept.
    await until('no file more is open', () => openFiles(hub.gateway.pid) < files + 40)
    const growth = () => (rssBytes(hub.gateway.pid) - memory) / 2 ** 20
    await until('the memory is given back', () => growth() < 64)
    await hub.audit()
  })
})
