import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaseSeconds } from '../../../apps/server/src/state/state.ts'
import { callApi, type Person } from '../../harness/admin.ts'
import { ask, mapConcurrently, type ObservedCall, unlimitedAgent } from '../../harness/client.ts'
import { hasRedis, type Redis, startRedis } from '../../harness/engines.ts'
import { faultIn } from '../../harness/frames.ts'
import { accountOf, countHolds } from '../../harness/ledger.ts'
import { describeEnginesInParallel } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub, timesPrice } from '../../harness/test-hub.ts'

const call = 'times:in=3;out=2'
const dayMs = 24 * 3600 * 1000

const served = (seen: readonly ObservedCall[]) => seen.filter(each => each.complete).length
const codes = (seen: readonly ObservedCall[]) => [
  ...new Set(seen.filter(each => !each.complete).map(each => faultIn(each.text))),
]

type Body = Record<string, unknown>

describeEnginesInParallel(engine => {
  // One SQLite file belongs to one process.
  const instances = engine.name === 'PostgreSQL' ? 2 : 1
  for (const withRedis of [true, false].filter(each => each || instances === 1))
    describe.skipIf(withRedis && !hasRedis)(
      `${instances} node(s) ${withRedis ? 'with' : 'without'} Redis`,
      () => {
        const folder = mkdtempSync(join(tmpdir(), 'hub-clock-'))
        const clock = join(folder, 'offset')
        let hub: TestHub
        let redis: Redis | undefined
        beforeAll(async () => {
          redis = withRedis ? await startRedis() : undefined
          hub = await startTestHub(engine, {
            instances,
            redisUrl: redis?.url,
            env: { CLOCK_OFFSET_FILE: clock },
          })
        })
        afterAll(async () => {
          await hub?.close()
          await redis?.close()
          rmSync(folder, { recursive: true, force: true })
        })

        const turn = async (milliseconds: number) => {
          writeFileSync(clock, String(milliseconds))
          await sleep(150)
        }
        /** Calls spread over all nodes. */
        const rush = async (key: string, count: number, body: Body = {}, model = call) => {
          const agent = unlimitedAgent()
          const seen = await mapConcurrently(count, count, at => {
            const { url } = hub.gateways[at % hub.gateways.length] ?? hub.gateway
            return ask({ url, key, model, agent, body, stream: at % 2 === 0 })
          })
          agent.destroy()
          await hub.settled()
          return seen
        }
        const one = (key: string, model = call) => hub.ask({ key, model })
        /** The length of each node's log when the last person was made. */
        let logBegins: number[] = []
        /** Redis did not answer a node within a second since then, so that the node counted locally. */
        const hasCountedLocally = () =>
          hub.gateways.some((each, at) => {
            const backBefore = each.output().lastIndexOf('Redis is back', logBegins[at])
            return each.output().lastIndexOf('Redis is unavailable') > backBefore
          })
        /**
         * How many were served when nothing is left of a limit of money for `k` calls. A call gives back what it
         * reserved a moment after its charge, so that both count meanwhile, never too little: who came in it comes
         * again. A reservation that is never given back would end after 30 s. Only a process that has counted locally
         * leaves one: the ledger then tells the others of its calls, which they count for so long.
         */
        const toTheEnd = async (key: string, seen: readonly ObservedCall[], k: number) => {
          let total = served(seen)
          const begin = performance.now()
          const isOver = () =>
            performance.now() > begin + (hasCountedLocally() ? 2 * leaseSeconds * 1000 : 20_000)
          for (;;) {
            const call = await one(key)
            if (call.complete) total += 1
            else if (total >= k) return total
            else if (isOver()) {
              console.log(`${total} of ${k} were served, then: ${codes([call])}`)
              return total
            } else await sleep(50)
          }
        }
        const person = (token: Body = {}, quota = 100_000_000, more: Body = {}) => {
          logBegins = hub.gateways.map(each => each.output().length)
          return hub.admin.addPerson(quota, token, more)
        }
        const setGroup = async (symbol: string, limits: Body) => {
          const { data } = await hub.admin.api<{ data: { id: number; symbol: string }[] }>(
            'GET',
            '/api/user_group/?size=100',
          )
          const known = data.find(each => each.symbol === symbol)
          if (known) await hub.admin.api('PUT', '/api/user_group/', { id: known.id, ...limits })
          else {
            const group = { symbol, name: symbol, api_rate: 1_000_000, ...limits }
            await hub.admin.api('POST', '/api/user_group/', group)
            const channel = { group: `default,${symbol}`, models: 'any:*,times:*' }
            await hub.admin.addChannel(`${hub.upstream.url}/a`, channel)
          }
          await sleep(500)
        }
        const spentBy = async ({ id }: Person) => (await accountOf(hub.gateway, id)).used

        it('requests a day: of 300 at once exactly k are served, with the time until midnight', async () => {
          const k = 100
          const { key } = await person({ requests_per_day: k })
          const seen = await rush(key, 300)
          expect(codes(seen)).toEqual(['rate_limit_exceeded'])
          expect(served(seen)).toBeGreaterThanOrEqual(k)
          // A node that Redis does not answer within a moment counts for itself.
          expect(served(seen)).toBeLessThanOrEqual(instances > 1 ? k * 1.01 : k)
          const refused = seen.find(each => each.status === 429)!
          expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
          expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(25 * 3600)
          expect(refused.headers).toMatchObject({
            'x-ratelimit-limit-requests': String(k),
            'x-ratelimit-remaining-requests': '0',
          })
          // A refused call is none of the day's, and the next day begins at nothing, also after a jump back.
          await turn(dayMs)
          expect((await one(key)).complete).toBe(true)
          await turn(0)
          expect((await one(key)).status).toBe(429)
        })

        it('concurrent requests: of 60 at once exactly k run, and their places come back', async () => {
          const k = 10
          const { key } = await person({ concurrent_requests: k })
          const slow = 'times:first=4000;out=2'
          const seen = await rush(key, 60, {}, slow)
          expect([served(seen), codes(seen)]).toEqual([k, ['rate_limit_exceeded']])
          expect(seen.find(each => each.status === 429)!.headers['retry-after']).toBe('1')
          for (let at = 0; at < 12; at += 1) expect((await one(key)).complete).toBe(true)
        })

        it('tokens a minute: what is used is what counts, and what was reserved is given back', async () => {
          const { key } = await person({ tokens_per_minute: 1_000 })
          const model = 'any:in=30;out=20'
          const body = { max_tokens: 50 }
          const seen = await rush(key, 200, body, model)
          const first = served(seen)
          // A prompt of a few words and 50 tokens are reserved; 50 are used.
          expect(first).toBeGreaterThanOrEqual(4)
          expect(first).toBeLessThanOrEqual(20)
          expect(codes(seen)).toEqual(['rate_limit_exceeded'])
          const refused = seen.find(each => each.status === 429)!
          expect(refused.headers['x-ratelimit-limit-tokens']).toBe('1000')
          expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
          let total = first
          for (;;) {
            const next = await hub.ask({ key, model, body })
            if (!next.complete) break
            total += 1
          }
          // One by one as long as the reservation fits: with what was used so far it may not pass the limit.
          expect(total * 50).toBeLessThanOrEqual(1_000)
          expect(total).toBeGreaterThanOrEqual(15)
        })

        for (const kind of ['day', 'month'] as const)
          it(`money a ${kind}: exactly k calls, refused as money and not as an overload, and durable`, async () => {
            const k = 40
            const limited = await person({ [`quota_per_${kind}`]: k * timesPrice })
            const seen = await rush(limited.key, 200)
            expect(codes(seen)).toEqual(['insufficient_quota'])
            expect(served(seen)).toBeGreaterThan(k / 4)
            expect(await toTheEnd(limited.key, seen, k)).toBe(k)
            const refused = seen.find(each => !each.complete)!
            expect(refused.headers).not.toHaveProperty('retry-after')
            expect(refused.headers['x-should-retry']).toBe('false')
            expect(await spentBy(limited)).toBe(k * timesPrice)
            await turn(kind === 'day' ? dayMs : 32 * dayMs)
            expect((await one(limited.key)).complete).toBe(true)
            await turn(0)
            expect((await one(limited.key)).complete).toBe(false)
          })

        it('a limit that is set in the middle of the day counts what was spent before it', async () => {
          const late = await person({ name: 'late' })
          for (let at = 0; at < 3; at += 1) await one(late.key)
          await hub.settled()
          const session = { cookie: late.cookie }
          const list = await callApi<{ data: { id: number }[] }>(
            hub.gateway,
            session,
            'GET',
            '/api/token/',
          )
          const id = list.data.data[0]?.id
          const set = async (limits: Body) => {
            const response = await callApi(hub.gateway, session, 'PUT', '/api/token/', {
              id,
              ...limits,
            })
            expect(response.success).toBe(true)
            await sleep(500)
          }
          await set({ quota_per_day: 3 * timesPrice })
          expect(faultIn((await one(late.key)).text)).toBe('insufficient_quota')
          await set({ quota_per_day: null, requests_per_day: 3 })
          expect((await one(late.key)).status).toBe(429)
          await set({ requests_per_day: null })
          expect((await one(late.key)).complete).toBe(true)
        })

        it('a limit of a group holds for each of its users, over all their keys', async () => {
          await setGroup('tight', { quota_per_day: 5 * timesPrice, concurrent_requests: 50 })
          const [a, b] = [
            await person({}, 1e8, { group: 'tight' }),
            await person({}, 1e8, { group: 'tight' }),
          ]
          const made = await callApi<{ key: string }>(
            hub.gateway,
            { cookie: a.cookie },
            'POST',
            '/api/token/',
            { name: 'second' },
          )
          const seen = [...(await rush(a.key, 20)), ...(await rush(made.data.key, 20))]
          expect(await toTheEnd(made.data.key, seen, 5)).toBe(5)
          expect(await toTheEnd(b.key, await rush(b.key, 20), 5)).toBe(5)
        })

        it('R27 cap, balance and rates at the edge together: the tightest wins, and nothing stays held', async () => {
          const money = ['insufficient_quota', 'rate_limit_exceeded']
          const rate = ['rate_limit_exceeded']
          const edges: [Body, number, number, string[]][] = [
            // Token, balance, served, refused with.
            [{ unlimited_quota: false, remain_quota: 7 * timesPrice }, 9, 7, money],
            [{ unlimited_quota: false, remain_quota: 9 * timesPrice }, 6, 6, money],
            [{ requests_per_day: 5, quota_per_day: 8 * timesPrice }, 9, 5, rate],
            [{ requests_per_day: 8, quota_per_day: 4 * timesPrice }, 9, 4, ['insufficient_quota']],
            [{ api_rate: 3, remain_quota: 4 * timesPrice, unlimited_quota: false }, 5, 3, rate],
          ]
          for (const [token, balance, expected, code] of edges) {
            const edge = await person(token, balance * timesPrice)
            const seen = await rush(edge.key, 60)
            const total =
              'quota_per_day' in token ? await toTheEnd(edge.key, seen, expected) : served(seen)
            const isRefusedSo = codes(seen).some(each => code.includes(each ?? ''))
            expect([total, isRefusedSo]).toEqual([expected, true])
            await hub.settled()
            expect(await accountOf(hub.gateway, edge.id)).toMatchObject({
              held: 0,
              used: expected * timesPrice,
            })
          }
          // A call that fails after its hold releases money, daily requests and concurrency slots.
          const unlucky = { requests_per_day: 30, quota_per_day: 4 * timesPrice }
          const failing = await person({ ...unlucky, concurrent_requests: 30 }, 5 * timesPrice)
          const failed = await rush(failing.key, 30, {}, 'times:status=400')
          expect(served(failed)).toBe(0)
          expect(await toTheEnd(failing.key, await rush(failing.key, 20), 4)).toBe(4)
          // The group's rate, with everything else at the edge as well.
          await setGroup('slow', { api_rate: 5, requests_per_day: 6 })
          const token = { unlimited_quota: false, remain_quota: 6 * timesPrice }
          const grouped = await person(token, 6 * timesPrice, { group: 'slow' })
          expect(served(await rush(grouped.key, 40))).toBe(5)
          expect(await countHolds(hub.gateway)).toBe(0)
          await hub.audit()
        })

        it('what a restart finds in the ledger counts: money and requests of the day', async () => {
          const limited = await person({ quota_per_day: 4 * timesPrice })
          const counted = await person({ requests_per_day: 4 })
          for (const { key } of [limited, counted])
            for (let at = 0; at < 3; at += 1) expect((await one(key)).complete).toBe(true)
          await hub.settled()
          for (const each of hub.gateways) await each.stop('SIGKILL')
          for (const each of hub.gateways) await each.start()
          for (const { key } of [limited, counted]) {
            expect(served(await rush(key, 10))).toBe(1)
          }
        })

        if (withRedis)
          it('R46 Redis away, back and empty: limits hold in each process, balances are exact', async () => {
            const before = await person({ quota_per_day: 10 * timesPrice, requests_per_day: 30 })
            for (let at = 0; at < 6; at += 1) expect((await one(before.key)).complete).toBe(true)
            await redis!.stop()
            const away = await rush(before.key, 40)
            // The ledger knows of six; each process counts for itself while nothing is shared.
            expect(served(away)).toBeGreaterThanOrEqual(4)
            expect(served(away)).toBeLessThanOrEqual(4 * instances)
            const spent = (6 + served(away)) * timesPrice
            expect(await accountOf(hub.gateway, before.id)).toMatchObject({
              held: 0,
              used: spent,
            })
            await redis!.start()
            const after = await person({ quota_per_day: 10 * timesPrice })
            await until('it is shared again', async () => {
              const probe = await person({ requests_per_day: 1 })
              return served(await rush(probe.key, 8)) === 1
            })
            expect(served(await rush(before.key, 20))).toBe(0)
            for (let at = 0; at < 7; at += 1) expect((await one(after.key)).complete).toBe(true)
            // Lost counters are rebuilt from the ledger.
            await redis!.flush()
            expect(await toTheEnd(after.key, await rush(after.key, 20), 3)).toBe(3)
            await hub.audit()
          })

        if (withRedis)
          it('R46 failed over with loss: what the ledger knows to be spent stays spent', async () => {
            const limited = await person({ quota_per_day: 10 * timesPrice })
            const counted = await person({ requests_per_day: 10 })
            for (const each of [limited, counted]) expect(served(await rush(each.key, 3))).toBe(3)
            await redis!.copy()
            for (const each of [limited, counted]) expect(served(await rush(each.key, 4))).toBe(4)
            await redis!.stop()
            await redis!.start()
            await until('it is shared again', async () => {
              const probe = await person({ requests_per_day: 1 })
              return served(await rush(probe.key, 8)) === 1
            })
            for (const each of [limited, counted]) {
              expect(await toTheEnd(each.key, await rush(each.key, 20), 3)).toBe(3)
              await hub.settled()
              const used = 10 * timesPrice
              expect(await accountOf(hub.gateway, each.id)).toMatchObject({ held: 0, used })
            }
          })

        if (withRedis && instances > 1)
          it('the places of a node that dies are given back', async () => {
            const { key } = await person({ concurrent_requests: 3 })
            const [first, second] = hub.gateways
            const agent = unlimitedAgent()
            const slow = 'any:forever=200'
            const served = hub.upstream.served.length
            const running = mapConcurrently(3, 3, () =>
              ask({ url: first!.url, key, model: slow, agent, stream: true }),
            )
            // An earlier call could still take one of the slots.
            await until(
              'all three are served',
              () =>
                hub.upstream.served.slice(served).filter(each => each.model === slow).length === 3,
            )
            // At once, or with the next renewal where Redis was slow to answer.
            const isFull = async () =>
              (await ask({ url: second!.url, key, model: call, agent })).status === 429
            await until('all places are taken', isFull)
            const expiries = await redis!.leaseExpiries(3)
            await until('the leases of calls that live are renewed', async () =>
              (await redis!.leaseExpiries(3)).every((end, at) => end > expiries[at]!),
            )
            expect(await isFull()).toBe(true)
            await first!.stop('SIGKILL')
            await running
            await until(
              'a place is free',
              async () => (await ask({ url: second!.url, key, model: call, agent })).complete,
            )
            await first!.start()
            agent.destroy()
          })
      },
    )
})
