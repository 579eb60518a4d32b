import { type SnapshotSource, withSnapshot } from '../db/engines/snapshot.ts'
import { type Check, type Finding, toBigint } from './check.ts'
import { balanceChecks } from './checks/balances.ts'
import { counterChecks } from './checks/counters.ts'
import { grantChecks } from './checks/grants.ts'
import { orderChecks } from './checks/orders.ts'
import { requestChecks } from './checks/requests.ts'
import { rowChecks } from './checks/rows.ts'

const checks: readonly Check[] = [
  ...balanceChecks,
  ...counterChecks,
  ...grantChecks,
  ...orderChecks,
  ...requestChecks,
  ...rowChecks,
]

export type CheckResult = Pick<Check, 'invariant' | 'title'> & {
  findings: Finding[]
  worst: bigint
}
export type Report = {
  results: CheckResult[]
  /** Numbers of checked requests and of all transfers. */
  requests: bigint
  transfers: bigint
  /** Costs of answers that could not be charged, by kind. */
  shortfalls: { kind: 'unbounded' | 'other'; count: bigint; points: bigint }[]
  /** The largest deviation of all checks, in points. */
  worst: bigint
  isClean: boolean
}

/** Recomputes the books from one read-only snapshot. Safe to run while gateways work. */
export const audit = (
  source: SnapshotSource,
  nowSeconds = Math.floor(Date.now() / 1000),
): Promise<Report> =>
  withSnapshot(source, async snapshot => {
    const results: CheckResult[] = []
    for (const { invariant, title, find } of checks) {
      const findings = await find({ ...snapshot, nowSeconds })
      results.push({
        invariant,
        title,
        findings,
        worst: worst(findings.map(each => each.deviation)),
      })
    }
    const [counts] = await snapshot.rows(`select count(*) as transfers,
      coalesce(sum(case when kind = 'request' then 1 else 0 end), 0) as requests from transfers`)
    const shortfalls = await snapshot.rows(`select coalesce(kind, 'other') as kind,
      count(*) as n, sum(amount) as points from shortfalls group by 1 order by 1`)
    return {
      results,
      shortfalls: shortfalls.map(({ kind, n, points }) => ({
        kind: kind === 'unbounded' ? 'unbounded' : 'other',
        count: toBigint(n),
        points: toBigint(points),
      })),
      requests: BigInt(counts?.requests ?? 0),
      transfers: BigInt(counts?.transfers ?? 0),
      worst: worst(results.map(each => each.worst)),
      isClean: results.every(each => each.findings.length === 0),
    }
  })

const worst = (deviations: bigint[]): bigint =>
  deviations.reduce((most, each) => (each > most ? each : most), 0n)
