import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultIn, textIn } from '../harness/frames.ts'
import { accountOf, chargesOf, query } from '../harness/ledger.ts'
import { figuresOf, metricsEnvironment } from '../harness/metrics.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** Expected token counts for each malformed usage; the last one may be true, and is accepted. */
const alarms: Record<string, string> = {
  negative: 'usage_broken',
  huge: 'usage_broken',
  float: 'usage_broken',
  string: 'usage_broken',
  missing: 'usage_missing',
  null: 'usage_missing',
  over: 'usage_over',
}

describeOneEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine, { env: metricsEnvironment })
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
  })
  afterAll(() => hub?.close())
  const fresh = () => hub.admin.addPerson(1_000_000)
  const alarmsOf = async (kind: string | undefined): Promise<number> => {
    const figures = await figuresOf(hub.gateway)
    return figures.get(`hub_alarms_total{kind="${kind}"}`) ?? 0
  }
  /** True if the log row says that the gateway counted the tokens itself. */
  const markOf = async (userId: number): Promise<unknown[]> => {
    const rows = await query(
      hub.gateway,
      `select metadata from logs where user_id = ${userId} and type = 2`,
    )
    return rows.map(each => {
      const { estimated } = JSON.parse(String(each.metadata))
      return estimated
    })
  }

  it.each(['crlf', 'bom', 'split', 'comments'])(
    'R10 a stream that is odd but right reads the same: %s',
    async kind => {
      const person = await fresh()
      const seen = await hub.ask({
        key: person.key,
        model: `any:out=3;garbage=${kind}`,
        stream: true,
      })
      expect(seen.complete).toBe(true)
      expect(textIn(seen.text)).toBe([0, 1, 2].map(at => `t${at} xé世👋`).join(''))
      await hub.settled()
      expect((await chargesOf(hub.gateway, person.id)).map(each => each.amount)).toEqual([13])
    },
  )

  it.each(['json', 'long', 'type', 'html'])(
    'R10 garbage neither ends the gateway nor passes for an answer: %s',
    async kind => {
      const person = await fresh()
      const seen = await hub.ask({
        key: person.key,
        model: `any:out=3;garbage=${kind}`,
        stream: true,
      })
      const fault = faultIn(seen.text)
      expect(seen.complete || fault !== undefined).toBe(true)
      if (kind === 'html') expect(fault).toMatch(/^upstream_(garbage|broken)$/)
      const after = await hub.ask({ key: person.key, model: 'any:out=2', stream: true })
      expect(after.complete).toBe(true)
      await hub.settled()
      await hub.audit()
    },
  )

  it('R11 an error object inside a 200, or an empty 200, is a fault and costs nothing', async () => {
    const person = await fresh()
    for (const script of ['error-in-200', 'empty']) {
      const seen = await hub.ask({ key: person.key, model: `any:${script}` })
      expect([script, seen.status >= 400, faultIn(seen.text) !== undefined]).toEqual([
        script,
        true,
        true,
      ])
    }
    await hub.settled()
    expect(await accountOf(hub.gateway, person.id)).toMatchObject({ balance: 1_000_000, used: 0 })
  })

  it.each(['negative', 'huge', 'float', 'string', 'missing', 'null', 'over'])(
    'R11 usage that cannot be believed is charged by the own count, within the hold, and an alarm is raised: %s',
    async kind => {
      for (const stream of [false, true]) {
        const person = await fresh()
        const before = await alarmsOf(alarms[kind])
        const seen = await hub.ask({
          key: person.key,
          model: `any:in=10;out=6;usage=${kind}`,
          stream,
          body: { max_tokens: 100 },
        })
        expect([stream, seen.complete]).toEqual([stream, true])
        await hub.settled()
        const [charge, ...more] = await chargesOf(hub.gateway, person.id)
        expect(more).toEqual([])
        // Prompt and answer are both short: whatever is believed, it stays near what was sent.
        expect(charge?.amount).toBeGreaterThan(0)
        // The vendor may report more than the limit (thinking); the size of the text bounds only estimates.
        expect(charge?.amount).toBeLessThanOrEqual(kind === 'over' ? 6_010 : 700)
        expect(await alarmsOf(alarms[kind])).toBe(before + 1)
        expect(await markOf(person.id)).toEqual([kind !== 'over'])
      }
      await hub.audit()
    },
  )
})
