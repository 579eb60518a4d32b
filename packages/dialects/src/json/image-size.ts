export type ImageSize = { width: number; height: number }

/** The part of an image that is read. The metadata before the size of a JPEG may be long. */
const headMax = 128 * 1024

/**
 * Reads width and height from the first bytes of a PNG, JPEG, GIF or WebP. Returns `unknown` for an image without them
 * there, and undefined for other data.
 */
export const imageSizeOf = (base64: Buffer): ImageSize | 'unknown' | undefined => {
  const known = readers.find(([begin]) => base64.toString('latin1', 0, begin.length) === begin)
  if (!known) return undefined
  const head = base64.toString('latin1', 0, headMax).replaceAll('\\/', '/')
  return known[1](Buffer.from(head, 'base64'))
}

type Reader = (bytes: Buffer) => ImageSize | 'unknown' | undefined

const sized = (width: number, height: number): ImageSize | 'unknown' =>
  width > 0 && height > 0 ? { width, height } : 'unknown'

const png: Reader = bytes =>
  bytes.length < 24 ? 'unknown' : sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20))

const gif: Reader = bytes =>
  bytes.length < 10 ? 'unknown' : sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8))

/** Skips from marker to marker by their lengths, up to the frame header. */
const jpeg: Reader = bytes => {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return 'unknown'
}

/** https://developers.google.com/speed/webp/docs/riff_container; audio uses the same container. */
const webp: Reader = bytes => {
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  if (bytes.length < 30) return 'unknown'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return sized((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1)
    }
    default:
      return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  }
}

/** Readers by the base64 of the first bytes. */
const readers: readonly (readonly [begin: string, reader: Reader])[] = [
  ['iVBORw0KGgo', png],
  ['/9j/', jpeg],
  ['\\/9j\\/', jpeg],
  ['R0lGOD', gif],
  ['UklGR', webp],
]
