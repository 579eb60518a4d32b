import { expect, it } from 'vitest'
import { imageSizeOf } from './image-size.ts'

const sizeOf = (hex: string) =>
  imageSizeOf(Buffer.from(Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('base64')))

const size = { width: 0x0203, height: 0x0405 }
const profile = `ffe2 0006 ${'00'.repeat(4)}`
const frame = (marker: string) => `ff${marker} 0011 08 0405 0203 ${'00'.repeat(9)}`
const riff = Buffer.from('RIFF0000WEBP').toString('hex')
const vp8 = (kind: string) => riff + Buffer.from(`${kind}0000`).toString('hex')

// https://www.w3.org/TR/png-3/, https://www.w3.org/Graphics/JPEG/itu-t81.pdf, https://www.w3.org/Graphics/GIF/spec-gif89a.txt,
// https://developers.google.com/speed/webp/docs/riff_container
const png = '89504e470d0a1a0a 0000000d49484452'
const gif = '474946383961'
it.each<[string, string, unknown]>([
  ['a PNG', `${png} 00000203 00000405`, size],
  ['a PNG that is cut off', `${png} 00000203 000004`, 'unknown'],
  ['a PNG without width', `${png} 00000000 00000405`, 'unknown'],
  ['a PNG without height', `${png} 00000203 00000000`, 'unknown'],
  ['a PNG of one point', `${png} 00000001 00000001`, { width: 1, height: 1 }],
  ['a GIF', `${gif} 0302 0504`, size],
  ['a GIF that is cut off', `${gif} 0302 05`, 'unknown'],
  ['a JPEG', `ffd8 ${frame('c0')}`, size],
  ['a JPEG behind a profile', `ffd8 ${profile} ${profile} ${frame('c0')}`, size],
  ['a JPEG with filling', `ffd8 ffff ff ${profile} ff ${frame('c2')}`, size],
  ['a JPEG that is cut off', `ffd8 ${frame('c0').slice(0, 20)}`, 'unknown'],
  ['a JPEG with no marker in its place', `ffd8 ${profile} 00 ${frame('c0')}`, 'unknown'],
  ['a WebP with more in it', `${vp8('VP8X')} 00000000 020200 040400`, size],
  ['a large WebP', `${vp8('VP8X')} 00000000 010001 ffffff`, { width: 65_538, height: 2 ** 24 }],
  // Fourteen bits of each, one less than the size, behind a byte of signature.
  ['a WebP without loss', `${vp8('VP8L')} 2f 02020101 ${'00'.repeat(9)}`, size],
  // Fourteen bits of each, and two that say how to scale.
  ['a WebP with loss', `${vp8('VP8 ')} 000000 9d012a 0342 0584`, size],
  ['a WebP that is cut off', `${vp8('VP8 ')} 000000 9d012a 0342 05`, 'unknown'],
  ['a sound in the same container', Buffer.from('RIFF0000WAVEfmt ').toString('hex'), undefined],
  ['a text', Buffer.from('hello, hello').toString('hex'), undefined],
])('%s', (_title, hex, result) => expect(sizeOf(hex)).toEqual(result))

// ITU T.81, table B.1: frames begin with C0 to CF, but C4, C8 and CC are tables and no frames.
it.each([
  ...['c0', 'c1', 'c2', 'c3', 'c5', 'c6', 'c7', 'c9', 'ca', 'cb', 'cd', 'ce', 'cf'].map(
    marker => [marker, true] as const,
  ),
  ...['c4', 'c8', 'cc', 'bf', 'd0', 'fe'].map(marker => [marker, false] as const),
])('in a JPEG %s begins a frame: %j', (marker, is) => {
  const result = sizeOf(
    `ffd8 ${frame(marker)} ${'ff'.repeat(2)} c0 0011 08 0001 0001 ${'00'.repeat(9)}`,
  )
  expect(result).toEqual(is ? size : { width: 1, height: 1 })
})

it('slashes may be written as JSON allows', () => {
  const hex = `ffd8${frame('c0')}`.replaceAll(' ', '')
  const written = Buffer.from(hex, 'hex').toString('base64').replaceAll('/', '\\/')
  expect(imageSizeOf(Buffer.from(written))).toEqual(size)
})

it('what says its size behind the first 128 KiB does not say it', () => {
  const behind = (profiles: number) =>
    sizeOf(`ffd8 ${`ffe2 7530 ${'00'.repeat(0x7530 - 2)}`.repeat(profiles)} ${frame('c0')}`)
  expect([behind(3), behind(4)]).toEqual([size, 'unknown'])
})
