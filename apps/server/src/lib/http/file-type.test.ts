import { expect, it } from 'vitest'
import { fileTypeOf } from './file-type.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['image/gif', 'GIF89a\x01\0\x01\0'],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
  ['application/pdf', '%PDF-1.7\n'],
  ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['audio/mpeg', 'ID3\x04\0\0\0\0\0\0'],
  ['audio/mpeg', '\xff\xfb\x90\x64'],
  ['audio/aac', '\xff\xf1\x50\x80'],
  ['audio/flac', 'fLaC\0\0\0\x22'],
  ['audio/ogg', 'OggS\0\x02'],
  ['audio/mp4', '\0\0\0\x20ftypM4A \0\0\0\0'],
  ['video/mp4', '\0\0\0\x20ftypisom\0\0\x02\0'],
  ['video/quicktime', '\0\0\0\x14ftypqt  \0\0\0\0'],
  ['video/webm', '\x1aE\xdf\xa3\x01\0\0\0'],
])('recognises %s', (mime, head) => {
  expect(fileTypeOf(latin1(head))).toBe(mime)
})

it.each([
  '',
  '<html>',
  '<?xml version="1.0"?><svg/>',
  'RIFF\x24\0\0\0AVI ',
  '\x89PNG',
  'PK\x03\x04',
  '{"a":1}',
  '\xff\xd8',
])('recognises nothing in %j', head => {
  expect(fileTypeOf(latin1(head))).toBeUndefined()
})
