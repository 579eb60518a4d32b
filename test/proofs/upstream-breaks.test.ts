import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { many } from '../harness/client.ts'
import { onEnginesSideBySide } from '../harness/each.ts'
import { faultIn, textIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { measured } from '../harness/measured.ts'
import { startWorld, type World } from '../harness/world.ts'

onEnginesSideBySide(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
    // A second channel, asked only when the first one fails.
    await world.admin.addChannel(`${world.upstream.url}/b`, { models: 'any:*', priority: 0 })
    const [first] = (
      await world.admin.api<{ data: { id: number }[] }>('GET', '/api/channel/?size=10&order=id')
    ).data
    await world.admin.api('PUT', '/api/channel/', { id: first?.id, priority: 10 })
    await world.admin.setOption('RetryCooldownSeconds', '0')
    await world.admin.setOption('FirstByteTimeoutSeconds', '2')
    await world.admin.setOption('IdleTimeoutSeconds', '2')
  })
  afterAll(() => world?.close())

  const fresh = () => world.admin.addPerson(1_000_000)
  const spent = async (id: number) => 1_000_000 - (await accountOf(world.gateway, id)).balance

  it.each(['reset=before', 'status=503', 'stall=headers'])(
    'R7 another channel answers when the first one fails before a byte was sent: %s',
    async script => {
      world.upstream.forget()
      world.upstream.behave('a', script)
      const person = await fresh()
      const seen = await world.ask({ key: person.key, model: 'any:out=4', stream: true })
      world.upstream.behave('a', '')
      expect([seen.status, seen.complete]).toEqual([200, true])
      expect(world.upstream.served.map(each => each.channel)).toEqual(['a', 'b'])
      await world.settled()
      expect(await chargesOf(world.gateway, person.id)).toHaveLength(1)
      expect(await spent(person.id)).toBe(14)
    },
  )

  it.each(['reset=3', 'reset=middle;out=3', 'fin=3', 'stall=3'])(
    'R7 R8 R9 a stream that breaks after bytes were sent ends with an error event, once, and what was sent is charged: %s',
    async script => {
      world.upstream.forget()
      const person = await fresh()
      const seen = await world.ask({ key: person.key, model: `any:${script}`, stream: true })
      expect(seen.status).toBe(200)
      expect(textIn(seen.text)).toBe('t0 xt1 xt2 x')
      expect(faultIn(seen.text)).toMatch(/^upstream_(broken|timeout)$/)
      expect(world.upstream.served).toHaveLength(1)
      await world.settled()
      const [charge, ...more] = await chargesOf(world.gateway, person.id)
      expect(more).toEqual([])
      // The prompt and three short pieces, by the gateway's own count: never nothing, never the whole answer.
      expect(charge?.amount).toBeGreaterThan(0)
      expect(await spent(person.id)).toBe(charge?.amount)
      await world.audit()
    },
  )

  it(
    'R8 time limits fire within a tenth of their setting, and nothing is charged without an answer',
    measured,
    async () => {
      world.upstream.behave('b', 'stall=headers')
      world.upstream.behave('a', 'stall=headers')
      await world.admin.setOption('RetryTimes', '0')
      const person = await fresh()
      const since = performance.now()
      const seen = await world.ask({ key: person.key, model: 'any:', stream: true })
      const waited = performance.now() - since
      world.upstream.behave('a', '')
      world.upstream.behave('b', '')
      await world.admin.setOption('RetryTimes', '3')
      expect([seen.status, faultIn(seen.text)]).toEqual([504, 'upstream_timeout'])
      expect(waited).toBeGreaterThan(1_800)
      expect(waited).toBeLessThan(2_300)
      await world.settled()
      expect(await spent(person.id)).toBe(0)
    },
  )

  it(
    'R8 an idle stream is given up within a tenth of the setting; a slow one is not',
    measured,
    async () => {
      const person = await fresh()
      const stalled = await world.ask({ key: person.key, model: 'any:stall=2', stream: true })
      expect(stalled.endedAt - stalled.headAt).toBeGreaterThan(1_800)
      expect(stalled.endedAt - stalled.headAt).toBeLessThan(2_400)
      const slow = await world.ask({ key: person.key, model: 'any:out=4;every=900', stream: true })
      expect(slow.complete).toBe(true)
    },
  )

  it('R7 R9 a hundred broken streams at once: each is told, each is charged once, no socket stays', async () => {
    const person = await fresh()
    const scripts = ['reset=2', 'fin=2', 'reset=middle;out=2']
    const seen = await many(100, 50, at =>
      world.ask({ key: person.key, model: `any:${scripts[at % 3]}`, stream: true }),
    )
    expect(seen.filter(each => faultIn(each.text) !== 'upstream_broken')).toEqual([])
    await world.settled()
    expect(await chargesOf(world.gateway, person.id)).toHaveLength(100)
    await world.audit()
  })
})
