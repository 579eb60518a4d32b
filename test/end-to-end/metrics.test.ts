import { afterAll, beforeAll, expect, it } from 'vitest'
import { atFault } from '../../apps/server/src/core/metrics.ts'
import type { Person } from '../harness/admin.ts'
import { figuresOf, metricsEnvironment } from '../harness/metrics.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

describeOneEngine(engine => {
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    hub = await startTestHub(engine, { env: metricsEnvironment })
    await hub.admin.setOption('RetryTimes', '0')
    await hub.admin.setOption('RetryCooldownSeconds', '0')
    person = await hub.admin.addPerson(1_000_000)
  })
  afterAll(() => hub?.close())

  it('each call is counted once, by what became of it, and a running stream is one', async () => {
    const { key } = person
    for (let n = 0; n < 3; n += 1) await hub.ask({ key, model: 'any:out=2' })
    for (let n = 0; n < 2; n += 1) await hub.ask({ key, model: 'any:out=2', stream: true })
    await hub.ask({ key, model: 'nobody-has-it' })
    await hub.ask({ key, model: 'any:status=500' })
    const running = hub.ask({ key, model: 'any:out=400;every=5', stream: true })
    await until(
      'a stream runs',
      async () => (await figuresOf(hub.gateway)).get('hub_streams') === 1,
    )
    const during = await figuresOf(hub.gateway)
    await running
    await hub.settled()
    const after = await figuresOf(hub.gateway)

    const counted = (figures: Map<string, number>) =>
      Object.fromEntries([...figures].filter(([name]) => name.startsWith('hub_calls_total')))
    const labels = (provider: string, outcome: string) =>
      `hub_calls_total{operation="chat",provider="${provider}",outcome="${outcome}",at_fault="${atFault(outcome)}"}`
    const expectedFigures = (ok: number) => ({
      [labels('openai', 'ok')]: ok,
      [labels('none', 'model.unknown')]: 1,
      [labels('openai', 'upstream.failed')]: 1,
    })
    expect([counted(during), counted(after)]).toEqual([expectedFigures(5), expectedFigures(6)])
    expect(after.get('hub_first_byte_seconds_count{operation="chat"}')).toBe(6)
    expect(after.get('hub_streams')).toBe(0)
  })
})
