import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WordSearch } from './word-search.ts'

it('a word is found wherever it stands, whatever its case, width and invisible characters', () => {
  const search = new WordSearch(['bomb', ' 违禁 品 ', '', 'Straße'])
  for (const text of ['a BOMB here', 'ｂｏｍｂ', 'bo\u200bmb', 'x违禁 品y', 'STRASSE straße'])
    expect(search.find(text), text).toBeDefined()
  for (const text of ['', 'bom', 'b o m b', '违禁', 'tom'])
    expect(search.find(text)).toBeUndefined()
})

it('it finds what a plain search for each word finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 40 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), text, (words, text) => {
      const found = new WordSearch(words).find(text)
      expect(found !== undefined).toBe(words.some(word => text.includes(word)))
      if (found !== undefined) expect(text).toContain(found)
    }),
  )
})

it('a long text and a long list are searched without going back', () => {
  const words = Array.from({ length: 5_000 }, (_, n) => `${'a'.repeat(n % 50)}${n}`)
  expect(new WordSearch(words).find('a'.repeat(2_000_000))).toBeUndefined()
})
