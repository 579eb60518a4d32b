import { afterAll, beforeAll, expect, it } from 'vitest'
import { many } from '../harness/client.ts'
import { onEachEngine } from '../harness/each.ts'
import { faultIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { startWorld, type World } from '../harness/world.ts'

onEachEngine(engine => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(engine)
  })
  afterAll(() => world?.close())

  it('R24 the same Idempotency-Key a hundred times at once: one call, one charge, one answer', async () => {
    for (const stream of [false, true]) {
      world.upstream.forget()
      const person = await world.admin.addPerson(1_000_000)
      const same = {
        key: person.key,
        model: 'any:out=5;every=20',
        stream,
        mark: 'the same',
        headers: { 'idempotency-key': `once-${stream}` },
      }
      const seen = await many(100, 100, () => world.ask(same))
      const answers = new Set(seen.filter(each => each.complete).map(each => each.text))
      expect(answers.size).toBe(1)
      const others = seen.filter(each => !each.complete)
      expect(others.filter(each => faultIn(each.text) !== 'request_in_progress')).toEqual([])
      const later = await world.ask(same)
      expect([later.complete, later.text]).toEqual([true, [...answers][0]])
      expect(world.upstream.served).toHaveLength(1)
      await world.settled()
      expect(await chargesOf(world.gateway, person.id)).toHaveLength(1)
      expect((await accountOf(world.gateway, person.id)).balance).toBe(1_000_000 - 15)
    }
  })

  it('R24 the same key with another body, or of another user, is another matter', async () => {
    const [one, two] = [
      await world.admin.addPerson(1_000_000),
      await world.admin.addPerson(1_000_000),
    ]
    const headers = { 'idempotency-key': 'shared' }
    const first = await world.ask({ key: one.key, model: 'any:out=2', mark: 'x', headers })
    expect(first.complete).toBe(true)
    const other = await world.ask({ key: one.key, model: 'any:out=3', mark: 'x', headers })
    expect([other.status, faultIn(other.text)]).toEqual([409, 'request_key_reused'])
    const foreign = await world.ask({ key: two.key, model: 'any:out=2', mark: 'x', headers })
    expect(foreign.complete).toBe(true)
    await world.settled()
    expect(await chargesOf(world.gateway, two.id)).toHaveLength(1)
  })

  it('R24 after a crash that lost the stored answer the same key is refused with the receipt, and charged once', async () => {
    world.upstream.forget()
    const person = await world.admin.addPerson(1_000_000)
    const same = {
      key: person.key,
      model: 'any:out=5',
      mark: 'again',
      headers: { 'idempotency-key': 'across a crash' },
    }
    const first = await world.ask(same)
    expect(first.complete).toBe(true)
    world.gateway.signal('SIGKILL')
    await world.gateway.exited()
    await world.gateway.start()
    const second = await world.ask(same)
    expect([second.status, faultIn(second.text)]).toEqual([409, 'request_already_charged'])
    expect(second.text).toContain(first.requestId)
    expect(world.upstream.served).toHaveLength(1)
    await world.settled()
    expect(await chargesOf(world.gateway, person.id)).toHaveLength(1)
    await world.audit()
  })
})
