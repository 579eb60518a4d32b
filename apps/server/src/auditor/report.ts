import type { CheckResult, Report } from './audit.ts'

/** Maximum of printed rows per check; the table has the total number. */
const shownMax = 50

/** Formats the report as text: a table of checks, then up to 50 wrong rows of each failed check. */
export const formatReport = (report: Report): string => {
  const { results, requests, transfers, worst, shortfalls, isClean } = report
  const width = Math.max(...results.map(each => each.title.length))
  const table = results.map(({ invariant, title, findings, worst: most }) =>
    [
      findings.length === 0 ? 'ok  ' : 'BAD ',
      invariant.padEnd(6),
      title.padEnd(width),
      String(findings.length).padStart(7),
      String(most).padStart(17),
    ].join(' '),
  )
  const head = `     rule   ${'check'.padEnd(width)}    rows  worst, in points`
  const end = isClean
    ? `clean: ${requests} requests, ${transfers} transfers`
    : `NOT CLEAN: worst deviation ${worst} points; ${requests} requests, ${transfers} transfers`
  return [head, ...table, ...results.flatMap(rowsOf), ...shortfalls.map(explain), end].join('\n')
}

const reasons = {
  unbounded: 'the cost of the call had no bound before its end',
  other: 'the hold should have covered the call: compare its size and price with the provider',
}

const explain = ({ kind, count, points }: Report['shortfalls'][number]): string =>
  `shortfalls, ${kind}: ${points} points of ${count} calls; ${reasons[kind]}`

const rowsOf = ({ title, findings }: CheckResult): string[] => {
  if (findings.length === 0) return []
  const more = findings.length - shownMax
  return [
    '',
    `${title}:`,
    ...findings.slice(0, shownMax).map(each => `  ${each.row}: ${each.description}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
