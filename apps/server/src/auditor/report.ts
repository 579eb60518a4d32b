import type { Report, Verdict } from './audit.ts'

/** Rows that are printed of one check; the number of all stands in the table. */
const shownMax = 50

/** The report as text: a table of checks, then every row that is not as it must be. */
export const formatReport = ({ verdicts, requests, transfers, worst, isClean }: Report): string => {
  const width = Math.max(...verdicts.map(each => each.title.length))
  const table = verdicts.map(({ law, title, findings, worst: most }) =>
    [
      findings.length === 0 ? 'ok  ' : 'BAD ',
      law.padEnd(6),
      title.padEnd(width),
      String(findings.length).padStart(7),
      String(most).padStart(17),
    ].join(' '),
  )
  const head = `     law    ${'check'.padEnd(width)}    rows  worst, in points`
  const end = isClean
    ? `clean: ${requests} requests, ${transfers} transfers`
    : `NOT CLEAN: worst deviation ${worst} points; ${requests} requests, ${transfers} transfers`
  return [head, ...table, ...verdicts.flatMap(rowsOf), end].join('\n')
}

const rowsOf = ({ title, findings }: Verdict): string[] => {
  if (findings.length === 0) return []
  const more = findings.length - shownMax
  return [
    '',
    `${title}:`,
    ...findings.slice(0, shownMax).map(each => `  ${each.row}: ${each.what}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
