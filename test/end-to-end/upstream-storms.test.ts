import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../harness/frames.ts'
import { accountOf } from '../harness/ledger.ts'
import { describeEnginesInParallel } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

const retryTimes = 2

describeEnginesInParallel(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    for (const name of ['b', 'c', 'd', 'e'])
      await hub.admin.addChannel(`${hub.upstream.url}/${name}`, { models: 'any:*' })
    await hub.admin.setOption('RetryTimes', String(retryTimes))
  })
  afterAll(() => hub?.close())
  const channels = ['a', 'b', 'c', 'd', 'e']
  const storm = (script: string) => {
    for (const each of channels) hub.upstream.behave(each, script)
  }

  it.each([429, 500, 503, 529])(
    'R12 a storm of %i costs one try and the retries, and nothing else',
    async status => {
      await hub.admin.setOption('RetryCooldownSeconds', '0')
      storm(`status=${status}`)
      hub.upstream.forget()
      const person = await hub.admin.addPerson(1_000_000)
      const seen = await hub.ask({ key: person.key, model: `any:s${status}` })
      storm('')
      expect(faultIn(seen.text)).toMatch(/^(upstream_|rate_limit|server_is_overloaded)/)
      expect(seen.status).toBe({ 429: 429, 529: 503 }[status] ?? 502)
      expect(hub.upstream.served).toHaveLength(1 + retryTimes)
      // Never the same channel twice for one request.
      expect(new Set(hub.upstream.served.map(each => each.channel)).size).toBe(1 + retryTimes)
      await hub.settled()
      expect((await accountOf(hub.gateway, person.id)).balance).toBe(1_000_000)
    },
  )

  it('R12 a channel that refused cools down for the configured time, and then works again', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '5')
    const person = await hub.admin.addPerson(1_000_000)
    const model = 'any:rest'
    storm('status=429')
    hub.upstream.forget()
    for (let at = 0; at < 3; at += 1) await hub.ask({ key: person.key, model })
    storm('')
    expect(hub.upstream.served.length).toBeLessThanOrEqual(channels.length)
    const resting = await hub.ask({ key: person.key, model })
    expect([resting.status, faultIn(resting.text)]).toEqual([503, 'channel_none'])
    const works = async () => (await hub.ask({ key: person.key, model })).complete
    await until('it works again', works, 10_000)
  })

  it('R12 a Retry-After of the vendor is honoured where it is longer than the setting', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '1')
    const person = await hub.admin.addPerson(1_000_000)
    const model = 'any:later'
    storm('status=429;retry-after=6')
    for (let at = 0; at < 3; at += 1) await hub.ask({ key: person.key, model })
    storm('')
    await sleep(1_500)
    const early = await hub.ask({ key: person.key, model })
    expect(early.complete).toBe(false)
    const works = async () => (await hub.ask({ key: person.key, model })).complete
    await until('it works again', works, 10_000)
  })
})
