import type { CheckResult, Report } from './audit.ts'

/** Maximum of printed rows per check; the table has the total number. */
const shownMax = 50

/** Formats the report as text: a table of checks, then up to 50 wrong rows of each failed check. */
export const formatReport = ({ results, requests, transfers, worst, isClean }: Report): string => {
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
  return [head, ...table, ...results.flatMap(rowsOf), end].join('\n')
}

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
