import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi } from '../harness/admin.ts'
import { mapConcurrently } from '../harness/client.ts'
import { faultIn } from '../harness/frames.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeEachEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('R24 the same Idempotency-Key a hundred times at once: one call, one charge, one answer', async () => {
    for (const stream of [false, true]) {
      hub.upstream.forget()
      const person = await hub.admin.addPerson(1_000_000)
      const same = {
        key: person.key,
        model: 'any:out=5;every=20',
        stream,
        mark: 'the same',
        headers: { 'idempotency-key': `once-${stream}` },
      }
      const seen = await mapConcurrently(100, 100, () => hub.ask(same))
      const answers = new Set(seen.filter(each => each.complete).map(each => each.text))
      expect(answers.size).toBe(1)
      const others = seen.filter(each => !each.complete)
      expect(others.filter(each => faultIn(each.text) !== 'request_in_progress')).toEqual([])
      const later = await hub.ask(same)
      expect([later.complete, later.text]).toEqual([true, [...answers][0]])
      expect(hub.upstream.served).toHaveLength(1)
      await hub.settled()
      expect(await chargesOf(hub.gateway, person.id)).toHaveLength(1)
      expect((await accountOf(hub.gateway, person.id)).balance).toBe(1_000_000 - 15)
    }
  })

  it('R24 the same key with another body, or of another user, is another matter', async () => {
    const [one, two] = [await hub.admin.addPerson(1_000_000), await hub.admin.addPerson(1_000_000)]
    const headers = { 'idempotency-key': 'shared' }
    const first = await hub.ask({ key: one.key, model: 'any:out=2', mark: 'x', headers })
    expect(first.complete).toBe(true)
    const other = await hub.ask({ key: one.key, model: 'any:out=3', mark: 'x', headers })
    expect([other.status, faultIn(other.text)]).toEqual([409, 'request_key_reused'])
    const foreign = await hub.ask({ key: two.key, model: 'any:out=2', mark: 'x', headers })
    expect(foreign.complete).toBe(true)
    await hub.settled()
    expect(await chargesOf(hub.gateway, two.id)).toHaveLength(1)
    const session = { cookie: two.cookie }
    const made = await callApi<{ key: string }>(hub.gateway, session, 'POST', '/api/token/', {
      name: 'another',
      unlimited_quota: true,
    })
    const second = await hub.ask({ key: made.data.key, model: 'any:out=2', mark: 'x', headers })
    expect(second.complete).toBe(true)
    await hub.settled()
    expect(await chargesOf(hub.gateway, two.id)).toHaveLength(2)
  })

  it('R24 after a crash that lost the stored answer the same key is refused with the receipt, and charged once', async () => {
    hub.upstream.forget()
    const person = await hub.admin.addPerson(1_000_000)
    const same = {
      key: person.key,
      model: 'any:out=5',
      mark: 'again',
      headers: { 'idempotency-key': 'across a crash' },
    }
    const first = await hub.ask(same)
    expect(first.complete).toBe(true)
    hub.gateway.signal('SIGKILL')
    await hub.gateway.exited()
    await hub.gateway.start()
    const second = await hub.ask(same)
    expect([second.status, faultIn(second.text)]).toEqual([409, 'request_already_charged'])
    expect(second.text).toContain(first.requestId)
    expect(hub.upstream.served).toHaveLength(1)
    await hub.settled()
    expect(await chargesOf(hub.gateway, person.id)).toHaveLength(1)
    await hub.audit()
  })
})
