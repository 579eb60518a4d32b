/** PostgreSQL stores no NUL in a text: https://www.postgresql.org/docs/current/datatype-character.html */
const nul = '\0'

const parameter = /\$\d+|\?/g

/** The parameters of a statement that are written, which precede those that rows are looked up by. */
const countWritten = (sql: string): number => {
  if (!/^\s*(insert|update)\b/i.test(sql)) return 0
  const written = sql.split(/\swhere\s/i, 1)[0]!
  return written.match(parameter)?.length ?? 0
}

/**
 * Leaves NUL out of texts that a statement writes, on both engines alike, because texts of vendors and clients may hold any
 * character. What rows are looked up by stays as it is: without its NUL it could name another row.
 */
export const withoutNul = <P>(sql: string, parameters: P[]): P[] => {
  const hasNul = parameters.some(each => typeof each === 'string' && each.includes(nul))
  if (!hasNul) return parameters
  const written = countWritten(sql)
  return parameters.map((each, index) =>
    index < written && typeof each === 'string' ? (each.replaceAll(nul, '') as P) : each,
  )
}
