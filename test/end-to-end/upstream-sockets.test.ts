import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mapConcurrently } from '../harness/client.ts'
import { faultIn } from '../harness/frames.ts'
import { accountOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
  })
  afterAll(() => hub?.close())

  it.each([
    'length=short',
    'length=long',
    'length=twice',
    'informational=3',
    'informational=10000',
    'continue',
  ])(
    'R16 what the vendor says about lengths and early answers never reaches the next request: %s',
    async script => {
      const person = await hub.admin.addPerson(10_000_000)
      const seen = await mapConcurrently(30, 5, at =>
        at % 3 === 0
          ? hub.ask({ key: person.key, model: `any:${script}` })
          : hub.ask({ key: person.key, model: `any:out=2;size=${10 + at}` }),
      )
      for (const [at, each] of seen.entries()) {
        if (at % 3 === 0) continue
        expect(each.complete).toBe(true)
        expect(JSON.parse(each.text).choices[0].message.content).toHaveLength(2 * (10 + at))
      }
      await hub.settled()
      await hub.audit()
    },
  )

  it('REL-12 an answer behind an unrequested `100 Continue` reaches its caller', async () => {
    const person = await hub.admin.addPerson(10_000_000)
    const { status, text } = await hub.ask({ key: person.key, model: 'any:continue' })
    expect([status, JSON.parse(text).choices[0].message.content]).toEqual([200, 'after 100'])
  })

  it.each(['ahead', 'ahead=later'])(
    "S41 R16 an answer that nobody asked for is never another caller's answer: %s",
    async script => {
      const [one, two] = [
        await hub.admin.addPerson(10_000_000),
        await hub.admin.addPerson(10_000_000),
      ]
      for (let round = 0; round < 25; round += 1) {
        await hub.ask({ key: one.key, model: `any:${script}` })
        // During a request the stray response would look like its own: the test sends it before.
        if (script === 'ahead=later') await sleep(60)
        const after = await mapConcurrently(8, 8, at =>
          hub.ask({ key: two.key, model: `any:out=2;size=${20 + at}` }),
        )
        for (const [at, each] of after.entries()) {
          expect(each.text).not.toContain('STRAY')
          if (!each.complete) expect(faultIn(each.text)).toMatch(/^(upstream_|rate_limit)/)
          else expect(JSON.parse(each.text).choices[0].message.content).toHaveLength(2 * (20 + at))
        }
      }
    },
  )

  it('R17 a redirect is not followed, and the key goes nowhere', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    for (const stream of [false, true]) {
      const seen = await hub.ask({ key: person.key, model: 'any:redirect', stream })
      expect(seen.status).toBe(502)
      expect(faultIn(seen.text)).toMatch(/^(upstream_|rate_limit)/)
      expect(seen.headers.location).toBeUndefined()
    }
    expect(hub.upstream.canary).toEqual([])
    await hub.settled()
    expect((await accountOf(hub.gateway, person.id)).balance).toBe(1_000_000)
  })

  it('S50 one request that breaks is sent once when no retry is allowed', async () => {
    const person = await hub.admin.addPerson(1_000_000)
    // Another channel could serve it.
    await hub.admin.addChannel(hub.upstream.url, { models: 'any:*' })
    for (const script of ['reset=before', 'reset=headers', 'length=long', 'empty']) {
      hub.upstream.forget()
      await hub.ask({
        key: person.key,
        model: `any:${script}`,
        stream: script === 'reset=headers',
      })
      expect([script, hub.upstream.served.length]).toEqual([script, 1])
    }
  })
})
