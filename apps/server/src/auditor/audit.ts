import { type SnapshotSource, withSnapshot } from '../db/engines/snapshot.ts'
import type { Check, Finding } from './check.ts'
import { balanceChecks } from './checks/balances.ts'
import { counterChecks } from './checks/counters.ts'
import { grantChecks } from './checks/grants.ts'
import { requestChecks } from './checks/requests.ts'
import { rowChecks } from './checks/rows.ts'

const checks: readonly Check[] = [
  ...balanceChecks,
  ...counterChecks,
  ...grantChecks,
  ...requestChecks,
  ...rowChecks,
]

export type Verdict = Pick<Check, 'law' | 'title'> & { findings: Finding[]; worst: bigint }
export type Report = {
  verdicts: Verdict[]
  /** How many requests and other postings were looked at. */
  requests: bigint
  transfers: bigint
  /** The worst deviation of all, in points. */
  worst: bigint
  isClean: boolean
}

/** Reads everything in one snapshot and computes it again. Changes nothing, and may run beside a working gateway. */
export const audit = (
  source: SnapshotSource,
  nowSeconds = Math.floor(Date.now() / 1000),
): Promise<Report> =>
  withSnapshot(source, async snapshot => {
    const verdicts: Verdict[] = []
    for (const { law, title, find } of checks) {
      const findings = await find({ ...snapshot, nowSeconds })
      verdicts.push({ law, title, findings, worst: worst(findings.map(each => each.deviation)) })
    }
    const [counts] = await snapshot.rows(`select count(*) as transfers,
      coalesce(sum(case when kind = 'request' then 1 else 0 end), 0) as requests from transfers`)
    return {
      verdicts,
      requests: BigInt(counts?.requests ?? 0),
      transfers: BigInt(counts?.transfers ?? 0),
      worst: worst(verdicts.map(each => each.worst)),
      isClean: verdicts.every(each => each.findings.length === 0),
    }
  })

const worst = (deviations: bigint[]): bigint =>
  deviations.reduce((most, each) => (each > most ? each : most), 0n)
