import type { Dice } from './dice.ts'

/** What breaks those who cut, escape or join carelessly. */
const traps = [
  'data: ',
  '\n\n',
  '\r\n',
  '\r',
  '"',
  '\\',
  '\\u00e9',
  '{"a":',
  '}',
  '[DONE]',
  'event: x',
  ': ',
  '\u0000',
  '\u2028',
  '\uFEFF',
  'é',
  '世界',
  '👩‍🚀',
  '\u{10FFFF}',
  '__proto__',
  ' ',
  '0',
]
const plain = ['the', 'sky', ' is', ' blue', '. ', 'Because', ' light', ' scatters', ', so', ' 42']

/** Never empty. */
export const wordsOf = (dice: Dice, most = 8): string =>
  dice.list(1, most, () => (dice.chance(4) ? dice.pick(traps) : dice.pick(plain))).join('')

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export const nameOf = (dice: Dice, head = ''): string =>
  head + dice.list(4, 12, () => letters[dice.upTo(letters.length - 1)]).join('')

/** Whole groups of three bytes, so that pieces can be joined; sometimes padded at the end. */
export const base64Of = (dice: Dice, bytesMax = 60): string =>
  Buffer.from(dice.list(1, bytesMax, () => dice.upTo(255))).toString('base64')

export const jsonOf = (dice: Dice, depth = 2): unknown => {
  switch (dice.upTo(depth > 0 ? 6 : 4)) {
    case 0:
      return null
    case 1:
      return dice.chance(2)
    case 2:
      return dice.upTo(100_000) / 8
    case 3:
    case 4:
      return wordsOf(dice, 3)
    case 5:
      return dice.list(0, 3, () => jsonOf(dice, depth - 1))
    default:
      return objectOf(dice, depth - 1)
  }
}

export const objectOf = (dice: Dice, depth = 2): Record<string, unknown> =>
  Object.fromEntries(dice.list(0, 3, () => [nameOf(dice), jsonOf(dice, depth)]))

export const schemaOf = (dice: Dice): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    dice.list(0, 3, () => [
      nameOf(dice),
      { type: dice.pick(['string', 'number', 'boolean']), description: wordsOf(dice, 2) },
    ]),
  ),
  additionalProperties: false,
})
