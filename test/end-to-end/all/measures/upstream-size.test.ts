import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn } from '../../../harness/frames.ts'
import { accountOf, chargesOf } from '../../../harness/ledger.ts'
import { cpuMicros, rssBytes } from '../../../harness/process/stats.ts'
import { describeOneEngine } from '../../../harness/runner/describe-engines.ts'
import { retryTiming } from '../../../harness/runner/retries.ts'
import { startTestHub, type TestHub } from '../../../harness/test-hub.ts'

const mebibyte = 1024 * 1024

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(() => hub?.close())

  it('R14 a stream without end is cut where the balance ends, and costs no more than it', async () => {
    const person = await hub.admin.addPerson(2_000)
    const since = performance.now()
    const seen = await hub.ask({
      key: person.key,
      model: 'any:forever=1',
      stream: true,
      body: { max_tokens: 1_000_000 },
    })
    expect(performance.now() - since).toBeLessThan(60_000)
    // Either it could not be held at all, or it ran and was cut; in both cases the balance stays at or above zero.
    expect(['insufficient_quota']).toContain(faultIn(seen.text))
    await hub.settled()
    const { balance, held } = await accountOf(hub.gateway, person.id)
    expect(held).toBe(0)
    expect(balance).toBeGreaterThanOrEqual(0)
    await hub.audit()
  })

  it('R14 a stream without end and without a limit is cut at its hold', async () => {
    const person = await hub.admin.addPerson(6_000)
    const seen = await hub.ask({ key: person.key, model: 'any:forever=0', stream: true })
    expect(faultIn(seen.text)).toBe('insufficient_quota')
    await hub.settled()
    const [charge] = await chargesOf(hub.gateway, person.id)
    expect(charge?.amount).toBeLessThanOrEqual(6_000)
    expect((await accountOf(hub.gateway, person.id)).balance).toBe(6_000 - (charge?.amount ?? 0))
  })

  it('R14 a stream without end stops at the longest duration', retryTiming, async () => {
    await hub.admin.setOption('StreamDurationMaxSeconds', '10')
    const person = await hub.admin.addPerson(10_000_000)
    const seen = await hub.ask({ key: person.key, model: 'any:forever=200', stream: true })
    expect(faultIn(seen.text)).toBe('stream_too_long')
    expect(seen.endedAt - seen.startedAt).toBeGreaterThan(9_000)
    expect(seen.endedAt - seen.startedAt).toBeLessThan(12_000)
    await hub.admin.setOption('StreamDurationMaxSeconds', '3600')
  })

  it('R15 one chunk of 50 MB is not kept whole in memory', retryTiming, async () => {
    const person = await hub.admin.addPerson(50_000_000)
    await hub.ask({ key: person.key, model: 'any:out=5', stream: true })
    const before = rssBytes(hub.gateway.pid)
    let highest = before
    const watch = setInterval(() => {
      highest = Math.max(highest, rssBytes(hub.gateway.pid))
    }, 20)
    await hub.ask({ key: person.key, model: `any:big=${50 * mebibyte}`, stream: true })
    clearInterval(watch)
    expect((highest - before) / mebibyte).toBeLessThan(100)
    expect((await hub.ask({ key: person.key, model: 'any:out=1', stream: true })).complete).toBe(
      true,
    )
  })

  it(
    'R15 a million chunks of one byte cost ten times a hundred thousand, not a hundred times',
    retryTiming,
    async () => {
      const person = await hub.admin.addPerson(50_000_000)
      const costOf = async (count: number) => {
        const since = cpuMicros(hub.gateway.pid)
        const seen = await hub.ask({ key: person.key, model: `any:tiny=${count}`, stream: true })
        expect(seen.complete).toBe(true)
        await sleep(50)
        return cpuMicros(hub.gateway.pid) - since
      }
      const [small, large] = [await costOf(100_000), await costOf(1_000_000)]
      expect(large / small).toBeLessThan(14)
    },
  )
})
