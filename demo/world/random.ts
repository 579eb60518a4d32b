/** A repeatable sequence: the same seed gives the same demo. */
export type Random = {
  /** A whole number from 0 on, below the bound. */
  below(bound: number): number
  /** From 0 to 1, without 1. */
  share(): number
  pick<T>(all: readonly T[]): T
  /** One of the entries, each as often as its weight. */
  weighted<T>(all: readonly T[], weightOf: (each: T) => number): T
  /** Around the median, rarely far above it. */
  skewed(median: number, spread?: number): number
}

/** Mulberry32, a small generator of good distribution. */
export const makeRandom = (seed: number): Random => {
  let state = seed >>> 0
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(share() * bound)
  return {
    below,
    share,
    pick: all => all[below(all.length)]!,
    weighted: (all, weightOf) => {
      let rest = share() * all.reduce((sum, each) => sum + weightOf(each), 0)
      for (const each of all) {
        rest -= weightOf(each)
        if (rest < 0) return each
      }
      return all.at(-1)!
    },
    skewed: (median, spread = 0.6) => {
      const normal = Math.sqrt(-2 * Math.log(1 - share())) * Math.cos(2 * Math.PI * share())
      return Math.max(1, Math.round(median * Math.exp(spread * normal)))
    },
  }
}
