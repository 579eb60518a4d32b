import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '@hub/contract'
import { expect, it } from 'vitest'
import { selectorsOf } from '../../../test/harness/monitoring/queries.ts'
import { root } from '../../../test/harness/paths.ts'
import { atFault, makeMetrics } from '../src/core/metrics.ts'

const rules = readFileSync(join(root, 'deploy/prometheus-alerts.yaml'), 'utf8')
const expressionOf = (alert: string) =>
  new RegExp(`alert: ${alert}\\n +expr: '(.*)'`).exec(rules)![1]!

type Metrics = ReturnType<typeof makeMetrics>
type Selector = ReturnType<typeof selectorsOf>[number]

/** Sums what the selector matches, as if all of it had been counted within the window of the rule. */
const sumOf = async (metrics: Metrics, { metric, matchers }: Selector): Promise<number> => {
  const found = (await metrics.readRegistry().getMetricsAsJSON()).find(
    ({ name }) => name === metric,
  )!
  const values = found.values as { value: number; labels: Record<string, string> }[]
  return values
    .filter(({ labels }) =>
      matchers.every(({ label, operator, value }) => {
        const actual = labels[label] ?? ''
        if (operator === '=~') return new RegExp(`^(?:${value})$`).test(actual)
        return operator === '!=' ? actual !== value : actual === value
      }),
    )
    .reduce((sum, { value }) => sum + value, 0)
}

/** Evaluates a rule of the form `sum(rate(a)) / sum(rate(b)) > bound`. */
const fires = async (metrics: Metrics, alert: string): Promise<boolean> => {
  const expression = expressionOf(alert)
  const [part, whole] = selectorsOf(expression)
  const bound = Number(/> ([\d.]+)$/.exec(expression)![1])
  return (await sumOf(metrics, part!)) / (await sumOf(metrics, whole!)) > bound
}

const afterCalls = (outcomes: Record<string, number>): Metrics => {
  const metrics = makeMetrics(() => 0)
  for (const [outcome, count] of Object.entries(outcomes)) {
    metrics.calls('chat', 'openai', outcome).n = count
    metrics.channelAttempts('1', outcome).n = count
  }
  return metrics
}

const scenarios: [name: string, outcomes: Record<string, number>, rings: boolean][] = [
  ['a scanner guesses keys', { ok: 10, 'caller.unknown': 5_000, 'route.unknown': 5_000 }, false],
  ['a client sends what cannot be served', { ok: 50, 'request.invalid': 900 }, false],
  ['the provider refuses invalid requests', { ok: 50, 'upstream.caller': 900 }, false],
  ['users have spent their balance', { ok: 50, 'quota.exhausted': 900 }, false],
  ['only a scanner calls', { 'caller.unknown': 900 }, false],
  ['the provider fails', { ok: 70, 'upstream.failed': 30 }, true],
  ['it fails behind a scanner', { ok: 70, 'upstream.timeout': 30, 'caller.unknown': 9_000 }, true],
  ['the gateway fails', { ok: 70, 'server.ledger': 30 }, true],
  ['all channels cool down', { ok: 70, 'channel.none': 30 }, true],
  ['a few calls fail', { ok: 90, 'upstream.failed': 10 }, false],
]

it.each(scenarios)('OneHubCallsFail while %s', async (_name, outcomes, rings) => {
  expect(await fires(afterCalls(outcomes), 'OneHubCallsFail')).toBe(rings)
})

it('OneHubChannelFails leaves out what callers cause', async () => {
  const rings = (outcomes: Record<string, number>) =>
    fires(afterCalls(outcomes), 'OneHubChannelFails')
  expect(await rings({ ok: 5, 'upstream.caller': 900, 'upstream.context': 90 })).toBe(false)
  expect(await rings({ ok: 5, 'upstream.credential': 6 })).toBe(true)
})

it('every outcome has somebody at fault, and no server error is blamed on callers unless they asked for what is not sold', () => {
  const codes = Object.keys(faults) as (keyof typeof faults)[]
  const of = (who: string) => codes.filter(code => atFault(code) === who)
  expect(of('gateway').filter(code => !code.startsWith('server.'))).toEqual(['channel.none'])
  expect(of('provider').filter(code => !code.startsWith('upstream.'))).toEqual(['stream.too_long'])
  expect(atFault('ok')).toBe('none')
  expect(
    of('caller')
      .filter(code => faults[code][0] >= 500)
      .sort(),
  ).toEqual([
    'env.invalid',
    'notification.failed',
    'oauth.unreachable',
    'operation.unpriced',
    'operation.unserved',
    'operation.unsupported',
    'payment.refused',
    'payment.unreachable',
    'session.direct',
    'status_page.unavailable',
    'stored.none',
    'telegram.unreachable',
    'turnstile.unavailable',
  ])
})

it('a rule watches each kind of work that can stop without an error', () => {
  for (const metric of [
    'hub_job_late_seconds',
    'hub_job_failed',
    'hub_backup_age_seconds',
    'hub_backup_failed',
    'hub_audit_age_seconds',
    'hub_audit_findings',
    'hub_disk_free_bytes',
    'up{job="hub"} == 0',
    'absent(up{job="hub"})',
    'hub_channels_cooling',
    'hub_channels_without_balance',
    'hub_channels_stale_balance',
  ])
    expect(rules, metric).toContain(metric)
})
