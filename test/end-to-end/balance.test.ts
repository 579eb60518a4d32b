import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, mapConcurrently, type ObservedCall, unlimitedAgent } from '../harness/client.ts'
import { hasRedis, type Redis, startRedis } from '../harness/engines.ts'
import { accountOf, chargesOf } from '../harness/ledger.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub, timesPrice } from '../harness/test-hub.ts'

/** Calls that neither complete nor fail for an insufficient balance: there must be none. */
const neither = (seen: ObservedCall[]) =>
  seen
    .filter(each => !each.complete && each.status !== 429)
    .map(({ status, broken, text, requestId, startedAt, headAt, endedAt }) => ({
      status,
      broken,
      text,
      requestId,
      headAfter: headAt - startedAt,
      endAfter: endedAt - startedAt,
    }))

describeEachEngine(engine => {
  // One SQLite file belongs to one process. Three processes on PostgreSQL race harder than one.
  const instances = engine.name === 'PostgreSQL' ? 3 : 1
  const shapes = [
    { name: `${instances} instance(s)`, instances, redis: false },
    { name: `${instances} instance(s) with Redis`, instances, redis: true },
  ]
  for (const shape of shapes)
    describe.skipIf(shape.redis && !hasRedis)(`with ${shape.name}`, () => {
      let hub: TestHub
      let redis: Redis | undefined
      beforeAll(async () => {
        redis = shape.redis ? await startRedis() : undefined
        hub = await startTestHub(engine, { instances: shape.instances, redisUrl: redis?.url })
      })
      afterAll(async () => {
        await hub?.close()
        await redis?.close()
      })

      const rush = async (key: string, model: string, body: object = {}) => {
        const agent = unlimitedAgent()
        const seen = await mapConcurrently(1000, 1000, at => {
          const { url } = hub.gateways[at % hub.gateways.length] ?? hub.gateway
          return ask({ url, key, model, agent, body, stream: at % 2 === 0 })
        })
        agent.destroy()
        await hub.settled()
        return seen
      }

      it('R26 a times price: of 1,000 at once exactly k are served, and the balance is 0', async () => {
        const k = 137
        const person = await hub.admin.addPerson(k * timesPrice)
        const seen = await rush(person.key, 'times:out=3')
        const served = seen.filter(each => each.complete)
        const refused = seen.filter(each => each.status === 429)
        expect(neither(seen)).toEqual([])
        expect([served.length, refused.length]).toEqual([k, 1000 - k])
        expect(await accountOf(hub.gateway, person.id)).toMatchObject({
          balance: 0,
          held: 0,
          used: k * timesPrice,
          requests: k,
        })
        expect(await chargesOf(hub.gateway, person.id)).toHaveLength(k)
        await hub.audit()
      })

      it('R26 a tokens price: at most k are served, never below zero, and no hold stays open', async () => {
        const charge = 50
        const person = await hub.admin.addPerson(20_000)
        const model = 'any:in=30;out=20'
        const seen = await rush(person.key, model, { max_tokens: 50 })
        const served = seen.filter(each => each.complete).length
        expect(served).toBeGreaterThan(0)
        expect(served).toBeLessThanOrEqual(20_000 / charge)
        expect(neither(seen)).toEqual([])
        const after = await accountOf(hub.gateway, person.id)
        expect(after).toMatchObject({
          balance: 20_000 - served * charge,
          held: 0,
          used: served * charge,
        })
        await hub.audit()
      })

      it('R26 reversed: one by one they are served as long as the estimate fits', async () => {
        const person = await hub.admin.addPerson(1_200)
        const body = { max_tokens: 50 }
        let served = 0
        for (;;) {
          const seen = await hub.ask({ key: person.key, model: 'any:in=30;out=20', body })
          if (!seen.complete) {
            expect(seen.status).toBe(429)
            break
          }
          served += 1
        }
        const { balance } = await accountOf(hub.gateway, person.id)
        expect(balance).toBe(1_200 - served * 50)
        // PreConsumedQuota (500), max_tokens and a short prompt: what was left was less than that.
        expect(balance).toBeLessThan(650)
        // The last point is one that can be spent.
        const exact = await hub.admin.addPerson(timesPrice)
        expect((await hub.ask({ key: exact.key, model: 'times:out=3' })).complete).toBe(true)
      })
    })
})
