import { expect, it } from 'vitest'
import { tilesOf, tokensOf } from './media.ts'

// https://developers.openai.com/api/docs/guides/images-vision
it.each([
  [0, 10, 1],
  [1, 1, 1],
  [512, 512, 1],
  [513, 512, 2],
  [768, 768, 4],
  [1_024, 1_024, 4],
  [1_536, 768, 6],
  [4_096, 2_048, 6],
  [2_048, 4_096, 6],
  [100_000, 10, 4],
])('a picture of %i by %i is cut into %i tiles', (width, height, tiles) => {
  expect(tilesOf(width, height)).toBe(tiles)
})

const image = (width: number, height: number) =>
  ({ kind: 'image', size: { width, height } }) as const
const unknown = { kind: 'image', size: undefined } as const
const link = { kind: 'link' } as const

it.each([
  ['a small picture by its tile', image(32, 32), undefined, 255],
  ['a large one by its patches', image(1_024, 1_024), 'gpt-4o', 1_762],
  ['patches that are not whole', image(1_025, 1_023), 'gpt-4o', 1_817],
  ['at most as many as the vendor makes', image(2_048, 2_048), 'gpt-4o', 2_642],
  ['more of them by newer models', image(2_048, 2_048), 'gpt-5.4', 7_046],
  ['more of them by newer models', image(2_048, 2_048), 'gpt-6', 7_046],
  ['dearer ones by the smallest models', image(2_048, 2_048), 'gpt-4.1-nano', 3_779],
  ['tiles of the small model', image(1_024, 1_024), 'gpt-4o-mini', 25_501],
  ['the largest where none is known', unknown, undefined, 2_642],
  ['the largest where none is there', link, 'gpt-4o-mini', 25_501],
  ['a sound by its length', { kind: 'audio', length: 1_300 } as const, undefined, 10],
  ['a sound by its length', { kind: 'audio', length: 1_301 } as const, undefined, 11],
  ['what is unknown by its bytes', { kind: 'other', length: 500 } as const, undefined, 500],
  ['at most a context', { kind: 'other', length: 2_000_000 } as const, undefined, 1_000_000],
  ['pages by text and picture', { kind: 'pdf', length: 9, pages: 2 } as const, 'm', 11_284],
  ['a file without pages by its bytes', { kind: 'pdf', length: 900 } as const, 'm', 900],
  ['at most a context', { kind: 'pdf', length: 2_000_000 } as const, 'm', 1_000_000],
])('counts %s', (_, medium, model, tokens) => {
  expect(tokensOf(medium, model)).toBe(tokens)
})
