/** Below the number of parameters that both engines take in one statement. */
const slice = 500

export function* slices<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += slice) yield rows.slice(from, from + slice)
}
