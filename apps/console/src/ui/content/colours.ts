/** Ten hues that stay distinguishable with colour blindness, for each theme. */
export const palettes = {
  light: [
    '#0b7a5a',
    '#2f6fd0',
    '#c2730a',
    '#8a4fc4',
    '#c2413a',
    '#14869c',
    '#6d7a12',
    '#b5417f',
    '#53627c',
    '#8a5a2b',
  ],
  dark: [
    '#45c79a',
    '#79acf5',
    '#e5a94d',
    '#bd94ee',
    '#f08c83',
    '#54c3d6',
    '#b3bf5a',
    '#ea8dbd',
    '#a3b1c9',
    '#cfa077',
  ],
} as const

/** The green and the red of both palettes. */
export const toneIndexes = { success: 0, error: 4 } as const

const hash = (name: string) =>
  [...name].reduce(
    (sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0,
    7,
  ) >>> 0

/**
 * Assigns a colour by the name, equal on every page. When two names collide, the later one gets the next colour. Red is
 * left to errors until all others are taken.
 */
export const colourIndexes = (names: readonly string[], size: number): number[] => {
  const taken = new Set<number>([toneIndexes.error])
  return names.map(name => {
    let index = hash(name) % size
    while (taken.has(index) && taken.size < size) index = (index + 1) % size
    taken.add(index)
    return index
  })
}
