import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FieldReader } from './field-reader.ts'

const separate = (json: string, sizes: readonly number[]) => {
  const other: Buffer[] = []
  const texts: string[] = []
  const reader = new FieldReader('bytes', {
    onOther: bytes => void other.push(Buffer.from(bytes)),
    onText: (bytes, at) => {
      texts[at] = (texts[at] ?? '') + bytes.toString()
    },
  })
  const all = Buffer.from(json)
  let from = 0
  for (let i = 0; from < all.length; i += 1) {
    const size = sizes[i % sizes.length]!
    reader.push(all.subarray(from, from + size))
    from += size
  }
  return { rest: JSON.parse(Buffer.concat(other).toString()), texts }
}

const base64 = fc.uint8Array({ minLength: 1 }).map(each => Buffer.from(each).toString('base64'))
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })

it('separates the texts of a field from the document, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(base64), fc.string(), sizes, (files, word, cuts) => {
      const videos = files.map(bytes => ({ mimeType: word, bytes, [word]: 'bytes' }))
      const document = { name: 'bytes', done: true, response: { videos, list: ['bytes', word] } }
      const { rest, texts } = separate(JSON.stringify(document, undefined, 1), cuts)
      const without = videos.map(each => ({ ...each, bytes: word === 'bytes' ? each.bytes : '' }))
      expect(rest.response.videos).toEqual(without)
      expect(rest.response.list).toEqual(['bytes', word])
      expect([...texts]).toEqual(word === 'bytes' ? files.map(() => 'bytes') : files)
    }),
  )
})

it('reads a slash and leaves out a padding that are escaped', () => {
  const { rest, texts } = separate('{"bytes":"aGk\\/aGk\\u003d","done":true}', [1])
  expect([rest, texts]).toEqual([{ bytes: '', done: true }, ['aGk/aGk']])
})
