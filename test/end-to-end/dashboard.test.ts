import { afterAll, beforeAll, expect, it } from 'vitest'
import { figuresOf, metricsEnvironment } from '../harness/metrics.ts'
import { dashboardQueries, type Selector, selectorsOf } from '../harness/monitoring/queries.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'

/** Nothing of it has happened, or the store is not configured. */
const mayBeEmpty = (engine: string) =>
  engine === 'SQLite'
    ? /^hub_(alarms_total|job_|audit_|redis_up|database_)/
    : /^hub_(alarms_total|job_|audit_|redis_up)/

const labelsIn = (sample: string) =>
  Object.fromEntries(
    [...sample.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )

/** Prometheus adds the label `instance`, of which the dashboard takes all. */
const selects = ({ metric, matchers }: Selector, sample: string): boolean =>
  sample.split('{')[0] === metric &&
  matchers
    .filter(each => each.label !== 'instance')
    .every(({ label, operator, value }) => {
      const found = labelsIn(sample)[label] ?? ''
      if (operator === '=~') return new RegExp(`^(?:${value})$`).test(found)
      return operator === '!=' ? found !== value : operator === '=' ? found === value : true
    })

describeEachEngine(engine => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startTestHub(engine, { env: metricsEnvironment })
  })
  afterAll(() => hub?.close())

  it('every query of the dashboard finds data on a running server', async () => {
    const { key } = await hub.admin.addPerson(1_000_000)
    await hub.ask({ key, model: 'any:out=2' })
    await hub.ask({ key, model: 'any:status=500' })
    await hub.settled()
    const samples = [...(await figuresOf(hub.gateway)).keys()]
    const empty = dashboardQueries()
      .flatMap(selectorsOf)
      .filter(({ metric }) => !mayBeEmpty(engine.name).test(metric))
      .filter(each => !samples.some(sample => selects(each, sample)))
    expect(empty.map(each => each.metric)).toEqual([])
  })
})
