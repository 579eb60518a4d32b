/** A seeded source of choices: the same seed makes the same case again. */
export type Dice = {
  /** A whole number from 0 to `most`. */
  upTo(most: number): number
  chance(one: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** What the function makes, or nothing. */
  maybe<Made>(make: () => Made): Made | undefined
  list<Made>(least: number, most: number, make: (at: number) => Made): Made[]
}

/** mulberry32: enough for making cases, and four lines long. */
export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const upTo = (most: number): number => Math.floor(next() * (most + 1))
  return {
    upTo,
    chance: one => next() * one < 1,
    pick: items => items[upTo(items.length - 1)]!,
    maybe: make => (next() < 0.5 ? make() : undefined),
    list: (least, most, make) =>
      Array.from({ length: least + upTo(most - least) }, (_, at) => make(at)),
  }
}
