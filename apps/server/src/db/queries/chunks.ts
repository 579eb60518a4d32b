/** Below the maximum number of parameters of one statement on both engines. */
const chunkSize = 500

export function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += chunkSize) yield rows.slice(from, from + chunkSize)
}
