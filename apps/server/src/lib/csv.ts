/** Spreadsheets need the mark to read UTF-8. */
export const byteOrderMark = '\u{feff}'

/** One row of a CSV file. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

/** A spreadsheet would run a text that begins like a formula, also after spaces or in fullwidth letters. */
const csvCell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  // A negative number is no formula.
  if (/^-\d+(\.\d+)?$/.test(value)) return value
  const text = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvFile = (name: string, content: string) => ({
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  content: Buffer.from(byteOrderMark + content),
})

export const csvOf = (header: string[], rows: (string | number)[][]) =>
  [header, ...rows].map(csvRow).join('')
