/** Random figures that follow from a text alone, so that a seed repeats a run. */
export type Figures = {
  /** A whole number from `low` to `high`. */
  between(low: number, high: number): number
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean
  pick<T>(of: readonly T[]): T
}

/** https://en.wikipedia.org/wiki/Fowler%E2%80%93Noll%E2%80%93Vo_hash_function, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

export const figuresOf = (seed: string): Figures => {
  let state = hashOf(seed)
  /** mulberry32 */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let word = Math.imul(state ^ (state >>> 15), 1 | state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    chance: percent => next() * 100 < percent,
    pick: of => of[between(0, of.length - 1)]!,
  }
}

/** A prompt's length: mostly short, at times just around or far above a limit of long prompts. */
export const promptLength = (figures: Figures, limit?: number): number => {
  if (limit === undefined || figures.chance(75)) return figures.between(2_000, 90_000)
  if (figures.chance(50)) return limit + figures.between(-1, 1)
  return figures.between(limit - 60_000, limit + 300_000)
}

/** A share of tokens, at times none and at times all of them. */
export const shareOf = (figures: Figures, all: number): number => {
  if (all < 1 || figures.chance(40)) return 0
  return figures.chance(8) ? all : figures.between(1, all)
}
