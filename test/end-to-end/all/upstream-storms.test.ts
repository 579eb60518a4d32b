import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../../harness/frames.ts'
import { accountOf } from '../../harness/ledger.ts'
import { describeOneEngine } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

const retryTimes = 2

describeOneEngine(engine => {
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

  /** Calls until channel `a` was asked this often, and returns when it was. Every call must be answered. */
  const timesAsked = async (model: string, times: number): Promise<number[]> => {
    hub.upstream.forget()
    const person = await hub.admin.addPerson(1_000_000_000)
    const ofA = () => hub.upstream.served.filter(each => each.channel === 'a')
    const call = async () => {
      expect((await hub.ask({ key: person.key, model })).complete).toBe(true)
      return ofA().length >= times
    }
    await until(`a was asked ${times} times`, call)
    return ofA().map(each => each.at)
  }

  it('R12 a channel that refuses again and again cools down for the configured time, and then works again', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '5')
    hub.upstream.behave('a', 'status=429')
    const [, , third, fourth] = await timesAsked('any:cooling', 4)
    expect(fourth! - third!).toBeGreaterThan(4_900)
    storm('')
    const [works] = await timesAsked('any:cooling', 1)
    expect(works! - fourth!).toBeGreaterThan(4_900)
  })

  it('R12 a Retry-After of the vendor is honoured where it is longer than the setting', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '1')
    hub.upstream.behave('a', 'status=429;retry-after=6')
    const [first, second] = await timesAsked('any:later', 2)
    expect(second! - first!).toBeGreaterThan(5_900)
    storm('')
  })

  it('R12 while every channel cools down a call still asks one of them, and only once', async () => {
    storm('status=429;retry-after=3600')
    const person = await hub.admin.addPerson(1_000_000)
    const call = () => hub.ask({ key: person.key, model: 'any:all' })
    for (let n = 0; n < 3; n += 1) expect((await call()).status).toBe(429)
    hub.upstream.forget()
    expect((await call()).status).toBe(429)
    expect(hub.upstream.served).toHaveLength(1)
    storm('')
    expect((await call()).complete).toBe(true)
  })

  /** Channels of one model, apart from the calls of other tests. */
  const addChannels = async (model: string, names: readonly string[]) => {
    for (const name of names)
      await hub.admin.addChannel(`${hub.upstream.url}/${name}`, { models: `${model}*` })
  }

  /** Sends calls one after another, and returns how many were answered. */
  const answeredOf = async (calls: number, model: string, prepare?: (n: number) => void) => {
    const person = await hub.admin.addPerson(1_000_000_000)
    let answered = 0
    for (let n = 0; n < calls; n++) {
      prepare?.(n)
      if ((await hub.ask({ key: person.key, model })).complete) answered++
    }
    return answered
  }

  it.each(['0', '5'])(
    'R18 while every channel fails, the upstream meets at most 1.2 times the calls, and all are served right after, with a cooldown of %s seconds',
    async cooldown => {
      await hub.admin.setOption('RetryCooldownSeconds', cooldown)
      const model = `any:outage${cooldown}`
      const names = ['f', 'g', 'h'].map(each => each + cooldown)
      await addChannels(model, names)
      for (const each of names) hub.upstream.behave(each, 'status=500')
      hub.upstream.forget()
      const callers = (calls: number) =>
        Promise.all(Array.from({ length: 4 }, () => answeredOf(calls / 4, model)))
      expect(await callers(200)).toEqual([0, 0, 0, 0])
      expect(hub.upstream.served.length).toBeLessThanOrEqual(200 * 1.2 + 10)
      for (const each of names) hub.upstream.behave(each, '')
      expect(await callers(48)).toEqual([12, 12, 12, 12])
    },
  )

  it('R19 a channel without another that fails every second call serves the others', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '5')
    await addChannels('any:solo', ['solo'])
    const prepare = (n: number) => hub.upstream.behave('solo', n % 2 === 0 ? 'status=500' : '')
    expect(await answeredOf(60, 'any:solo', prepare)).toBe(30)
  })

  it('storms that callers cause disable no channel: bad requests, wrong keys, empty accounts, too many calls', async () => {
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    await hub.admin.setOption('AutomaticDisableChannelEnabled', 'true')
    await addChannels('any:storm', ['storm'])
    const [rich, poor] = [await hub.admin.addPerson(1_000_000), await hub.admin.addPerson(0)]
    const model = 'any:storm'
    const statuses = new Set<number>()
    const callMany = async (key: string) => {
      const calls = Array.from({ length: 20 }, () => hub.ask({ key, model }))
      for (const { status } of await Promise.all(calls)) statuses.add(status)
    }
    for (const status of [400, 402, 429]) {
      hub.upstream.behave('storm', `status=${status}`)
      await callMany(rich.key)
    }
    hub.upstream.behave('storm', '')
    hub.upstream.forget()
    await callMany(`sk-${'x'.repeat(48)}`)
    await callMany(poor.key)
    expect(hub.upstream.served).toEqual([])
    expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 429]))
    const channels = await hub.admin.api<{ data: { id: number; status: number }[] }>(
      'GET',
      '/api/channel/?size=100',
    )
    expect(new Set(channels.data.map(each => each.status))).toEqual(new Set([1]))
    for (const { id } of channels.data)
      expect(await hub.admin.api('GET', `/api/channel/${id}/changes`)).toEqual([])
    expect((await hub.ask({ key: rich.key, model })).complete).toBe(true)
    await hub.admin.setOption('AutomaticDisableChannelEnabled', 'false')
  })

  it.each(['0', '5'])(
    'R19 a channel that fails every second call costs no call beside a healthy one, with a cooldown of %s seconds',
    async cooldown => {
      await hub.admin.setOption('RetryCooldownSeconds', cooldown)
      const model = `any:flapping${cooldown}`
      const [flapping, healthy] = [`flapping${cooldown}`, `healthy${cooldown}`]
      await addChannels(model, [flapping, healthy])
      const prepare = (n: number) => hub.upstream.behave(flapping, n % 2 === 0 ? 'status=500' : '')
      expect(await answeredOf(200, model, prepare)).toBe(200)
    },
  )
})
