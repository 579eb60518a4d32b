/** PostgreSQL array literals. The encoder of the driver inspects the type of every value; these functions know it. */
export const numberArray = <T>(
  rows: readonly T[],
  read: (row: T) => number | null | undefined,
): string => {
  let text = '{'
  for (const [at, row] of rows.entries()) {
    const value = read(row) ?? 'NULL'
    text += at === 0 ? value : `,${value}`
  }
  return `${text}}`
}

const special = /["\\]/g

export const textArray = <T>(rows: readonly T[], read: (row: T) => string | undefined): string => {
  let text = '{'
  for (const [at, row] of rows.entries()) {
    const value = read(row)
    if (at > 0) text += ','
    text += value === undefined ? 'NULL' : `"${value.replace(special, '\\$&')}"`
  }
  return `${text}}`
}
