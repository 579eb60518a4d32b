import { expect, it } from 'vitest'
import { anthropic } from './index.ts'

/** The first bytes of a picture of this size. */
const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(90, 0x41)
  bytes.write('89504e470d0a1a0a0000000d49484452', 0, 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const base64Of = (text: string) => Buffer.from(text).toString('base64')

const reserved = (block: object): number | undefined => {
  const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: [block] }] }
  const read = anthropic.read(Buffer.from(JSON.stringify(body)))
  return read.ok ? read.parsed.mediaTokens : undefined
}
const source = (payload: object) => ({ type: 'image', source: payload })
const bytes = (data: string) => source({ type: 'base64', media_type: 'x/y', data })

const words = base64Of('a sound, or a film '.repeat(20))
const pdf = (pages: number, beside = '') =>
  base64Of(`%PDF-1.4 ${beside}${'<</Type /Page>> '.repeat(pages)}`.padEnd(200))

// https://platform.claude.com/docs/en/build-with-claude/vision
// https://platform.claude.com/docs/en/build-with-claude/pdf-support
it.each<[string, object, number]>([
  ['the squares of a long picture', bytes(png(29, 2_800)), 200],
  ['the squares of a wide picture', bytes(png(2_800, 29)), 200],
  ['the pixels of a larger one', bytes(png(840, 1_120)), 1_255],
  ['the most that a picture takes', bytes(png(8_000, 8_000)), 4_784],
  ['a picture whose size is not told', bytes('/9j/'.padEnd(400, 'A')), 4_784],
  ['a picture kept elsewhere', source({ type: 'url', url: 'https://media.example/a.png' }), 4_784],
  ['a file of the vendor', source({ type: 'file', file_id: 'file_1' }), 4_784],
  ['the pages of a document', bytes(pdf(3)), 3 * 7_784],
  ['a document that hides them', bytes(pdf(3, '/Encrypt ')), pdf(3, '/Encrypt ').length],
  ['what is neither', bytes(words), words.length],
  ['no more than a model can read', bytes('AAAA'.repeat(300_000)), 1_000_000],
  ['nor of a document', bytes(pdf(1, `/Encrypt ${'A'.repeat(900_000)}`)), 1_000_000],
  ['nothing outside a source', { type: 'x', data: words, url: 'u', file_id: 'f' }, 0],
  ['nothing of a text', source({ type: 'text', media_type: 'text/plain', text: words }), 0],
])('a call reserves %s', (_, block, tokens) => expect(reserved(block)).toBe(tokens))
