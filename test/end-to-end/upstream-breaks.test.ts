import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently } from '../harness/client.ts'
import { faultIn, textIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { endedByLimit } from '../harness/runner/ended-by-limit.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    // A second channel, used only after the first one fails.
    await hub.admin.addChannel(`${hub.upstream.url}/b`, { models: 'any:*', priority: 0 })
    const [first] = (
      await hub.admin.api<{ data: { id: number }[] }>('GET', '/api/channel/?size=10&order=id')
    ).data
    await hub.admin.api('PUT', '/api/channel/', { id: first?.id, priority: 10 })
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    await hub.admin.setOption('FirstByteTimeoutSeconds', '2')
    await hub.admin.setOption('IdleTimeoutSeconds', '2')
  })
  afterAll(() => hub?.close())

  const fresh = () => hub.admin.addPerson(1_000_000)
  const spent = async (id: number) => 1_000_000 - (await accountOf(hub.gateway, id)).balance

  it.each(['reset=before', 'status=503', 'stall=headers'])(
    'R7 another channel answers when the first one fails before a byte was sent: %s',
    async script => {
      hub.upstream.forget()
      hub.upstream.behave('a', script)
      const person = await fresh()
      const seen = await hub.ask({ key: person.key, model: 'any:out=4', stream: true })
      hub.upstream.behave('a', '')
      expect([seen.status, seen.complete]).toEqual([200, true])
      expect(hub.upstream.served.map(each => each.channel)).toEqual(['a', 'b'])
      await hub.settled()
      expect(await chargesOf(hub.gateway, person.id)).toHaveLength(1)
      expect(await spent(person.id)).toBe(14)
    },
  )

  it.each(['reset=3', 'reset=middle;out=3', 'fin=3', 'stall=3'])(
    'R7 R8 R9 a stream that breaks after bytes were sent ends with an error event, once, and what was sent is charged: %s',
    async script => {
      hub.upstream.forget()
      const person = await fresh()
      const seen = await hub.ask({ key: person.key, model: `any:${script}`, stream: true })
      expect(seen.status).toBe(200)
      expect(textIn(seen.text)).toBe('t0 xt1 xt2 x')
      expect(faultIn(seen.text)).toMatch(/^upstream_(broken|timeout)$/)
      expect(hub.upstream.served).toHaveLength(1)
      await hub.settled()
      const [charge, ...more] = await chargesOf(hub.gateway, person.id)
      expect(more).toEqual([])
      // The prompt and three short pieces, by the gateway's own count: never nothing, never the whole answer.
      expect(charge?.amount).toBeGreaterThan(0)
      expect(await spent(person.id)).toBe(charge?.amount)
      await hub.audit()
    },
  )

  // A limit is never late: `lib/time/timers.test.ts`.
  it.each([
    ['FirstByteTimeoutSeconds', 'any:stall=headers', 504],
    ['IdleTimeoutSeconds', 'any:stall=2', 200],
  ] as const)(
    'R8 a vendor that falls silent is given up after %s: %s',
    async (setting, model, status) => {
      await hub.admin.setOption('RetryTimes', '0')
      const { id, key } = await fresh()
      const call = { key, model, stream: true }
      const seen = await endedByLimit(hub, setting, ['3600', '2'], call)
      await hub.admin.setOption('RetryTimes', '3')
      expect([seen.status, faultIn(seen.text)]).toEqual([status, 'upstream_timeout'])
      await hub.settled()
      // The first of the two was left before it was given up.
      if (status === 504) expect(await spent(id)).toBe(0)
    },
  )

  it('R8 a slow stream is not given up as long as each piece comes in time', async () => {
    const person = await fresh()
    const slow = await hub.ask({ key: person.key, model: 'any:out=6;every=500', stream: true })
    expect(slow.complete).toBe(true)
  })

  it('R7 R9 a hundred broken streams at once: each ends with an error, each is charged once, no socket stays open', async () => {
    const person = await fresh()
    const scripts = ['reset=2', 'fin=2', 'reset=middle;out=2']
    const seen = await mapConcurrently(100, 50, at =>
      hub.ask({ key: person.key, model: `any:${scripts[at % 3]}`, stream: true }),
    )
    expect(seen.filter(each => faultIn(each.text) !== 'upstream_broken')).toEqual([])
    await hub.settled()
    expect(await chargesOf(hub.gateway, person.id)).toHaveLength(100)
    await hub.audit()
  })
})
