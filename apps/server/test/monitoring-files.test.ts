import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { queriesOf, selectorsOf } from '../../../test/harness/monitoring/queries.ts'
import { root } from '../../../test/harness/paths.ts'
import { onBothEngines } from './harness.ts'

/** Labels that Prometheus adds, or that belong to every histogram. */
const added = new Set(['instance', 'le'])
const needsPostgres = /^hub_database_/
const needsRedis = 'hub_redis_up'

onBothEngines('the dashboard and the alerts', (open, engine) => {
  it('name only metrics and labels that the server has', async () => {
    // Nothing needs to answer there: the metric exists once an address is set.
    const hub = await open({ REDIS_URL: 'redis://127.0.0.1:1' })
    const metrics = new Map<string, readonly string[]>()
    for (const { name, labelNames, type } of hub.app.metrics
      .readRegistry()
      .getMetricsAsArray() as unknown as {
      name: string
      labelNames?: string[]
      type: string
    }[]) {
      metrics.set(name, labelNames ?? [])
      if (String(type) === 'histogram') metrics.set(`${name}_bucket`, labelNames ?? [])
    }
    const wrong: string[] = []
    for (const query of queriesOf())
      for (const { metric, labels } of selectorsOf(query)) {
        if (engine === 'SQLite' && needsPostgres.test(metric)) continue
        const known = metrics.get(metric)
        if (!known) wrong.push(`${metric}: ${query}`)
        for (const label of labels)
          if (!added.has(label) && !known?.includes(label))
            wrong.push(`${metric} ${label}: ${query}`)
      }
    expect(wrong).toEqual([])
    expect(metrics.has(needsRedis)).toBe(true)
    expect(queriesOf().length).toBeGreaterThan(40)
  })
})

it('every alert of the documentation is a rule, and every rule has a sentence', () => {
  const rules = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8')
  const count = (pattern: RegExp) => rules.match(pattern)?.length
  expect(count(/^ {6}- alert: OneHub\w+$/gm)).toBe(count(/^ {10}summary: '.+\.'$/gm))
  const documented = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const names = [...documented.matchAll(/^\| `[^`]*?(hub_\w+)[^`]*` .*\|/gm)].map(
    match => match[1]!,
  )
  const missing = new Set(names.filter(each => !rules.includes(each)))
  expect([...missing].sort()).toEqual(['hub_retries_total', 'hub_socket_sessions'])
})
