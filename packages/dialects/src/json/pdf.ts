import { constants, inflateSync } from 'node:zlib'

/** Longer than any page tree: what says more is no honest PDF. */
const unpackedMax = 4 * 1024 * 1024

/** ISO 32000-2, 7.5.7: since PDF 1.5 the objects of pages may stand packed in such streams. */
const objectStream = /\/Type\s*\/ObjStm\b[\s\S]{0,500}?>>\s*stream\r?\n/g
const page = /\/Type\s*\/Page(?![a-z])/gi

/** How many pages it has; undefined where they cannot be seen: it is encrypted, or packed in another way. */
export const pagesIn = (pdf: Buffer): number | undefined => {
  const text = pdf.toString('latin1')
  if (/\/Encrypt\b/.test(text)) return undefined
  let count = text.match(page)?.length ?? 0
  let room = unpackedMax
  for (const match of text.matchAll(objectStream)) {
    const unpacked = unpack(pdf.subarray(match.index + match[0].length), room)
    if (unpacked === undefined) return undefined
    room -= unpacked.length
    count += unpacked.match(page)?.length ?? 0
  }
  const streams = text.match(/\/Type\s*\/ObjStm\b/g)?.length ?? 0
  const read = text.match(objectStream)?.length ?? 0
  return streams === read && count > 0 ? count : undefined
}

/** What follows the stream is passed over. */
const unpack = (packed: Buffer, room: number): string | undefined => {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(room, 1) }
    return inflateSync(packed, options).toString('latin1')
  } catch {
    return undefined
  }
}
