/** PostgreSQL's array literals. The driver's own encoder looks at the type of every value; these know it. */
export const numbers = <T>(rows: readonly T[], of: (row: T) => number): string => {
  let text = '{'
  for (const [at, row] of rows.entries()) text += at === 0 ? of(row) : `,${of(row)}`
  return `${text}}`
}

const special = /["\\]/g

export const texts = <T>(rows: readonly T[], of: (row: T) => string | undefined): string => {
  let text = '{'
  for (const [at, row] of rows.entries()) {
    const value = of(row)
    if (at > 0) text += ','
    text += value === undefined ? 'NULL' : `"${value.replace(special, '\\$&')}"`
  }
  return `${text}}`
}
