/** More than any call can use; beyond it a figure is an error, not a bill. */
const tokensMax = 100_000_000

/** Undefined for an absent figure, NaN for one that is no count. */
export const tokenCountOf = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined
  const isCount =
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= tokensMax
  return isCount ? value : Number.NaN
}

/** Details may overlap (a cached image is cached and an image): each takes from what the ones before it left. */
export const splitCount = (
  whole: number,
  wanted: readonly number[],
): { parts: number[]; rest: number } => {
  let rest = whole
  const parts = wanted.map(each => {
    const part = Math.min(each, rest)
    rest -= part
    return part
  })
  return { parts, rest }
}
