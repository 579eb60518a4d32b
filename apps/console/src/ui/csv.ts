/** Writes rows as the text of a CSV file. A cell that a spreadsheet would run as a formula becomes text. */
export const toCsv = (rows: (string | number)[][]): string =>
  `\uFEFF${rows.map(row => row.map(csvCell).join(',')).join('\r\n')}\r\n`

const csvCell = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const text = /^[\s]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Replaces everything that a file system may refuse. */
export const safeFileName = (name: string, fallback: string): string =>
  name.replace(/[\p{C}\\/:*?"<>|]+/gu, '-').replace(/^[.\s]+|[.\s]+$/g, '') || fallback

/** Saves a text as a file in the browser's downloads. */
export const download = (name: string, text: string, type = 'text/csv;charset=utf-8') => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
