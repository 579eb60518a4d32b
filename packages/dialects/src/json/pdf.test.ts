import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pagesIn } from './pdf.ts'

const packed = (text: string, dictionary = '/Type /ObjStm /Filter /FlateDecode') =>
  `1 0 obj <<${dictionary}>> stream\r\n${deflateSync(text).toString('latin1')}\nendstream `

const blank = (size: number) => ' '.repeat(size)
const mebi = 1024 * 1024

// ISO 32000-2, 7.7.3.3: a page is an object of this type; 7.5.7: it may stand packed in a stream of objects.
it.each<[string, string, number | undefined]>([
  ['pages', '<</Type /Page>> <</Type/Page/Parent 1 0 R>> <</Type\n/Page>>', 3],
  ['the tree of pages, which is none', '<</Type /Pages>> <</Type /PageLabel>>', undefined],
  ['nothing', '', undefined],
  ['a locked file', '<</Encrypt 9 0 R>> <</Type /Page>>', undefined],
  ['a word that only begins so', '<</Encrypted 1>> <</Type /Page>>', 1],
  ['packed pages', packed('<</Type /Page>> <</Type /Page>>'), 2],
  ['packed pages beside others', `<</Type /Page>> ${packed('<</Type /Page>>')}`, 2],
  ['two streams', packed('/Type/Page ') + packed('/Type/Page /Type/Page'), 3],
  ['a stream without pages', `${packed('/Type /Font')} <</Type /Page>>`, 1],
  ['a stream with no blank line end', packed('/Type /Page').replace('\r\n', '\n'), 1],
  [
    'a stream that is packed in another way',
    '<</Type /ObjStm>> stream\nno zlib /Type /Page',
    undefined,
  ],
  ['a stream that is not found', `<</Type /ObjStm>> <</Type /Page>>`, undefined],
  ['one of two that is not found', `${packed('/Type /Page')} <</Type /ObjStm>> none`, undefined],
  ['a stream of 4 MiB', packed('/Type /Page'.padEnd(4 * mebi)), 1],
  ['one, and one with nothing in it', packed('/Type /Page'.padEnd(4 * mebi)) + packed(''), 1],
  ['a stream of more', packed('/Type /Page'.padEnd(4 * mebi + 1)), undefined],
  ['streams of more in all', packed(`/Type /Page${blank(3 * mebi)}`).repeat(2), undefined],
])('%s', (_title, pdf, pages) =>
  expect(pagesIn(Buffer.from(`%PDF-1.7 ${pdf}`, 'latin1'))).toBe(pages),
)
